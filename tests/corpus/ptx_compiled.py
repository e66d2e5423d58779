"""ptx_compiled.py PROGRAM WORK COUNT SEED [COMPILER..]: what compiled kernels compute, against a processor.

COUNT seeded random kernels of one thread, in C: variables of 8 to 64 bits that are loaded or known, arithmetic,
shifts, comparisons, branches, switches, loops, arrays and structures of the thread, calls. A compiler makes PTX of
them, at a level of optimisation that is drawn, and gcc a program of this machine. What that prints is what each run
of the kernel must end with. So nothing is shared with the reader, and no rule about PTX is written here.
COMPILER is clang, nvcc or both; clang alone without a word. A last kernel with a wrong value must be found out.
No operation is left undefined by C: what is signed is computed unsigned, counts of shifts are masked, divisors odd.
What is refused by name, and what is larger than is looked at, is counted for itself; of all kernels at least nine of
ten must be read. So is a wrong value of which clang 14 is known: of `(long long)a >> 63`, cut to 32
bits, it makes a field that goes on past the last bit (`bfe.u64 .., 63, 32`), where C has the sign and PTX 0.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

TYPES = {"unsigned char": "uchar", "signed char": "char", "unsigned short": "ushort", "short": "short",
         "unsigned": "uint", "int": "int", "unsigned long long": "ulong", "long long": "long"}
SIGNED = [name for name in TYPES if name in ("signed char", "short", "int", "long long")]
BITS = {"unsigned char": 8, "signed char": 8, "unsigned short": 16, "short": 16, "unsigned": 32, "int": 32,
        "unsigned long long": 64, "long long": 64}
WIDE = {32: "unsigned", 64: "unsigned long long"}
EDGES = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 127, 128, 255, 256, 65535, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 63) - 1]
VARIABLES = 6
KERNELS = 8  # of a file
VERBOSE = "VERBOSE" in os.environ  # shows what is refused
FIELD = re.compile(r"bfe\.u(\d+)\s[^;]*, (\d+), (\d+);")
BUILDS = {"clang": [["-O0"], ["-O1"], ["-O2"], ["-O3"]],
          "nvcc": [[], ["-lineinfo"], ["-G"], ["-Xcicc", "-O1"], ["-Xcicc", "-O0"], ["-arch=sm_90"]]}
PROLOGUE = """#if defined(__CUDACC__) || defined(__CUDA__)
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#endif
#define KERNEL extern "C" __global__
#define PART static __device__
#define FAR static __device__ __attribute__((noinline))
#else
#define KERNEL
#define PART static
#define FAR static
#endif
struct pair { unsigned long long wide; unsigned whole; short half; signed char small; };
"""


def value_of(rng, kind):
    value = rng.choice(EDGES + [rng.getrandbits(64)])
    value = (value if rng.random() < 0.6 else -value) & ((1 << BITS[kind]) - 1)
    return value - (1 << BITS[kind]) if kind in SIGNED and value >> (BITS[kind] - 1) else value


def literal(value, kind):
    """C's text of the value, whose least has no literal of its own."""
    return "((%s)%dull)" % (kind, value & ((1 << 64) - 1))


