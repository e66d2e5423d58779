"""pipeline_draw: seeded random programs with a mechanism's instructions, and random descriptions of machines, for pipeline.py.

A program is drawn from a random.Random alone: work-items in several places, locations and work-items with tags, lines, transactions,
accesses of all kinds, values that depend on reads, branches, crash points. Its crash condition is there to list states; it
sometimes names registers, so that states tell how far their work-items have come.
"""
import re
from collections import namedtuple

# uses: the definition file. fences, flushes, stores, loads: what the mechanism calls them, with room for location and value; SCOPE
# is one of scopes.
# wide: meetings besides the barrier of a work-group. transactions: in how many of ten accesses one is opened. ends: its last mark.
Mechanism = namedtuple("Mechanism", "dialect uses fences flushes stores loads scopes located threads devices lines wide transactions ends")
BEGIN, END, ABORT = "__fence{tx_begin};", "__fence{tx_end};", "__fence{tx_abort};"
BARRIERS = ("barrier(CLK_GLOBAL_MEM_FENCE);",)
STORES = ("*{0} = {1};",) * 4 + ("atomic_store_explicit({0}, {1}, mo_rel, SCOPE);",)
LOADS = ("*{0}", "*{0}", "atomic_load_explicit({0}, mo_acq, SCOPE)")
UPDATES = ("atomic_exchange_explicit({0}, {1}, ORDER, SCOPE)", "atomic_fetch_add_explicit({0}, {1}, ORDER, SCOPE)",
           "atomic_compare_exchange_strong_explicit({0}, 0, {1}, ORDER, mo_rlx, SCOPE)")
SCOPES = ("wg_scope", "dev_scope", "all_scope")
PLAIN = Mechanism("OPENCL", None, (), (), STORES, LOADS, SCOPES, ("",), ("",), 2, False, BARRIERS, 0, (END,) * 6 + (ABORT,))
MECHANISMS = {
    "gpm": PLAIN._replace(
        uses="gpm.def", fences=("gpm_persist();",) * 4 + ("pmem_drain();", "gpm_persist_begin();", "gpm_persist_end();",
                                                          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_sc, all_scope);",
                                                          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_sc, dev_scope);"),
        flushes=("pmem_flush({0});", "pmem_persist({0});"), threads=("", "", "{cpu}"), lines=True),
    "lin": PLAIN._replace(
        uses="lin.def", fences=("sfence();",) * 4 + ("pcommit();", "pcommit();", "l2wb();", "membar();"), flushes=("clwb({0});",),
        stores=STORES + ("st_wt({0}, {1});",) * 3, located=("", "", "{mc0}", "{mc1}", "{host}"), threads=("", "", "", "{cpu}"), lines=True),
    "tx": PLAIN._replace(uses="tx.def", transactions=6),
    "kiln": PLAIN._replace(uses="tx.def", transactions=6, ends=(END,) * 12 + (ABORT,)),
    "sbrp": PLAIN._replace(
        uses="sbrp.def", fences=("oFence();", "oFence();", "dFence();"),
        stores=STORES + ("pRel_block({0}, {1});", "pRel_device({0}, {1});", "pRel_system({0}, {1});"),
        loads=LOADS + ("pAcq_block({0})", "pAcq_device({0})", "pAcq_system({0})")),
    "strand": PLAIN._replace(uses="strand.def", fences=("PersistBarrier();",) * 3 + ("NewStrand();", "NewStrand();", "JoinStrand();")),
    "px86": PLAIN._replace(
        dialect="C", uses="px86.def", fences=("sfence();", "sfence();", "mfence();"),
        flushes=("clwb({0});", "clflush({0});", "clflushopt({0});"), stores=STORES + ("st_nt({0}, {1});",) * 2, devices=1,
        lines=True, wide=()),
    # Of one scope, so that programs do not race.
    "spb": PLAIN._replace(fences=("p_barrier_wi;",), stores=STORES[4:], loads=LOADS[2:], scopes=("dev_scope",), devices=1,
                          wide=BARRIERS + ("p_barrier_wg;", "p_barrier_wg;", "p_barrier_kr;", "p_barrier_dev;")),
    # What a mapping starts from: stores, loads and flags, and nothing that persists them.
    "source": PLAIN,
    # Of machines that are drawn too: random_description has rules for these.
    "drawn": PLAIN._replace(
        fences=("__fence{a};", "__fence{a};", "__fence{b};", "__fence{b};", "__fence{c};", "__fence{mo_sc, all_scope};", "p_barrier_wi;"),
        flushes=("__cm{m}({0});",), stores=STORES + ("__store{s}({0}, {1});", "__store{s}({0}, {1});", "__store{mo_rel, wg}({0}, {1});"),
        loads=LOADS + ("__load{mo_acq, wg}({0})",), located=("", "", "{host}"), threads=("", "", "{cpu}"), lines=True, transactions=4,
        wide=BARRIERS + ("p_barrier_wg;",)),
}


