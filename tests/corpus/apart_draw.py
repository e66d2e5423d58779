"""apart_draw.py FOLDER COUNT SEED: seeded random programs of which a part concerns nobody else, for reduce.sh.

One or two work-items access what the conditions name. Bystanders, in work-groups of their own, write and persist what is theirs alone, and
some wait for what the others tell, or tell them something, before or after. So the entries and markers of all go through the same FIFOs,
and a machine that leaves the bystanders out has to see when it may. Some are of the work-group of those that are asked about, and meet nobody;
some access by atomics what is theirs, some of these at device scope, which concerns others; some spin, or divide by what they read. A barrier of a
whole kernel is another kernel's own.
"""
import os
import random
import sys

ASKED, FLAG = ("x", "y"), "f"


class Draw:
    def __init__(self, rng):
        self.rng, self.count = rng, 0
        self.registers, self.points = [], rng.random() < 0.15
        self.asked, self.shown = rng.choice((1, 2, 2, 2)), rng.random() < 0.15
        self.values = {"x": set(), "y": set()}
        self.kinds = {"x": "nvm int", "y": "nvm int", "f": "atomic_int"}
        if self.rng.random() < 0.4:
            self.kinds[self.rng.choice(ASKED)] = "nvm atomic_int"

    def chance(self, likely):
        return self.rng.random() < likely

    def fresh(self):
        self.count += 1
        return self.count

    def load(self, text):
        name = "r%d" % self.fresh()
        return name, "int %s = %s;" % (name, text)

    def store(self, own, value=None):
        place = self.rng.choice(own)
        number = value or self.fresh()
        if place in self.values and number != value:
            self.values[place].add(number)
        if "atomic" in self.kinds.get(place, ""):
            return "%s.store(%s, %s);" % (place, number, self.rng.choice(("mo_rlx, wg_scope", "mo_rlx, dev_scope", "mo_rel, dev_scope")))
        return "*%s = %s;" % (place, number)

    def read(self, place):
        if "atomic" in self.kinds.get(place, ""):
            return self.load("%s.load(%s)" % (place, self.rng.choice(("mo_rlx, wg_scope", "mo_rlx, dev_scope", "mo_acq, dev_scope"))))
        return self.load("*%s" % place)

    def tell(self):
        return "atomic_store_explicit(f, %d, %s);" % (self.rng.choice((1, 1, 2)), self.rng.choice(("mo_rel, dev_scope", "mo_rlx, dev_scope", "mo_rlx, wg_scope")))

    def hear(self):
        return self.load("atomic_load_explicit(f, %s)" % self.rng.choice(("mo_acq, dev_scope", "mo_rlx, dev_scope", "mo_rlx, wg_scope")))

    def persist(self, alone):
        return "p_barrier_wg;" if alone and self.chance(0.3) else "p_barrier_wi;"

    def main(self, number, own, length, alone):
        """Of those that are asked about. `own`: what it may write."""
        lines, known = [], None
        for _ in range(length):
            kind = self.rng.random()
            if kind < 0.4:
                store = self.store(own, known if known and self.chance(0.3) else None)
                lines.append("if (%s) { %s }" % (known, store) if known and self.chance(0.4) else store)
            elif kind < 0.6:
                lines.append(self.persist(alone))
            elif kind < 0.75:
                known, text = self.read(self.rng.choice(ASKED)) if self.chance(0.6) else self.hear()
                self.registers.append("%d:%s" % (number, known))
                lines.append(text)
            else:
                lines.append(self.tell() if self.chance(0.6) else self.store(own))
            if self.points and self.chance(0.4):
                lines.append("crash;")
        return lines

    def bystander(self, number, alone, short):
        own = ["p%d" % number, "q%d" % number][:self.rng.choice((1, 2))]
        lines, known = [], None
        self.kinds.update({name: self.rng.choice(("nvm int", "nvm int", "nvm int", "int")) for name in own})
        if self.chance(0.3):
            return self.odd(own)
        if self.chance(0.3):
            known, text = self.hear()
            lines.append(text)
        for _ in range(self.rng.choice((1, 2, 2, 3))):
            kind = self.rng.random()
            if kind < 0.4:
                lines.append(self.store(own))
            elif kind < 0.85:
                lines.append(self.persist(alone))
            elif kind < 0.92:
                lines.append(self.read(self.rng.choice(own + ["x"] * self.chance(0.2)))[1])
            else:
                lines.append(self.store(own + ["y"] * self.chance(0.2), known))
        if self.chance(0.15):
            lines.insert(self.rng.randrange(len(lines) + 1), self.tell())
        if self.points and self.chance(0.3):
            lines.insert(self.rng.randrange(len(lines) + 1), "crash;")
        return lines

    def odd(self, own):
        """A bystander that is one by a little, or is none by a little."""
        place = own[0]
        self.kinds[place] = self.kinds[place].replace("int", "atomic_int")
        scope = self.rng.choice(("wg_scope", "wg_scope", "dev_scope"))
        name, text = self.load("%s.fetch_add(1, %s, %s)" % (place, self.rng.choice(("mo_rlx", "mo_rel", "mo_acq")), scope))
        lines = [text] + [self.persist(True) for _ in range(self.rng.choice((0, 1, 1)))]
        kind = self.rng.random()
        if kind < 0.3:
            lines.append("%s.store(%d / %s, mo_rlx, wg_scope);" % (place, self.fresh(), name))
        elif kind < 0.5:
            lines.append("while (%s.load(mo_rlx, wg_scope) == %d);" % (place, self.rng.choice((0, 1))))
        elif kind < 0.7:
            lines.append("atomic_work_item_fence(%s, %s);" % (self.rng.choice(("mo_rel", "mo_acq")), self.rng.choice(("wg_scope", "dev_scope"))))
        else:
            lines.append("if (%s) { %s }" % (name, self.store(own)))
        return lines

    def meet(self, first, second):
        """Two of one work-group, at the same barriers."""
        for _ in range(self.rng.choice((1, 1, 2))):
            barrier = self.rng.choice(("sync_barrier_wg;", "p_barrier_wg;", "p_barrier_wg;"))
            for lines in first, second:
                lines.insert(self.rng.randrange(len(lines) + 1), barrier)
        return [first, second]

    def groups(self):
        """Lists of work-items' lines, by work-group."""
        mains, groups = self.rng.choice((1, 1, 2)), []
        apart = self.chance(0.6)
        for number in range(mains):
            own = ASKED[number:number + 1] if apart and mains > 1 else ASKED
            groups.append([self.main(number, own, self.rng.choice((1, 2, 2, 3, 4) if mains == 1 else (1, 2, 2, 3)), True)])
        others = self.rng.choice((1, 1, 2)) if mains == 1 else 1
        for number in range(mains, mains + others):
            if mains == 1 and others == 1 and self.chance(0.3):
                groups.append(self.meet(self.bystander(1, False, True), self.bystander(2, False, True)))
            else:
                groups.append([self.bystander(number, True, mains + others > 2)])
        if mains == 1 and others == 1 and len(groups[1]) == 1 and self.chance(0.3):
            groups = [self.meet(groups[0][0], groups[1][0])]  # one that is met is no bystander
        elif len(groups) > 1 and len(groups[-1]) == 1 and self.chance(0.35):
            groups[mains - 1].append(groups.pop()[0])
        return groups, self.kernels(groups, mains)

    def kernels(self, groups, mains):
        """By work-group. Those who are asked about may meet all of their kernel, where nobody else is."""
        if self.chance(0.75) or any(len(items) > 1 for items in groups[:mains]):
            return [0] * len(groups)
        for items in groups[:mains]:
            items[0].insert(self.rng.randrange(len(items[0]) + 1), "p_barrier_kr;")
        return [0] * mains + [1] * (len(groups) - mains)

    def conditions(self):
        """Several, mostly of whole states, so that hardly anything is shown that none of them tells."""
        rows = []
        for _ in range(8):
            final, all_ = self.chance(0.1), self.chance(0.1)
            places = list(ASKED[:self.asked]) + self.registers[:self.shown] + ["f"] * final
            atoms = ["%s = %d" % (place, self.rng.choice([0, 0] + sorted(self.values.get(place) or range(1, 4)))) for place in places]
            rows.append("%s %s (%s)" % ("final" if final else "crash", "forall" if all_ else "exists", (" \\/ not " if all_ else " /\\ ").join(atoms)))
        return sorted(set(rows))

    def text(self, title):
        groups, kernels = self.groups()
        order = list(range(len(groups)))
        shuffled = self.rng.sample(order, len(order))  # the numbers of groups; units are given in the order of work-items
        rows, number = [], 0
        for group, kernel, items in zip(shuffled, kernels, groups):
            for lines in items:
                parameters = ", ".join("global %s* %s" % (kind.replace("nvm ", ""), name) for name, kind in self.kinds.items())
                rows += ["P%d@wg %d, kr %d (%s) {" % (number, group, kernel, parameters)] + ["  " + line for line in lines] + ["}"]
                number += 1
        memory = "{ %s }" % " ".join("%s %s = 0;" % (kind.replace("nvm int", "nvm"), name) for name, kind in self.kinds.items())
        return "\n".join(["OPENCL " + title, memory] + rows + self.conditions()) + "\n"


def main(folder, count, seed):
    os.makedirs(folder, exist_ok=True)
    for number in range(int(count)):
        title = "apart-%s-%d" % (seed, number)
        with open(os.path.join(folder, title + ".litmus"), "w") as file:
            file.write(Draw(random.Random(title)).text(title))


if __name__ == "__main__":
    main(*sys.argv[1:])
