"""ptx_warp.py PROGRAM WORK COUNT SEED: what lanes of a warp give each other, against a warp of its own.

COUNT seeded random kernels of one block, of up to eight threads or just more than a warp. Each lane loads
some registers and knows others; some lanes leave. Then come shfl, vote, match and redux of random masks and
segments, and bar.warp.sync, between instructions that mix registers, at times behind a branch that only the
mask's lanes take; more lanes leave in between, also after bar.sync.
What each means is said below for all lanes at once, by PTX's manual. All registers of all lanes must end as
that gives. Nothing is shared with the reader. A last kernel with a wrong value must be found out, by both
engines.
"""
import os
import random
import shutil
import subprocess
import sys

FULL = (1 << 32) - 1
REGISTERS = 3


def signed(value):
    return value - (1 << 32) if value >> 31 else value


def source(how, lane, b, c):
    """The manual's shfl: the lane, and whether it is in range."""
    segment, clamp = c >> 8 & 31, c & 31
    most, least = lane & segment | clamp & ~segment & 31, lane & segment
    b &= 31
    j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": least | b & ~segment & 31}[how]
    good = j >= most if how == "up" else j <= most
    return (j if good else lane), good


REDUCE = {"add.u32": lambda a, b: a + b & FULL, "add.s32": lambda a, b: a + b & FULL,
          "min.u32": min, "max.u32": max,
          "min.s32": lambda a, b: min(a, b, key=signed), "max.s32": lambda a, b: max(a, b, key=signed),
          "and.b32": lambda a, b: a & b, "or.b32": lambda a, b: a | b, "xor.b32": lambda a, b: a ^ b}