def filled(template, *operands):
    """A template has {0} and {1} for operands; other braces are its own."""
    for number, operand in enumerate(operands):
        template = template.replace("{%d}" % number, str(operand))
    return template


class Program:
    """One program while it is drawn."""

    def __init__(self, rng, mechanism, meets_inside):
        self.rng, self.m, self.meets_inside = rng, mechanism, meets_inside
        self.count = rng.choice((1, 2, 2, 2, 2, 3))
        self.locations = ["x", "y", "z"][:rng.choice((2, 2, 3))]
        self.flags = ["f"] if rng.random() < 0.6 else []
        self.value, self.registers = 0, [[] for _ in range(self.count)]
        self.places = self.draw_places()
        self.points = rng.random() < 0.1
        self.body = self.draw_rounds()

    def draw_places(self):
        """Of each work-item (device, kernel, work-group)."""
        same = self.rng.random() < 0.5
        return [(0, 0, 0) if same or self.m.devices == 1 and self.m.dialect == "C" else
                (self.rng.choice((0, 0, 0, self.m.devices - 1)), 0, self.rng.choice((0, 0, 1))) for _ in range(self.count)]

    def number(self):
        self.value += 1
        return self.value

    def operand(self, t):
        """A number of its own, or what the work-item has read."""
        known = self.registers[t]
        if known and self.rng.random() < 0.4:
            return self.rng.choice((self.rng.choice(known), "%s + %d" % (self.rng.choice(known), self.number() * 10)))
        return self.number()

    def load(self, t):
        loc = self.rng.choice(self.locations + self.flags)
        name = "r%d" % len(self.registers[t])
        text = "int %s = %s;" % (name, self.formed(self.m.loads, loc))
        self.registers[t].append(name)
        return text

    def formed(self, templates, *operands):
        return filled(self.rng.choice(templates).replace("SCOPE", self.rng.choice(self.m.scopes)), *operands)

    def update(self, t):
        loc, name = self.rng.choice(self.locations + self.flags), "r%d" % len(self.registers[t])
        operand = self.operand(t)
        self.registers[t].append(name)
        order = self.rng.choice(("mo_rlx", "mo_acq_rel", "mo_sc"))
        return "int %s = %s;" % (name, self.formed(UPDATES, loc, operand).replace("ORDER", order))

    def store(self, t):
        loc = self.rng.choice(self.locations + self.flags * (self.rng.random() < 0.5))
        return loc, self.formed(self.m.stores, loc, self.operand(t))

    def phrase(self, t):
        """A store and what may persist it, or anything else."""
        kind = self.rng.random()
        if kind < 0.5:
            loc, store = self.store(t)
            behind = []
            if self.m.flushes and self.rng.random() < 0.5:
                behind.append(filled(self.rng.choice(self.m.flushes), loc))
            if self.m.fences and self.rng.random() < 0.6:
                behind.append(self.rng.choice(self.m.fences))
            return [store] + behind
        if kind < 0.7:
            return [self.load(t)]
        if kind < 0.78:
            return [self.update(t)]
        if kind < 0.9 and self.m.fences:
            return [self.rng.choice(self.m.fences)]
        if kind < 0.95 and self.m.flushes:
            return [filled(self.rng.choice(self.m.flushes), self.rng.choice(self.locations))]
        return [self.store(t)[1]]

    def transaction(self, t):
        inside = [line for _ in range(self.rng.choice((1, 2, 2, 3))) for line in self.phrase(t)]
        return [BEGIN] + inside + [self.rng.choice(self.m.ends)]

    def branch(self, t):
        return ["if (%s) {" % self.rng.choice(self.registers[t])] + ["  " + line for line in self.phrase(t)] + ["}"]

    def stretch(self, t, length):
        lines = []
        while len(lines) < length:
            if self.m.transactions > self.rng.randrange(10):
                lines += self.transaction(t)
            elif self.registers[t] and self.rng.random() < 0.12:
                known = list(self.registers[t])
                lines += self.branch(t)
                self.registers[t] = known  # what a branch declares is its own
            else:
                lines += self.phrase(t)
            if self.points and self.rng.random() < 0.4:
                lines.append("crash;")
        return lines

    def draw_rounds(self):
        """All work-items that share a place meet between rounds; where `meets_inside`, some in transactions."""
        rounds = self.rng.choice((1, 1, 2)) if self.count > 1 and self.m.wide and len(set(self.places)) == 1 else 1
        body = [[] for _ in range(self.count)]
        for number in range(rounds):
            meeting = self.rng.choice(self.m.wide) if number else None
            spans = bool(meeting) and self.meets_inside and self.m.transactions > self.rng.randrange(10)
            for t in range(self.count):
                body[t] += [BEGIN, self.store(t)[1]] * spans + [meeting] * bool(meeting) + [END] * spans
                body[t] += self.stretch(t, self.rng.choice((1, 2, 3) if self.count < 3 else (1, 1, 2)))
        for t in range(self.count):
            body[t].append(self.store(t)[1])
        if self.points:
            body[0].append("crash;")
        return body

    def initial(self):
        host = self.m.located
        entries = ["nvm%s atomic_int %s = 0;" % (self.rng.choice(host), x) for x in self.locations]
        entries += ["%satomic_int %s = 0;" % (self.rng.choice(("", "", "nvm ")), f) for f in self.flags]
        if self.m.lines and self.rng.random() < 0.4:
            entries.append("line {x, y};")
        return "{ %s }" % " ".join(entries)

    def named(self):
        return ["%d:%s" % (t, r) for t in range(self.count) for r in self.registers[t]]

    def conditions(self):
        """One or two that ask for a part of what there is, so that reductions may leave out the rest when they are decided."""
        rows = []
        for _ in range(self.rng.choice((1, 1, 2))):
            final = self.rng.random() < 0.3
            places = self.rng.sample(self.locations + self.flags * final, self.rng.choice((1, 1, 2))) + self.named()[:self.rng.random() < 0.2]
            atoms = ["%s(%s = %d)" % (self.rng.choice(("", "~")), self.rng.choice(places), self.rng.randrange(8)) for _ in range(self.rng.choice((1, 2, 2)))]
            rows.append("%s %s (%s)" % ("final" if final else "crash", self.rng.choice(("exists", "~exists", "forall")),
                                        self.rng.choice((" /\\ ", " \\/ ")).join(atoms)))
        return rows

    def text(self, title, conditions=None):
        rows = ["%s %s" % (self.m.dialect, title)] + (['uses "%s"' % self.m.uses] if self.m.uses else []) + [self.initial()]
        kind = "global atomic_int*" if self.m.dialect == "OPENCL" else "atomic_int*"
        parameters = ", ".join("%s %s" % (kind, x) for x in self.locations + self.flags)
        for t, lines in enumerate(self.body):
            dev, kr, wg = self.places[t]
            rows.append("P%d%s@wg %d, kr %d, dev %d (%s) {" % (t, self.rng.choice(self.m.threads), wg, kr, dev, parameters))
            rows += ["  " + line for line in lines] + ["}"]
        if conditions:
            return "\n".join(rows + conditions) + "\n"
        registers = self.named()
        if registers:
            rows.append("locations [%s]" % "; ".join(registers))
        crash = "%s = 1" % self.rng.choice(registers) if registers and self.rng.random() < 0.3 else "true"
        return "\n".join(rows + ["final exists (true)", "crash exists (%s)" % crash]) + "\n"


