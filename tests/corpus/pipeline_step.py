"""pipeline_step: what the steps of a pipeline machine do to a state (pipeline_machine.py has what a state is)."""
from collections import namedtuple

from pipeline_program import Unknown

RUNNING, WAITING, STALLED, DONE, FAULTED = range(5)
ACCESSES = ("LOAD", "STORE", "RMW", "CAS")
# A version of a location on its way. writer gave it its value; writers are pairs (thread, strand) of all whose stores it has, owed
# pairs (thread, stage) of those who wait for it to leave a stage; skips are the stages ahead that it goes past; came numbers
# the entries of its line by when they came to a stage of lines; tx is the thread whose open transaction it is of, plus 1; step numbers
# the steps in which entries came to a queue that is a fifo.
Entry = namedtuple("Entry", "loc rank value writers writer tx skips owed came step")
# threads: those whose entries a mark of a scope is about. over: of a mark of a line the entries, (location, rank), that what comes
# to its thread's queue is behind, in whichever queue of the stage they are.
Mark = namedtuple("Mark", "which thread strand threads over")

def concerns(mark, entry):
    """Own, and x for what comes: of its thread; scope: of its threads; strand: of its thread and strand; else all."""
    if mark.which in ("own", "scope", "x"):
        return any(t in mark.threads for t, _ in entry.writers)
    return mark.which != "strand" or (mark.thread, mark.strand) in entry.writers