class Warps:
    """The threads of a block, each a list of registers and one truth; None has left."""

    def __init__(self, rng):
        self.rng = rng
        self.size = rng.choice([2, 3, 4, 4, 4, 5, 8]) if rng.random() < 0.96 else 33 + rng.randrange(2)
        self.small = [0, 1, 2, 3, FULL, 1 << 31]
        self.memory = [[self.value() for _ in range(REGISTERS)] for _ in range(self.size)]
        self.state = [list(row) for row in self.memory]
        self.truth = [False] * self.size
        self.lines = ["\tld.global.u32 %%r%d, [%%in+%d];" % (i, 4 * i) for i in range(REGISTERS)]
        self.labels = 0
        if rng.random() < 0.5:
            register, more = rng.randrange(REGISTERS), self.value()
            self.lines.append("\tadd.u32 %%r%d, %%tid, %d;" % (register, more))
            for thread in range(self.size):
                self.state[thread][register] = thread + more & FULL
        if rng.random() < 0.3:
            self.leave()
        for _ in range(rng.randrange(1, 4 if self.size > 8 else 7)):
            rng.choice([self.mix, self.exchange, self.exchange, self.exchange])()
            if rng.random() < 0.1 and len(self.here()) == self.size:
                self.lines.append("\tbar.sync 0;")
            if rng.random() < 0.1:
                self.leave()

    def value(self):
        return self.rng.choice(self.small + [self.rng.getrandbits(32)])

    def here(self):
        return [thread for thread in range(self.size) if self.state[thread]]

    def leave(self):
        """Those above a number; what is left needs no place."""
        first = self.rng.randrange(1, self.size)
        self.lines += ["\tsetp.ge.u32 %%q, %%tid, %d;" % first, "\t@%q bra OVER;"]
        for thread in range(first, self.size):
            self.state[thread] = None

    def mix(self):
        a, b, c = (self.rng.randrange(REGISTERS) for _ in range(3))
        word, apply = self.rng.choice([("add.u32", lambda x, y: x + y & FULL), ("xor.b32", lambda x, y: x ^ y),
                                       ("min.u32", min)])
        self.lines.append("\t%s %%r%d, %%r%d, %%r%d;" % (word, a, b, c))
        for thread in self.here():
            row = self.state[thread]
            row[a] = apply(row[b], row[c])

    def exchange(self):
        """All lanes of the mask come, but for those that have left; the others go by."""
        mask = self.rng.choice([FULL, FULL, 15, 0b0110, 0b1011, self.rng.getrandbits(32)])
        inside = [thread for thread in self.here() if mask >> thread % 32 & 1]
        if not inside:
            return
        guarded = len(inside) < len(self.here())
        made = self.rng.choice([self.shuffle, self.shuffle, self.vote, self.match, self.reduce, self.meet])(mask, inside)
        if not made:
            return
        lines, results = made
        if guarded:
            self.labels += 1
            self.lines += ["\tshr.u32 %%t, %d, %%laneid;" % mask, "\tand.b32 %t, %t, 1;",
                           "\tsetp.eq.u32 %q, %t, 0;", "\t@%%q bra BY%d;" % self.labels]
        self.lines += lines + (["BY%d:" % self.labels] if guarded else [])
        for thread, (register, value, truth) in results.items():
            self.state[thread][register] = value
            if truth is not None:
                self.truth[thread] = truth

    def others(self, thread, inside):
        return [other for other in inside if other // 32 == thread // 32]

    def shuffle(self, mask, inside):
        how, to, of, by = self.rng.choice(["up", "down", "bfly", "idx"]), *(self.rng.randrange(REGISTERS)
                                                                           for _ in range(3))
        c = self.rng.choice([31, 0, 0x1c1f, 0x1e1f, 0x1c00, 0x1c02, self.rng.randrange(1 << 13)])
        known = self.rng.random() < 0.7
        b, lines = self.rng.choice([0, 1, 2, 3, 31, self.rng.randrange(64)]), []
        if not known:
            lines = ["\tand.b32 %%t, %%r%d, 3;" % by]
        results = {}
        for thread in inside:
            lane, good = source(how, thread % 32, b if known else self.state[thread][by] & 3, c)
            other = thread // 32 * 32 + lane
            if other not in inside:
                return None
            results[thread] = to, self.state[other][of], good
        paired = self.rng.random() < 0.5
        lines.append("\tshfl.sync.%s.b32 %%r%d%s, %%r%d, %s, %d, %d;" % (how, to, "|%p" * paired, of,
                                                                       b if known else "%t", c, mask))
        return lines, {thread: (to, value, good if paired else None)
                       for thread, (to, value, good) in results.items()}

    def meet(self, mask, inside):
        return ["\tbar.warp.sync %d;" % mask], {}

    def vote(self, mask, inside):
        to, of, number = self.rng.randrange(REGISTERS), self.rng.randrange(REGISTERS), self.value()
        how, turned = self.rng.choice(["all", "any", "uni", "ballot"]), self.rng.random() < 0.3
        says = {thread: (self.state[thread][of] >= number) != turned for thread in inside}
        results = {}
        for thread in inside:
            row = [says[other] for other in self.others(thread, inside)]
            truth = {"all": all(row), "any": any(row), "uni": len(set(row)) == 1, "ballot": None}[how]
            bits = sum(says[other] << other % 32 for other in self.others(thread, inside))
            results[thread] = to, bits if how == "ballot" else int(truth), None
        lines = ["\tsetp.ge.u32 %%q, %%r%d, %d;" % (of, number)]
        if how == "ballot":
            return lines + ["\tvote.sync.ballot.b32 %%r%d, %s%%q, %d;" % (to, "!" * turned, mask)], results
        return lines + ["\tvote.sync.%s.pred %%q, %s%%q, %d;" % (how, "!" * turned, mask),
                        "\tselp.u32 %%r%d, 1, 0, %%q;" % to], results

    def match(self, mask, inside):
        to, of, every = self.rng.randrange(REGISTERS), self.rng.randrange(REGISTERS), self.rng.random() < 0.5
        paired, results = every and self.rng.random() < 0.5, {}
        for thread in inside:
            others = self.others(thread, inside)
            same = [other for other in others if self.state[other][of] == self.state[thread][of]]
            good = not every or len(same) == len(others)
            results[thread] = to, sum(1 << other % 32 for other in same) * good, good if paired else None
        return ["\tmatch.%s.sync.b32 %%r%d%s, %%r%d, %d;" % ("all" if every else "any", to, "|%p" * paired, of,
                                                            mask)], results

    def reduce(self, mask, inside):
        to, of, word, results = self.rng.randrange(REGISTERS), self.rng.randrange(REGISTERS), \
            self.rng.choice(sorted(REDUCE)), {}
        for thread in inside:
            row = [self.state[other][of] for other in self.others(thread, inside)]
            value = row[0]
            for other in row[1:]:
                value = REDUCE[word](value, other)
            results[thread] = to, value, None
        return ["\tredux.sync.%s %%r%d, %%r%d, %d;" % (word, to, of, mask)], results

    def write(self, folder, title, wrong):
        head = [".version 8.0", ".target sm_80", ".address_size 64",
                ".visible .entry k(.param .u64 in, .param .u64 out)", "{", "\t.reg .pred %p, %q;",
                "\t.reg .b32 %%r<%d>, %%tid, %%t;" % REGISTERS, "\t.reg .b64 %in, %out;",
                "\tld.param.u64 %in, [in];", "\tld.param.u64 %out, [out];", "\tmov.u32 %tid, %tid.x;",
                "\tmad.wide.u32 %%in, %%tid, %d, %%in;" % (4 * REGISTERS),
                "\tmad.wide.u32 %%out, %%tid, %d, %%out;" % (4 * REGISTERS + 4), "\tsetp.ne.u32 %p, %tid, %tid;"]
        tail = ["\tst.global.u32 [%%out+%d], %%r%d;" % (4 * i, i) for i in range(REGISTERS)]
        tail += ["\tselp.u32 %t, 1, 0, %p;", "\tst.global.u32 [%%out+%d], %%t;" % (4 * REGISTERS), "OVER:", "\tret;", "}"]
        with open(os.path.join(folder, title + ".ptx"), "w") as file:
            file.write("\n".join(head + self.lines + tail) + "\n")
        atoms = []
        for thread in self.here():
            row = self.state[thread] + [int(self.truth[thread])]
            atoms += ["out[%d] = %d" % (thread * (REGISTERS + 1) + i, value) for i, value in enumerate(row)]
        if wrong:
            place, value = atoms[-2].split(" = ")
            atoms[-2] = "%s = %d" % (place, int(value) ^ 1)
        values = ", ".join(str(value) for row in self.memory for value in row)
        with open(os.path.join(folder, title + ".litmus"), "w") as file:
            file.write('CUDA %s\ncode "%s.ptx"\n{ uint in[%d] = {%s}; uint out[%d]; }\n' %
                       (title, title, self.size * REGISTERS, values, self.size * (REGISTERS + 1)))
            file.write("host { k<<<1, %d>>>(in, out); }\nforall (%s)\nexpect ptx + gpm : ok\n" %
                       (self.size, " /\\ ".join(atoms)))


def main():
    program, work, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    folder = os.path.join(work, "ptx-warp")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    paths, large = [], set()
    for i in range(count + 1):
        warps = Warps(random.Random(seed * 1000003 + i))
        warps.write(folder, "w%d" % i, i == count)
        paths.append(os.path.join(folder, "w%d.litmus" % i))
        large |= {paths[-1]} if warps.size > 8 else set()
    failed = unknown = 0
    for i in range(0, count, 50):
        batch = paths[i:min(i + 50, count)]
        for engine, some in ("enum", batch), ("smt", [one for one in batch[::5] if one not in large]):
            done = subprocess.run([program, "check", "-e", engine] + some, capture_output=True, text=True)
            odd = [line for line in done.stdout.splitlines() if line.startswith("!")]
            unknown += sum(line.startswith("! unknown ") for line in odd)
            if done.returncode and (done.returncode != 3 or not all(line.startswith("! unknown ") for line in odd)):
                failed += 1
                print(done.stdout[-2000:] + done.stderr[-2000:])
    for engine in "enum", "smt":
        done = subprocess.run([program, "check", "-e", engine, paths[count]], capture_output=True, text=True)
        if done.returncode != 1 or "Violated" not in done.stdout:
            failed += 1
            print("a wrong value is not found out by", engine, done.stdout + done.stderr)
    # Values that are mixed many times may be larger than is looked at.
    if unknown * 10 > count + 10:
        failed += 1
        print("of %d kernels %d are unknown" % (count, unknown))
    print("%d passed, %d failed" % (count - failed, failed))
    return 1 if failed else 0


sys.exit(main())