def program(rng, mechanism, title):
    """To be held to a model, which has no execution in which isolated transactions overlap, as those do that meet."""
    return Program(rng, MECHANISMS[mechanism], False).text(title)


def program_asked(rng, mechanism, title):
    """A program with conditions that do not ask for all."""
    drawn = Program(rng, MECHANISMS[mechanism], True)
    return drawn.text(title, drawn.conditions())


# ---- Descriptions of machines ----

PERS = ("thread", "unit", "device", "system")


class Machine:
    """A description for programs of "drawn", statement by statement."""

    def __init__(self, rng):
        self.rng = rng
        self.stages = ["A", "B", "C"][:rng.choice((0, 1, 1, 2, 2, 2, 3))]
        self.durable = rng.randint(0, len(self.stages))
        self.pers = sorted(rng.choices(PERS, k=len(self.stages)), key=PERS.index)
        self.orders = [rng.choice(("any", "any", "fifo", "marks", "marks")) for _ in self.stages]
        self.switched = rng.choice(self.stages) if self.stages and rng.random() < 0.25 else None
        self.transactional = rng.random() < 0.6
        self.group = self.transactional and self.stages and rng.random() < 0.4
        if self.group and rng.random() < 0.6:
            self.durable = len(self.stages)  # where a set that is torn shows
        if self.group and self.orders[0] == "marks":
            self.orders[0] = "fifo"

    def chance(self, likely):
        return self.rng.random() < likely

    def stage(self, s):
        words = ["stage", self.stages[s], "per", self.pers[s], "order", self.orders[s]]
        group = self.group and s == 0
        words += ["merge"] if self.chance(0.4) and not group else []
        words += ["group"] if group else []
        words += ["hold"] if self.transactional and self.chance(0.5) else []
        words += ["apart"] if s == self.durable - 1 == len(self.stages) - 1 and self.chance(0.4) else []
        words += ["lines"] if self.chance(0.2) and not group else []
        words += ["joint"] if self.transactional and self.chance(0.4) and not group else []
        words += ["when v = %s" % self.rng.choice(("on", "off"))] if self.switched == self.stages[s] else []
        return " ".join(words)

    def bypass(self, stage):
        match = self.rng.choice(("by cpu", "not by cpu", "at host", "not at host", "s", "rmw", "store rel wg", "outside", "inside by cpu"))
        return "bypass %s %s" % (stage, match)

    def take(self):
        """What a rule may do to entries."""
        stage = self.rng.choice(self.stages)
        which = self.rng.choice(("own", "own", "own", "all", "unit", "strand"))
        kind = self.rng.choice(("drain", "drain", "move"))
        return "%s %s %s%s" % (kind, which, stage, self.past(stage))

    def past(self, stage):
        """Which stage entries have to have left, besides."""
        later = self.stages[self.stages.index(stage) + 1:]
        return " past %s" % self.rng.choice(later) if later and self.chance(0.3) else ""

    def wait(self):
        return self.rng.choice(("await", "await", "await", "await wg", "await sg", "await all"))

    def marks(self):
        stages = [stage for stage, order in zip(self.stages, self.orders) if order == "marks"]
        return ["mark %s %s" % (self.rng.choice(("own", "own", "strand", "unit", "all")), self.rng.choice(stages))] if stages else []

    def touch(self, writes):
        """What an access does: to go behind what others have stored to its line, or what a fence does."""
        stages = [stage for stage, order in zip(self.stages, self.orders) if order == "marks"]
        if self.chance(0.4):
            return self.behind(writes)
        return "mark x %s" % self.rng.choice(stages) if stages and self.chance(0.6) else self.rule()

    def behind(self, writes):
        """Before the access, and behind it."""
        here = "%s %s %s" % (self.rng.choice(("drain", "drain", "move")), self.rng.choice(("x", "here")), self.rng.choice(self.stages))
        before = self.rng.choice([[]] * 3 + [[self.take(), self.wait()], self.marks()] + [["through"]] * 3 * writes)
        after = [[self.wait()], [here, self.wait()], [self.take(), self.wait()], [self.take(), self.wait()] + self.marks(),
                 [here, self.wait(), self.take(), self.wait()], [here], ["strand"]]
        return " ; ".join(before + ["access"] + self.rng.choice(after + [self.marks()] * bool(self.marks())))

    def rule(self):
        """A fence's, or a tagged store's."""
        if not self.stages:
            return ""
        choices = [[self.wait()], ["strand"]]
        choices += [[self.take(), self.wait()]] * 4 + [[self.take()], [self.take(), self.take(), self.wait()]]
        choices += [self.marks()] * 4 + [self.marks() + [self.wait()]]
        operations = self.rng.choice([choice for choice in choices if choice])
        if self.switched and self.chance(0.3):
            operations = operations + ["set v = %s" % self.rng.choice(("on", "off"))]
        return " ; ".join(operations)

    def ends(self):
        """What the marks of a transaction do."""
        if not self.transactional:
            return []
        wait = ["%s own %s" % (self.rng.choice(("drain", "move")), self.rng.choice(self.stages)), "await"] if self.stages else []
        if self.group:
            end = ["enqueue"] + (wait if self.chance(0.5) else [])
        else:
            end = self.rng.choice((["commit"], wait + ["commit"], ["commit"] + wait))
        isolated = self.chance(0.4)
        release = ["release"] if isolated else []
        redo = ["redo"] if isolated and self.chance(0.6) else []
        isolate = [self.rng.choice(("isolate", "isolate", "isolate aborts"))] if isolated else []
        return isolate + redo + ["on tx_begin : begin", "on tx_end : " + " ; ".join(end + release),
                                 "on tx_abort : " + " ; ".join(["abort"] + release)]

    def flush(self):
        stage = self.rng.choice(self.stages)
        return "%s %s %s%s%s" % (self.rng.choice(("move", "drain")), self.rng.choice(("x", "x", "here")), stage, self.past(stage),
                                 self.rng.choice(("", " ; await")))

    def meeting(self):
        scoped = self.rng.choice(("drain scope %s" % self.rng.choice(self.stages), self.take()))
        ends = self.transactional and self.chance(0.4)
        return " ; ".join(["meet"] * self.chance(0.8) + [scoped, "await"] + ["enqueue" if self.group else "commit"] * ends)

    def statements(self):
        """Bypasses, views and rules."""
        rows = [self.bypass(stage) for stage in self.stages if self.chance(0.4)]
        if self.chance(0.3):
            rows.append("view %s %s" % (self.rng.choice(self.stages[1:] + ["medium"]), self.rng.choice(("by cpu", "not by cpu", "load acq"))))
        rows += self.ends() + ["on m : " + self.flush()]
        rows += ["on a by cpu : " + self.rule()] * self.chance(0.2) + ["on %s : %s" % (tag, self.rule()) for tag in "abc"]
        rows += ["on fence sc all : " + self.rule()] * self.chance(0.6)
        rows += ["on s : " + self.rng.choice(("through", "through", self.touch(True), self.behind(True)))] * self.chance(0.8)
        rows += ["on %s : %s" % (match, self.touch("load" not in match)) for match in ("store rel wg", "load acq wg", "load", "rmw") if self.chance(0.4)]
        rows += ["on barrier : " + self.rule()] * self.chance(0.3)
        return rows + ["on p_barrier : " + self.meeting()] * self.chance(0.6)

    def completed(self, rows):
        """A file in which something is never used, or not there, is refused: what is wanted is put into one rule."""
        text, wanted = "\n".join(rows), []
        wanted += ["mark own %s" % stage for stage, order in zip(self.stages, self.orders)
                   if order == "marks" and not re.search(r"mark \w+ %s" % stage, text)]
        wanted += ["strand"] if re.search(r"(mark|move|drain) strand", text) and not re.search(r"[:;] strand", text) else []
        owing = re.search(r"[:;] (drain|move|through)", text)
        wanted += ["drain own %s" % self.stages[0]] if "await" in text and not owing else []
        wanted += ["await"] if owing and not re.search(r"[:;] (await|meet)", text) else []
        wanted += ["set v = off"] if self.switched and "set v = off" not in text else []
        return [" ; ".join([row] + wanted) if row.startswith("on c :") else row for row in rows]

    def text(self):
        rows = ["# drawn", "machine = pipeline", "promises = sc + none", "entries = %d" % self.rng.choice((2, 3, 16, 16, 16, 16)),
                "units = %d" % self.rng.choice((1, 2, 2))]
        rows += ["variable v = on | off"] if self.switched else []
        for s in range(len(self.stages)):
            rows += ["durable"] if s == self.durable else []
            rows.append(self.stage(s))
        rows += ["durable"] if self.durable == len(self.stages) else []
        without = self.ends() + ["on %s :" % tag for tag in "abcm"]
        return "\n".join(rows + (self.completed(self.statements()) if self.stages else without)) + "\n"


def machine(rng):
    return Machine(rng).text()
