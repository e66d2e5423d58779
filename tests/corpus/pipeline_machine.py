"""pipeline_machine: machines whose file says `machine = pipeline` (docs/models/machines.md), interpreted step by step, for pipeline.py.

Shares nothing with src/machine: no reduction, no bytes. A state is a tuple of

  threads  each (pc, status, registers, operation, open, strand, behind); operation: where it stays in the instruction's rule;
           behind: of an instruction whose access is made (pc, location), and then pc is at the next one
  memory   of every location: what threads see
  medium   of every location: what is durable behind all stages
  queues   of every stage instance, the oldest first: entries and marks; tuples of entries where the stage is of groups
  opened   of every thread: the entries of its open write set, which are in no queue
  values   of the description's variables
  holds    of every thread: whether it holds what keeps transactions apart
  log      of every location: what the transaction that goes on has stored there, where it has a log

explored breadth first from the start, all of them.
"""
from pipeline_step import DONE, RUNNING, STALLED, Entry, Mark, Work


class Machine:
    """A description, and the program that it runs."""

    def __init__(self, description, program):
        self.d, self.p = description, program
        self.threads = range(len(program.threads))
        self.unit = self.units()
        self.places = [(s, i) for s, stage in enumerate(description.stages) for i in self.instances(stage)]
        self.queue_of = {place: q for q, place in enumerate(self.places)}
        self.group = next((s for s, stage in enumerate(description.stages) if "group" in stage.attributes), None)
        self.matched = {}
        self.isolates = self.d.isolate and (self.can_abort() or not self.d.aborts_alone)

    def can_abort(self):
        """Is there an instruction, executed or not, that aborts a transaction?"""
        return any(("abort",) in self.rule(t, pc, None, inside) for t in self.threads for pc in range(len(self.p.threads[t].code))
                   for inside in (False, True))

    def units(self):
        chosen = {"in-turn": list(range(self.d.units)), "one-unit": [0]}.get(self.d.placement)
        chosen = chosen or [int(word) for word in self.d.placement.split()]
        groups, unit = [], []
        for thread in self.p.threads:
            group = (thread.dev, thread.kr, thread.wg)
            if group not in groups:
                groups.append(group)
            unit.append(chosen[groups.index(group) % len(chosen)])
        return unit

    def instance(self, stage, t):
        device = self.p.threads[t].dev
        return {"thread": t, "unit": (device, self.unit[t]), "device": device, "system": 0}[stage.per]

    def instances(self, stage):
        return sorted({self.instance(stage, t) for t in self.threads})

    def queue(self, s, t):
        return self.queue_of[s, self.instance(self.d.stages[s], t)]

    def same(self, t, u, scope):
        a, b = self.p.threads[t], self.p.threads[u]
        parts = {"WI": t == u, "SG": (a.dev, a.kr, a.wg, a.sg) == (b.dev, b.kr, b.wg, b.sg),
                 "WG": (a.dev, a.kr, a.wg) == (b.dev, b.kr, b.wg), "KR": (a.dev, a.kr) == (b.dev, b.kr),
                 "DV": a.dev == b.dev, "ALL": True, None: t == u}
        return parts[scope]

    # ---- Who, where and what ----

    def fits(self, match, t, instr, loc, inside):
        if match.kinds and instr.op not in match.kinds or match.tag and match.tag not in instr.tags:
            return False
        if match.order and instr.order != match.order or match.scope and instr.scope != match.scope:
            return False
        if match.by and (match.by[0] in self.p.threads[t].tags) != match.by[1]:
            return False
        if match.at and (loc is None or (match.at[0] in self.p.tags[loc]) != match.at[1]):
            return False
        return match.inside is None or match.inside == inside

    def rule(self, t, pc, loc, inside):
        key = (t, pc, loc, inside)
        if key not in self.matched:
            instr = self.p.threads[t].code[pc]
            found = [ops for match, ops in self.d.rules if self.fits(match, t, instr, loc, inside)]
            self.matched[key] = found[0] if found else ()
        return self.matched[key]

    def skips(self, t, instr, loc, inside):
        return frozenset(s for s, match in self.d.bypasses if self.fits(match, t, instr, loc, inside))

    def next_stage(self, values, s, skips):
        """The first stage behind s that is there and that an entry does not go past; the number of stages: the medium."""
        for following in range(s + 1, len(self.d.stages)):
            when = self.d.stages[following].when
            if following not in skips and (when is None or values[when[0]] == when[1]):
                return following
        return len(self.d.stages)

    # ---- Exploration ----

    def start(self):
        work = Work(self, None)
        return work.frozen()

    def explore(self, most):
        """All states, or None when there are more than `most`."""
        first = self.start()
        seen, waiting = {first}, [first]
        while waiting:
            state = waiting.pop()
            for following in self.steps(state):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
                    if len(seen) > most:
                        return None
        return seen

    def steps(self, state):
        for t in self.threads:
            status = state[0][t][1]
            if status == RUNNING:
                yield from self.attempt(state, lambda work: work.run(t))
            elif status == STALLED:
                yield from self.attempt(state, lambda work: work.resume(t))
        for q, queue in enumerate(state[3]):
            for i, item in enumerate(queue):
                if not isinstance(item, Mark):
                    yield from self.attempt(state, lambda work: work.move(q, i))

    def attempt(self, state, step):
        work = Work(self, state)
        if step(work):
            yield work.frozen()

    # ---- What is seen ----

    def entries_of(self, state):
        for q, queue in enumerate(state[3]):
            for item in queue:
                for entry in (item if self.places[q][0] == self.group else (item,)):
                    if not isinstance(entry, Mark):
                        yield self.places[q][0], entry
        for opened in state[4]:
            for entry in opened:
                yield -1, entry

    def image(self, state):
        """What a crash leaves of each location."""
        image, versions = list(state[2]), {}
        for s, entry in self.entries_of(state):
            versions.setdefault(entry.loc, []).append((entry.rank, s, entry))
        for loc, found in versions.items():
            for _, s, entry in sorted(found, key=lambda version: version[0]):
                if s < self.d.durable or entry.tx:
                    break
                image[loc] = entry.value
        return image

    def may_crash(self, state, points):
        if not points:
            return True
        return any(thread[1] == RUNNING and self.p.threads[t].code[thread[0]].op == "CRASH"
                   for t, thread in enumerate(state[0]))

    def is_final(self, state):
        return all(thread[1] == DONE for thread in state[0]) and not any(True for _ in self.entries_of(state))

    def seen(self, state, memory, columns):
        row = []
        for column in columns:
            if ":" in column:
                t, register = column.split(":")
                number = self.p.threads[int(t)].registers.get(register)
                row.append(state[0][int(t)][2][number] if number is not None else None)
            else:
                row.append(memory[self.p.locations.index(column)])
        return tuple(row)

    def computed(self, state):
        """What a crash finds: a thread has done what it does with its log alone, which is no event."""
        most = 1000 # a loop may have no end
        for t in self.threads:
            while self.computes(state, t) and most > 0:
                work, most = Work(self, state), most - 1
                if not work.run(t):
                    break
                state = work.frozen()
        return state

    def computes(self, state, t):
        work = Work(self, state)
        if not (self.d.redo and self.isolates and state[0][t][1] == RUNNING and state[0][t][4]):
            return False
        instr = work.instr(t)
        if instr.op not in ("LOAD", "STORE", "RMW", "CAS") or work.rule(t):
            return False
        loc = work.location(t, instr)
        return self.p.nvm[loc] and (instr.op == "STORE" or state[7][loc] is not None)

    def answer(self, states, crash_columns, final_columns):
        points = any(instr.op == "CRASH" for thread in self.p.threads for instr in thread.code)
        found = {self.computed(state) for state in states}
        crash = {self.seen(state, self.image(state), crash_columns) for state in found if self.may_crash(state, points)}
        final = {self.seen(state, state[1], final_columns) for state in states if self.is_final(state)}
        return crash, final
