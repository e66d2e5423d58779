"""mappings_draw: seeded random source programs for mappings, for mappings_judge.py.

A program is drawn from a random.Random alone, in the form that a scheme's pragma covers: plain stores, epochs or loops that end in a
persist barrier, kernels between which the host waits, or stores between instructions of a mechanism. Values depend on what was read,
stores stand in branches, and locations may share a line.
"""
LOCATIONS = ("x", "y", "z")
PARAMETERS = ", ".join("global int* %s" % name for name in LOCATIONS + ("a",))
INSTRUCTIONS = {"spb": ("p_barrier_wi();",), "gpm": ("gpm_persist();",), "sbrp": ("oFence();", "dFence();"),
                "lin": ("clwb({0});", "clwb({0});", "sfence();", "sfence();", "pcommit();", "l2wb();",
                        "clwb({0}); sfence(); pcommit(); sfence();")}


class Source:
    """One program while it is drawn."""

    def __init__(self, rng, form, pragma, items):
        self.rng, self.form, self.pragma, self.items = rng, form, pragma, items
        self.count = 1 if items == "one" else rng.choice((2, 2, 2, 3))
        self.value = 0
        self.known = []  # registers of the work-item at hand
        self.registers = 0

    def store(self, counter):
        self.value += 1
        place = "a[%s]" % counter if counter and self.rng.random() < 0.3 else "*" + self.rng.choice(LOCATIONS)
        value = str(self.value)
        if self.known and self.rng.random() < 0.6:
            value = self.rng.choice(self.known) + " * 10 + " + value
        elif counter and self.rng.random() < 0.5:
            value = "%s * 10 + %s" % (counter, value)
        return "%s = %s;" % (place, value)

    def load(self):
        name = "r%d" % self.registers
        self.registers += 1
        self.known.append(name)
        return "int %s = *%s;" % (name, self.rng.choice(LOCATIONS))

    def statement(self, counter=None):
        kind = self.rng.random()
        if kind < 0.3 and (self.count > 1 or kind < 0.1):
            return self.load()
        if kind < 0.42 and self.known and not counter:
            return "if (%s) { %s }" % (self.rng.choice(self.known), self.store(None))
        if kind > 0.6 and self.form in INSTRUCTIONS:
            return self.rng.choice(INSTRUCTIONS[self.form]).format(self.rng.choice(LOCATIONS))
        return self.store(counter)

    def some(self, most, counter=None):
        return [self.statement(counter) for _ in range(self.rng.randint(1, most))]

    def head(self, scope=None):
        words = "#pragma %s" % self.pragma + (" scope=%d" % scope if scope else "")
        return [words] if self.pragma else []

    def plain(self):
        return self.head() + [self.store(None)] + self.some(2 if self.count > 1 else 4) + [self.store(None)]

    def epochs(self):
        rows = []
        for _ in range(self.rng.choice((1, 2) if self.count > 1 else (2, 3))):
            rows += self.head() + self.some(2) + ["p_barrier_wi();"]
        return rows + ["#pragma gpu_pm end"] + self.some(1) + [self.store(None)]

    def loop(self, iterations, scope):
        """A loop, and what relies on it. What its body has read is its own."""
        known = list(self.known)
        body = self.some(1 if self.count > 1 else 2, "i") + ["p_barrier_wi();" if scope == 1 else "if (i %% %d == %d) p_barrier_wi();" % (scope, scope - 1)]
        self.known = known
        rows = self.head(scope) + ["for (int i = 0; i < %d; i++) {" % iterations] + ["  " + row for row in body] + ["}"]
        return rows + [self.store(None)]

    def work_item(self, shape):
        self.known = []
        if self.form == "loops":
            return [self.load()] + self.loop(*shape)
        return self.epochs() if self.form == "epochs" else self.plain()

    def work_items(self):
        shape = self.rng.choice(((1, 1), (2, 1), (2, 2)) if self.count > 1 else ((2, 1), (3, 1), (2, 2), (3, 2), (4, 2)))
        together = self.form == "loops" and self.items == "several"
        for t in range(self.count):
            yield "P%d@sg %d, wg %d" % (t, t, 0 if together else t), PARAMETERS, self.work_item(shape)

    def kernels(self):
        """The host launches kernels, an epoch of some of them at a time. Each ends in a persist barrier."""
        kernels, scope = self.rng.choice((2, 2, 3)), self.rng.choice((1, 1, 2))
        host, open_ = self.head(scope), []
        for kernel in range(1, kernels + 1):
            host.append("launch %d;" % kernel)
            open_.append(kernel)
            if kernel % scope == 0 or kernel == kernels:
                host += ["join %d;" % one for one in open_]
                open_ = []
        yield "P0{cpu}@kr 0", "", host
        number = 1
        for kernel in range(1, kernels + 1):
            for item in range(1 if self.items == "one" or kernels > 2 else 2):
                self.known = []
                yield "P%d@kr %d, wg %d" % (number, kernel, item), PARAMETERS, [self.store(None)] + self.some(1) + ["p_barrier_wi();"]
                number += 1

    def text(self, title):
        rows = ["OPENCL " + title]
        rows += ['uses "%s.def"' % self.form] if self.form in INSTRUCTIONS and self.form != "spb" else []
        line = " line {x, y};" if self.rng.random() < 0.3 else ""
        rows.append("{ %snvm a[4];%s }" % ("".join("nvm %s = 0; " % x for x in LOCATIONS), line))
        for name, parameters, body in self.kernels() if self.form == "kernels" else self.work_items():
            rows += ["%s (%s) {" % (name, parameters)] + ["  " + row for row in body] + ["}"]
        return "\n".join(rows + ["crash exists (x = 0)"]) + "\n"


def source(rng, form, pragma, items, title):
    return Source(rng, form, pragma, items).text(title)