class Kernel:
    """A kernel's text in C, the values that it loads, and where its results are."""

    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.kinds = [rng.choice(list(TYPES)) for _ in range(VARIABLES)]
        self.loaded = [rng.random() < 0.6 for _ in range(VARIABLES)]
        self.values = [value_of(rng, kind) for kind in self.kinds]
        self.loops = 0
        self.helper = self.help()
        body = "".join("  %s\n" % self.statement(3) for _ in range(rng.randint(3, 9)))
        self.text = self.helper + self.kernel(body)

    def variable(self):
        return self.rng.randrange(VARIABLES)

    def operand(self, names):
        if self.rng.random() < 0.25:
            kind = self.rng.choice(list(TYPES))
            return literal(value_of(self.rng, kind), kind)
        return self.rng.choice(names)

    def expression(self, names, depth=2):
        """Of a type of 32 or 64 bits."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.operand(names)
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        wide = WIDE[rng.choice([32, 64])]
        signed = "int" if wide == "unsigned" else "long long"
        last = 31 if wide == "unsigned" else 63
        return rng.choice([
            "((%s)%s %s (%s)%s)" % (wide, a, rng.choice("+-*&|^"), wide, b),
            "((%s)%s %s (%s)%s)" % (wide, a, rng.choice("+-*&|^"), wide, b),
            "((%s)((%s)%s %s (%s)%s))" % (signed, wide, a, rng.choice("+-*"), wide, b),
            "((%s)%s %s ((%s)%s & %d))" % (wide, a, rng.choice(["<<", ">>"]), wide, b, last),
            "((%s)%s >> ((%s)%s & %d))" % (signed, a, wide, b, last),
            "((%s)%s %s ((%s)%s | 1))" % (wide, a, rng.choice("/%"), wide, b),
            "((%s)%s %s (((%s)%s & 1023) | 1))" % (signed, a, rng.choice("/%"), signed, b),
            "((%s)%s %s (%s)%s)" % (rng.choice([wide, signed]), a,
                                    rng.choice(["<", "<=", ">", ">=", "==", "!="]), rng.choice([wide, signed]), b),
            "((%s) ? (%s)%s : (%s)%s)" % (self.condition(names), wide, a, wide, b),
            "(~(%s)%s)" % (wide, a), "((%s)(%s)%s)" % (wide, rng.choice(list(TYPES)), a)])

    def condition(self, names):
        kind = self.rng.choice(["unsigned", "int", "unsigned long long", "long long"])
        test = "(%s)%s %s (%s)%s" % (kind, self.operand(names), self.rng.choice(["<", "<=", ">", ">=", "==", "!="]),
                                     kind, self.operand(names))
        return "(%s) %s (%s & 1)" % (test, self.rng.choice(["&&", "||"]), self.operand(names)) \
            if self.rng.random() < 0.3 else test

    def names(self):
        return ["v%d" % i for i in range(VARIABLES)]

    def assignment(self):
        to = self.variable()
        return "v%d = (%s)%s;" % (to, self.kinds[to], self.expression(self.names()))

    def statement(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.35:
            return self.assignment()
        inner = lambda: self.statement(depth - 1)
        to, operand = self.variable(), self.operand(self.names())
        sort = rng.randrange(7)
        if sort == 0:
            return "if (%s) { %s } else { %s }" % (self.condition(self.names()), inner(), inner())
        if sort == 1:
            cases = "".join("case %d: %s %s " % (i, self.assignment(), rng.choice(["break;", ""])) for i in range(5))
            return "switch ((unsigned)%s & 7) { %sdefault: %s }" % (operand, cases, self.assignment())
        if sort == 2:
            self.loops += 1
            at = "i%d" % self.loops
            return "for (int %s = 0; %s < %d; %s++) { v%d = (%s)((unsigned long long)v%d * 3 + %s); %s }" % (
                at, at, rng.randint(1, 4), at, to, self.kinds[to], to, at, self.assignment())
        if sort == 3:
            self.loops += 1
            kind, name = rng.choice(list(TYPES)), "a%d" % self.loops
            fill = "".join("%s[%d] = (%s)%s; " % (name, i, kind, self.operand(self.names())) for i in range(4))
            index = rng.choice([str(rng.randrange(4)), "(unsigned)%s & 3" % operand])
            return "{ %s %s[4]; %sv%d = (%s)%s[%s]; }" % (kind, name, fill, to, self.kinds[to], name, index)
        if sort == 4:
            return "v%d = (%s)far%d(%s, %s);" % (to, self.kinds[to], self.number, operand, self.operand(self.names()))
        if sort == 5:
            return ("{ struct pair p = {(unsigned long long)%s, (unsigned)%s, (short)%s, (signed char)%s}; "
                    "v%d = (%s)mix%d(p); }" % (*[self.operand(self.names()) for _ in range(4)], to, self.kinds[to],
                                               self.number))
        return "%s %s" % (inner(), self.assignment())

    def help(self):
        here = lambda: self.expression(["a", "b"])
        return ("FAR unsigned long long far%d(unsigned long long a, unsigned b) { if (%s) return %s; return %s; }\n"
                "FAR unsigned mix%d(struct pair p) { return (unsigned)%s; }\n" % (
                    self.number, self.condition(["a", "b"]), here(), here(), self.number,
                    self.expression(["p.wide", "p.whole", "p.half", "p.small"])))

    def kernel(self, body):
        declared = ", ".join("%s *m%d" % (kind, i) for i, kind in enumerate(self.kinds))
        begin = "".join("  %s v%d = %s;\n" % (kind, i, "*m%d" % i if self.loaded[i] else literal(self.values[i], kind))
                        for i, kind in enumerate(self.kinds))
        end = "".join("  *m%d = v%d;\n" % (i, i) for i in range(VARIABLES))
        return "KERNEL void k%d(%s) {\n%s%s%s}\n" % (self.number, declared, begin, body, end)

    def caller(self):
        """Of a program of this machine, which prints what is left."""
        have = "".join("  %s m%d = %s;\n" % (kind, i, literal(self.values[i], kind)) for i, kind in enumerate(self.kinds))
        show = "".join('  printf("%%llu ", (unsigned long long)m%d);\n' % i for i in range(VARIABLES))
        return "static void run%d(void) {\n%s  k%d(%s);\n%s  printf(\"\\n\");\n}\n" % (
            self.number, have, self.number, ", ".join("&m%d" % i for i in range(VARIABLES)), show)

    def test(self, ptx, ends):
        """The litmus test that has what is left as its claim."""
        objects = " ".join("%s m%d = %d;" % (TYPES[kind], i, self.values[i]) for i, kind in enumerate(self.kinds))
        claim = " /\\ ".join("m%d = %d" % (i, end) for i, end in enumerate(ends))
        return "CUDA k%d\ncode \"%s\"\n{ %s }\nhost { k%d<<<1, 1>>>(%s); }\nforall (%s)\n" % (
            self.number, ptx, objects, self.number, ", ".join("&m%d" % i for i in range(VARIABLES)), claim)


def as_typed(bits, kind):
    bits &= (1 << BITS[kind]) - 1
    return bits - (1 << BITS[kind]) if kind in SIGNED and bits >> (BITS[kind] - 1) else bits


def expected(kernels, path):
    """What this machine leaves, a list for each kernel."""
    text = "#include <stdio.h>\n" + PROLOGUE + "".join(k.text for k in kernels) + "".join(k.caller() for k in kernels)
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write(text + "int main(void) {\n%s}\n" % "".join("  run%d();\n" % k.number for k in kernels))
    subprocess.run(["gcc", "-w", "-O0", path + ".c", "-o", path + ".run"], check=True)
    printed = subprocess.run([path + ".run"], check=True, capture_output=True, text=True).stdout
    return [[as_typed(int(word), kind) for word, kind in zip(line.split(), kernel.kinds)]
            for line, kernel in zip(printed.splitlines(), kernels)]


def compiled(compiler, flags, kernels, path):
    """The PTX of the kernels; False where the compiler itself gives up."""
    with open(path + ".cu", "w", encoding="ascii") as file:
        file.write(PROLOGUE + "".join(k.text for k in kernels))
    made = {"clang": ["clang", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
                      "-Wno-unknown-cuda-version", "-w", "-S"],
            "nvcc": ["nvcc", "-ptx", "-w"]}[compiler]
    return subprocess.run(made + flags + [path + ".cu", "-o", path + ".ptx"], capture_output=True,
                          check=False).returncode == 0


def ask(program, path):
    """What crashlit says: a verdict, or the first line of why there is none."""
    run = subprocess.run([program, "-m", "sc", "-f", "json", "--timeout", "60", path], capture_output=True, text=True,
                         check=False)
    try:
        return json.loads(run.stdout)["conditions"][0]["verdict"]
    except (ValueError, KeyError, IndexError):
        return run.stderr.splitlines()[0] if run.stderr else "status %d" % run.returncode


def has_past_end(path):
    """Does the PTX take a field past the last bit?"""
    with open(path + ".ptx", encoding="ascii") as file:
        return any(int(at) + int(length) > int(bits) for bits, at, length in FIELD.findall(file.read()))


def run_file(program, folder, rng, compiler, count):
    """How many were right, how many refused; each other one with its reason."""
    kernels = [Kernel(rng, i) for i in range(count)]
    flags = rng.choice(BUILDS[compiler])
    path = os.path.join(folder, "f")
    ends = expected(kernels, path)
    if not compiled(compiler, flags, kernels, path):
        return 0, 0, ["%s %s does not compile it" % (compiler, " ".join(flags))]
    right, refused, wrong = 0, 0, []
    for kernel, end in zip(kernels, ends):
        test = os.path.join(folder, "k%d.litmus" % kernel.number)
        with open(test, "w", encoding="ascii") as file:
            file.write(kernel.test("f.ptx", end))
        said = ask(program, test)
        right += said == "ok"
        unread = "[E-ptx-" in said or "[E-lit-too-large]" in said or said == "unknown" or (
            said == "violated" and has_past_end(path))
        refused += unread
        if VERBOSE and unread:
            print(said)
        if said != "ok" and not unread:
            wrong.append("%s %s: %s: %s" % (compiler, " ".join(flags), test, said))
    return right, refused, wrong


def finds_a_wrong_value(program, folder):
    kernel = Kernel(random.Random(1), 0)
    path = os.path.join(folder, "f")
    [end] = expected([kernel], path)
    end[0] = as_typed(end[0] + 1, kernel.kinds[0])
    compiled("clang", ["-O1"], [kernel], path)
    test = os.path.join(folder, "wrong.litmus")
    with open(test, "w", encoding="ascii") as file:
        file.write(kernel.test("f.ptx", end))
    return ask(program, test) == "violated"


def main():
    program, work, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    compilers = [name for name in sys.argv[5:] or ["clang"] if shutil.which(name)]
    if not compilers:
        print("skipped: there is no clang\n0 passed, 0 failed")
        return 0
    root = os.path.join(work, "ptx-compiled")
    shutil.rmtree(root, ignore_errors=True)
    passed = refused = failed = 0
    for number in range(0, count, KERNELS):
        rng = random.Random("%d-%d" % (seed, number))
        folder = os.path.join(root, str(number))
        os.makedirs(folder)
        right, unread, wrong = run_file(program, folder, rng, rng.choice(compilers), min(KERNELS, count - number))
        passed, refused, failed = passed + right, refused + unread, failed + len(wrong)
        for line in wrong:
            print(line)
        if not wrong:
            shutil.rmtree(folder)
    os.makedirs(os.path.join(root, "wrong"))
    if passed < count * 9 / 10:
        failed += 1
        print("of %d kernels %d are refused" % (count, refused))
    found = finds_a_wrong_value(program, os.path.join(root, "wrong"))
    passed, failed = passed + found, failed + (not found)
    if not found:
        print("a wrong value was not found out")
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