class Work:
    """A state that is being changed. Steps return whether they can be taken; the state is of no use when not."""

    def __init__(self, machine, state):
        self.m, self.d, self.p = machine, machine.d, machine.p
        if state:
            self.threads, self.memory, self.medium, self.queues, self.opened, self.values, self.holds, self.log = map(list, state)
            self.queues = [list(queue) for queue in self.queues]
            return
        self.memory, self.medium = list(self.p.values), list(self.p.values)
        self.log = [None for _ in self.p.values]
        self.queues, self.values = [[] for _ in machine.places], [0] * len(self.d.names)
        self.opened, self.holds = [() for _ in machine.threads], [False for _ in machine.threads]
        named = set(self.p.named)
        self.threads = [(0, RUNNING, tuple(None if (t, name) in named else 0 for name in thread.registers), 0, False, 0, None)
                        for t, thread in enumerate(self.p.threads)]
        for t in machine.threads:
            self.run_on(t, 0)

    # ---- Normal form ----

    def frozen(self):
        for q, queue in enumerate(self.queues):
            self.queues[q] = self.without_marks(self.m.places[q][0], queue)
        ranks = {}
        for _, entry in self.entries():
            ranks.setdefault(entry.loc, []).append(entry.rank)
        number = {(loc, rank): i for loc, found in ranks.items() for i, rank in enumerate(sorted(found))}
        came = {}
        for at, entry in self.entries():
            came.setdefault((at, self.p.lines[entry.loc]), []).append(entry.came)
        ordered = lambda s, item: sorted(came[s, self.p.lines[item.loc]]).index(item.came) if s >= 0 else 0
        over = lambda mark: mark._replace(over=frozenset((loc, number[loc, rank]) for loc, rank in mark.over))
        ranked = lambda item, s=-1: over(item) if isinstance(item, Mark) else item._replace(
            rank=number[item.loc, item.rank], came=ordered(s, item))
        queues = []
        for q, queue in enumerate(self.queues):
            if self.m.places[q][0] == self.m.group:
                queue = [tuple(map(ranked, item)) for item in queue]
            else:
                queue = self.without_steps(q, [ranked(item, self.m.places[q][0]) for item in queue])
            if self.d.stages[self.m.places[q][0]].order == "any":
                queue.sort(key=lambda item: (item.loc, item.rank) if isinstance(item, Entry) else
                           [(entry.loc, entry.rank) for entry in item])
            queues.append(tuple(queue))
        opened = tuple(tuple(map(ranked, entries)) for entries in self.opened)
        return (tuple(self.threads), tuple(self.memory), tuple(self.medium), tuple(queues), opened, tuple(self.values),
                tuple(self.holds), tuple(self.log))

    def without_steps(self, q, queue):
        """Of a fifo steps are numbered from 0 on, and what came in one step is in no order."""
        if self.d.stages[self.m.places[q][0]].order != "fifo":
            return queue
        steps = sorted({item.step for item in queue})
        return sorted((item._replace(step=steps.index(item.step)) for item in queue), key=lambda item: (item.step, item.loc))

    def without_marks(self, s, queue):
        """A mark with nothing before it that it keeps says nothing; nor one of a line whose entries have left the stage."""
        queue = [item._replace(over=self.still(s, item.over)) if isinstance(item, Mark) else item for item in queue]
        return [item for i, item in enumerate(queue) if not isinstance(item, Mark) or
                (item.over if item.which == "x" else
                 any(concerns(item, before) for before in queue[:i] if not isinstance(before, Mark)))]

    def still(self, s, over):
        """Of entries (location, rank) those that are in the stage."""
        return over and over & {(entry.loc, entry.rank) for at, entry in self.entries() if at == s}

    # ---- Threads ----

    def change(self, t, **said):
        names = ("pc", "status", "registers", "operation", "open", "strand", "behind")
        self.threads[t] = tuple(said.get(name, value) for name, value in zip(names, self.threads[t]))

    def assign(self, t, number, value):
        if number is not None:
            registers = list(self.threads[t][2])
            registers[number] = value
            self.change(t, registers=tuple(registers))

    def run_on(self, t, pc):
        """To the next instruction that others see."""
        code = self.p.threads[t].code
        for _ in range(20000):
            if pc >= len(code):
                self.change(t, pc=pc, status=DONE, operation=0)
                return
            instr, registers = code[pc], self.threads[t][2]
            try:
                if instr.op == "SET":
                    self.assign(t, instr.dst, instr.value(registers))
                elif instr.op == "CHECK" and not instr.value(registers):
                    raise ZeroDivisionError
                elif instr.op == "BRANCH" and not instr.value(registers) or instr.op == "JUMP":
                    pc = instr.target - 1
                elif instr.op not in ("CHECK", "BRANCH", "LOOP", "AWAIT"):
                    self.location(t, instr)
                    for operand in (instr.value, instr.expected):
                        if operand:
                            operand(registers)
                    self.change(t, pc=pc, status=RUNNING, operation=0)
                    return
            except ZeroDivisionError:
                self.change(t, pc=pc, status=FAULTED, operation=0)
                return
            pc += 1
        raise Unknown("a loop without end")

    def location(self, t, instr):
        if instr.place is None:
            return None
        first, stride, count, index = instr.place
        at = index(self.threads[t][2]) if index else 0
        if not 0 <= at < max(count, 1):
            raise ZeroDivisionError
        return first + stride * at

    def pc(self, t):
        """Of the instruction that t is at, or whose access it has made and which it waits behind."""
        behind = self.threads[t][6]
        return behind[0] if behind else self.threads[t][0]

    def place(self, t):
        behind = self.threads[t][6]
        return behind[1] if behind else self.location(t, self.instr(t))

    def instr(self, t):
        return self.p.threads[t].code[self.pc(t)]

    def meets(self, t, status):
        """Those whom t meets where it stands, or None when not all are there."""
        instr = self.instr(t)
        members = [u for u in self.m.threads if self.m.same(t, u, instr.scope)]
        for u in members:
            if self.threads[u][1] != status:
                return None
            other = self.instr(u)
            if (other.op, other.scope, other.label) != (instr.op, instr.scope, instr.label):
                return None
        return members

    def run(self, t):
        return self.perform(t, 0)

    def resume(self, t):
        operation = self.threads[t][3]
        rule = self.rule(t)
        if ("meet",) in rule[:operation]:
            members = self.meets(t, STALLED)
            if t != members[0] or any(self.owed(u) for u in members):
                return False
            return self.together(members, operation + 1)
        if self.stays(t, rule[operation]):
            return False
        return self.perform(t, operation + 1)

    def rule(self, t):
        return self.m.rule(t, self.pc(t), self.place(t), self.threads[t][4])

    def owed(self, t):
        return any(t == u for _, entry in self.entries() for u, _ in entry.owed)

    def stays(self, t, operation):
        """At an await: for what is owed to itself, or to those of a scope."""
        return any(self.owed(u) for u in self.m.threads if u == t or self.m.same(t, u, operation[1]))

    def perform(self, t, operation):
        """The operations of t's instruction from the given one on, and the instruction."""
        instr, rule, through = self.instr(t), self.rule(t), False
        through = ("through",) in rule
        for i in range(operation, len(rule)):
            if rule[i][0] == "await":
                if self.stays(t, rule[i]):
                    self.change(t, status=STALLED, operation=i)
                    return True
            elif rule[i] == ("meet",):
                self.change(t, status=WAITING, operation=i)
                members = self.meets(t, WAITING)
                return members is None or self.together(members, i + 1)
            elif rule[i] == ("access",):
                if instr.op in ACCESSES and not self.access_early(t, instr, through):
                    return False
            elif not self.operate(t, instr, rule[i], (t,)):
                return False
        if self.threads[t][6]:
            self.change(t, behind=None)
            self.run_on(t, self.threads[t][0])
            return True
        return self.execute(t, instr, through)

    def access_early(self, t, instr, through):
        """Before the rest of its rule; registers get what follows from it."""
        pc, loc = self.pc(t), self.place(t)
        if not self.access(t, instr, through):
            return False
        self.run_on(t, pc + 1)
        self.change(t, behind=(pc, loc))
        return True

    def together(self, members, operation):
        """What stands behind `meet`, for all that have met."""
        rule = self.rule(members[0])
        for i in range(operation, len(rule)):
            if rule[i][0] == "await" and any(self.owed(u) for u in members):
                for u in members:
                    self.change(u, status=STALLED, operation=i)
                return True
            for u in members:
                if rule[i][0] != "await" and not self.operate(u, self.instr(u), rule[i], members):
                    return False
        for u in members:
            self.run_on(u, self.threads[u][0] + 1)
        return True

    # ---- Instructions ----

    def execute(self, t, instr, through):
        if instr.op == "BARRIER":
            self.change(t, status=WAITING)
            members = self.meets(t, WAITING)
            for u in members or ():
                self.run_on(u, self.threads[u][0] + 1)
            return True
        if instr.op in ACCESSES and not self.access(t, instr, through):
            return False
        self.run_on(t, self.threads[t][0] + 1)
        return True

    def access(self, t, instr, through):
        loc, registers = self.location(t, instr), self.threads[t][2]
        if instr.op != "STORE" and not self.in_view(t, instr, loc):
            return False
        logs = self.d.redo and self.m.isolates and self.threads[t][4] and self.p.nvm[loc]
        if instr.op != "LOAD" and not logs and self.log[loc] is not None:
            return False
        old = self.log[loc] if logs and self.log[loc] is not None else self.memory[loc]
        value = instr.value and instr.value(registers)
        writes = instr.op != "LOAD"
        if instr.op in ("RMW", "CAS"):
            value = (instr.rmw(old, value) + 2**31) % 2**32 - 2**31
        if instr.op == "CAS":
            writes = (old == instr.expected(registers)) != instr.unless
            self.assign(t, instr.dst, int(writes))
            self.assign(t, instr.old, old)
        elif instr.op != "STORE":
            self.assign(t, instr.dst, old)
        if writes:
            (self.log if logs else self.memory)[loc] = value
        return not writes or not self.p.nvm[loc] or self.store(t, instr, loc, value, through)

    def in_view(self, t, instr, loc):
        for s, match in self.d.views:
            if self.m.fits(match, t, instr, loc, self.threads[t][4]):
                if any(entry.loc == loc and 0 <= at < s for at, entry in self.entries()):
                    return False
        return True

    def entries(self):
        return list(self.m.entries_of((None, None, None, self.queues, self.opened)))

    def store(self, t, instr, loc, value, through):
        inside, last = self.threads[t][4], len(self.d.stages)
        skips = self.m.skips(t, instr, loc, inside)
        s = self.m.next_stage(self.values, -1, skips)
        versions = [pair for pair in self.entries() if pair[1].loc == loc]
        if s == last:
            self.medium[loc] = value
            return not versions
        if self.others_have(t, {loc}, len(versions)):
            return False
        places = [(self.m.group if at < 0 else at, other) for at, other in versions]
        if any(at < s and self.together_in(at, t, other.writer) for at, other in places):
            return False
        entry = Entry(loc, len(versions), value, frozenset({(t, self.threads[t][5])}), t, t + 1 if inside else 0,
                      frozenset(k for k in skips if k > s), frozenset({(t, last - 1)} if through else ()), 0, 0)
        room = sum(1 for _ in self.entries()) < self.d.entries
        if s == self.m.group:
            return self.store_in_set(t, entry, inside, room)
        return self.arrive(entry, s, self.next_step()) or room

    def store_in_set(self, t, entry, inside, room):
        if not inside:
            self.queues[self.m.queue(self.m.group, t)].append((entry,))
            return room
        older = [other for other in self.opened[t] if other.loc == entry.loc]
        entry = entry._replace(owed=entry.owed.union(*[other.owed for other in older]))
        if not older:
            self.opened[t] += (entry,)
            return room
        self.opened[t] = tuple(entry if other.loc == entry.loc else other for other in self.opened[t])
        return True

    def next_step(self):
        """Of entries that come to queues from now on."""
        return 1 + max([entry.step for _, entry in self.entries()], default=-1)

    def others_have(self, t, locations, rank):
        """Is an older version of one of the locations in the open set of another thread?"""
        return any(entry.loc in locations and entry.rank < rank for u in self.m.threads if u != t for entry in self.opened[u])

    def behind(self, queue, fifo, i, entry):
        """The places in a queue of what an entry at place i is behind."""
        if fifo:
            return {j for j, item in enumerate(queue) if item.step < entry.step}
        return {j for j in range(i) if isinstance(queue[j], Entry) and any(
            isinstance(mark, Mark) and mark.which != "x" and concerns(mark, entry) and concerns(mark, queue[j])
            for mark in queue[j + 1:i])}

    def all_behind(self, q, i, entry):
        """Entries (location, rank) of the stage that must leave before an entry at place i of a queue, whoever of them is first."""
        queue, s, found = self.queues[q], self.m.places[q][0], set()
        wanted = [(q, i, entry)]
        while wanted:
            q, i, entry = wanted.pop()
            queue = self.queues[q]
            direct = {(queue[j].loc, queue[j].rank) for j in self.behind(queue, False, i, entry)}
            for mark in queue[:i]:
                if isinstance(mark, Mark) and mark.which == "x" and concerns(mark, entry):
                    direct |= self.still(s, mark.over)
            wanted += [(at, k, item) for at, other in enumerate(self.queues) if self.m.places[at][0] == s
                       for k, item in enumerate(other) if isinstance(item, Entry) and (item.loc, item.rank) in direct - found]
            found |= direct
        return found

    def merge(self, q, entry):
        """Into the version before it, where the stage merges and that version is behind all that the new one is behind."""
        queue, (s, _) = self.queues[q], self.m.places[q]
        stage = self.d.stages[s]
        versions = [other.rank for _, other in self.entries() if other.loc == entry.loc and other.rank < entry.rank]
        found = [i for i, item in enumerate(queue) if isinstance(item, Entry) and item.loc == entry.loc and
                 item.rank == max(versions)]
        if "merge" not in stage.attributes or not found:
            return False
        i, item, fifo = found[0], queue[found[0]], stage.order == "fifo"
        if (item.tx, item.skips) != (entry.tx, entry.skips) or self.line_goes_on(s, item):
            return False
        if fifo and self.behind(queue, fifo, len(queue), entry) - {i} - self.behind(queue, fifo, i, item):
            return False
        if not fifo and self.all_behind(q, len(queue), entry) - self.all_behind(q, i, item):
            return False
        self.rename(s, (item.loc, item.rank), (entry.loc, entry.rank))
        queue[i] = entry._replace(writers=entry.writers | item.writers, owed=entry.owed | item.owed, came=item.came, step=item.step)
        return True

    def rename(self, s, old, new):
        """What is behind a version is behind the one that it has become."""
        for q, queue in enumerate(self.queues):
            if self.m.places[q][0] == s and s != self.m.group:
                self.queues[q][:] = [item._replace(over=item.over - {old} | {new}) if isinstance(item, Mark) and old in item.over
                                     else item for item in queue]

    def line_goes_on(self, s, item):
        """In a stage of lines, did something of the line come after it?"""
        return "lines" in self.d.stages[s].attributes and any(other.came > item.came for other in self.line_in(s, item.loc))

    def line_in(self, s, loc):
        return [entry for at, entry in self.entries() if at == s and self.p.lines[entry.loc] == self.p.lines[loc]]

    # ---- Operations ----

    def map_entries(self, change):
        """Each entry in its stage (-1: of an open set) to what `change` makes of it; None: none."""
        for q, queue in enumerate(self.queues):
            s = self.m.places[q][0]
            if s == self.m.group:
                groups = [tuple(e for e in (change(s, entry) for entry in item) if e) for item in queue]
                self.queues[q] = [item for item in groups if item]
            else:
                changed = [item if isinstance(item, Mark) else change(s, item) for item in queue]
                self.queues[q] = [item for item in changed if item]
        self.opened = [tuple(e for e in (change(-1, entry) for entry in entries) if e) for entries in self.opened]

    def chosen(self, t, instr, which):
        mine = lambda entry: any(u == t for u, _ in entry.writers)
        if which == "x":
            line = self.p.lines[self.place(t)]
            return lambda s, entry: self.p.lines[entry.loc] == line
        if which == "here":
            line, near = self.p.lines[self.place(t)], self.chosen(t, instr, "unit")
            return lambda s, entry: self.p.lines[entry.loc] == line and near(s, entry)
        if which == "own":
            return lambda s, entry: mine(entry)
        if which == "strand":
            return lambda s, entry: (t, self.threads[t][5]) in entry.writers
        if which == "unit":
            return lambda s, entry: self.m.instance(self.d.stages[s], entry.writer) == self.m.instance(self.d.stages[s], t)
        if which == "scope":
            return lambda s, entry: any(self.m.same(t, u, instr.scope) for u, _ in entry.writers)
        return lambda s, entry: True

    def operate(self, t, instr, operation, together):
        """Of those who do it together one."""
        name = operation[0]
        if name in ("move", "drain"):
            which, stage = self.chosen(t, instr, operation[1]), operation[2]
            there = (lambda s: s == stage) if name == "move" else (lambda s: 0 <= s <= stage)
            self.map_entries(lambda s, entry: entry._replace(owed=entry.owed | {(t, operation[3])})
                             if there(s) and which(s, entry) else entry)
        elif name == "mark":
            self.mark(t, instr, operation[1], operation[2])
        elif name == "strand":
            self.change(t, strand=self.threads[t][5] + 1)
        elif name == "set":
            self.values[operation[1]] = operation[2]
        elif name == "release":
            self.holds[t] = False
        elif name in ("begin", "enqueue", "commit", "abort"):
            return self.transact(t, name, together)
        elif name != "through":
            raise Unknown("operation %s" % name)
        return True

    def mark(self, t, instr, which, stage):
        if which == "x":
            return self.mark_line(t, self.place(t), stage)
        threads = [u for u in self.m.threads if u == t or which == "scope" and self.m.same(t, u, instr.scope)]
        places = {self.m.queue(stage, u) for u in (self.m.threads if which == "all" else threads)}
        for q in places:
            self.queues[q].append(Mark(which, t, self.threads[t][5], tuple(threads), frozenset()))
        return None

    def mark_line(self, t, loc, stage):
        """Of what others have stored there to the line. Of two with nothing between one is made."""
        queue = self.queues[self.m.queue(stage, t)]
        over = frozenset((entry.loc, entry.rank) for s, entry in self.entries() if s == stage and loc is not None and
                         self.p.lines[entry.loc] == self.p.lines[loc] and all(u != t for u, _ in entry.writers))
        while queue and isinstance(queue[-1], Mark) and queue[-1].which == "x" and queue[-1].thread == t:
            over |= queue.pop().over
        queue.append(Mark("x", t, self.threads[t][5], (t,), over))

    def transact(self, t, name, together):
        if name == "begin":
            if not self.threads[t][4] and self.m.isolates:
                if any(self.holds[u] for u in self.m.threads if u != t):
                    return False
                self.holds[t] = True
            self.change(t, open=True)
            return True
        if not self.threads[t][4]:
            return True
        self.change(t, open=False)
        logged, self.log = self.log, [None for _ in self.log]
        if name == "abort":
            self.map_entries(lambda s, entry: None if entry.tx == t + 1 else entry)
            return True
        self.memory = [old if new is None else new for old, new in zip(self.memory, logged)]
        self.join_lines(t)
        return self.in_order(t, together) and self.enqueue(t)

    def join_lines(self, t):
        """Where a line has one state, what others have of it there is of t's transaction, too."""
        place = lambda s, entry: (s, self.m.instance(self.d.stages[s], entry.writer), self.p.lines[entry.loc])
        ends = {place(s, entry) for s, entry in self.entries() if s >= 0 and entry.tx == t + 1 and "joint" in self.d.stages[s].attributes}
        self.map_entries(lambda s, entry: entry._replace(tx=t + 1) if s >= 0 and entry.tx and place(s, entry) in ends else entry)

    def enqueue(self, t):
        """Of a commit as well, which ends a set that is still open."""
        if any(self.others_have(t, {entry.loc}, entry.rank) for entry in self.opened[t]):
            return False
        entries = tuple(entry._replace(tx=0) for entry in self.opened[t])
        self.opened[t] = ()
        if entries:
            self.queues[self.m.queue(self.m.group, t)].append(entries)
        self.map_entries(lambda s, entry: entry._replace(tx=0) if entry.tx == t + 1 else entry)
        return True

    def in_order(self, t, together):
        """Is no older version, in the way of what t's transaction wrote, uncommitted by another?"""
        own = [(entry.loc, entry.rank, entry.writer) for _, entry in self.entries() if entry.tx == t + 1]
        return not any(other.tx and other.tx - 1 not in together and other.loc == loc and other.rank < rank and
                       (at < 0 or self.together_in(at, writer, other.writer))
                       for at, other in self.entries() for loc, rank, writer in own)

    # ---- Stages ----

    def may_leave(self, q, i):
        s, queue = self.m.places[q][0], self.queues[q]
        stage, item = self.d.stages[s], self.queues[q][i]
        items = item if s == self.m.group else (item,)
        if stage.order == "fifo" and (i != 0 if s == self.m.group else item.step > queue[0].step):
            return False
        if "hold" in stage.attributes and any(entry.tx for entry in items):
            return False
        if stage.order == "marks" and any(self.held(s, queue, i, entry) for entry in items):
            return False
        return True

    def held(self, s, queue, i, entry):
        for j in range(i):
            if isinstance(queue[j], Mark) and concerns(queue[j], entry):
                if queue[j].which == "x":
                    if self.still(s, queue[j].over):
                        return True
                elif any(not isinstance(before, Mark) and concerns(queue[j], before) for before in queue[:j]):
                    return True
        return False

    def older_first(self, s, items, entry, target):
        """Is an older version in the way? In a stage that keeps instances apart only one of its own instance is."""
        for at, other in self.entries():
            if other.loc == entry.loc and other.rank < entry.rank and other not in items and (at <= s or at < target):
                if at < 0 or self.together_in(at, entry.writer, other.writer):
                    return True
        return False

    def together_in(self, s, t, u):
        """Do threads' versions keep an order in a stage?"""
        stage = self.d.stages[s]
        return "apart" not in stage.attributes or self.m.instance(stage, t) == self.m.instance(stage, u)

    def move(self, q, i):
        if not self.may_leave(q, i):
            return False
        s, item = self.m.places[q][0], self.queues[q][i]
        items = item if s == self.m.group else (item,)
        targets = [self.m.next_stage(self.values, s, entry.skips) for entry in items]
        if any(self.older_first(s, items, entry, target) for entry, target in zip(items, targets)):
            return False
        if "lines" in self.d.stages[s].attributes and any(other.came < item.came for other in self.line_in(s, item.loc)):
            return False
        del self.queues[q][i]
        step = self.next_step()
        for entry, target in zip(items, targets):
            self.arrive(entry._replace(owed=frozenset(o for o in entry.owed if o[1] >= target),
                                       skips=frozenset(k for k in entry.skips if k > target)), target, step)
        return True

    def arrive(self, entry, target, step):
        """At a stage, or the medium, in a step; whether it merged."""
        if target == len(self.d.stages):
            self.medium[entry.loc] = entry.value
            return False
        q = self.m.queue(target, entry.writer)
        if target == self.m.group:
            self.queues[q].append((entry._replace(step=0),))
            return False
        entry = entry._replace(step=step if self.d.stages[target].order == "fifo" else 0)
        if self.merge(q, entry):
            return True
        if "lines" in self.d.stages[target].attributes:
            entry = entry._replace(came=max([other.came + 1 for other in self.line_in(target, entry.loc)], default=0))
        self.queues[q].append(entry)
        return False
