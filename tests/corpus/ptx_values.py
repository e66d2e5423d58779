"""ptx_values.py PROGRAM WORK COUNT SEED: what kernels compute, against arithmetic of its own.

COUNT seeded random kernels of one thread. Each gives its registers values, loaded or known, and then
overwrites them again and again: moves that change places, arithmetic of 16 to 64 bits, conversions,
comparisons, guards, loads of narrow types, stores and atomic operations, the thread's own memory in all
sizes and at places that depend on a read, at times in a loop of a known bound. What each instruction means is said below in Python's integers, by PTX's manual. The end of every
run must be what that gives. Nothing is shared with the reader. A last kernel with a wrong value must be
found out. An expression can become larger than is looked at, as values are added to themselves: of six
kernels one may be unknown so.
"""
import os
import random
import re
import shutil
import subprocess
import sys

REGISTERS = {1: ["%%p%d" % i for i in range(3)], 16: ["%%h%d" % i for i in range(3)],
             32: ["%%r%d" % i for i in range(5)], 64: ["%%d%d" % i for i in range(5)]}
MEMORY = {8: "c", 16: "h", 32: "x", 64: "w"}  # what is loaded, by bits
TYPES = {8: "char", 16: "short", 32: "int", 64: "long"}
ELEMENTS = 3
OWN = 16  # bytes of memory of the thread
EDGES = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1 << 20]


def unsigned(value, bits):
    return value & ((1 << bits) - 1)


def signed(value, bits):
    value = unsigned(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def typed(value, kind):
    """The value of the bits as the type has them: ("s", 32)."""
    return signed(value, kind[1]) if kind[0] == "s" else unsigned(value, kind[1])


def name(kind):
    return "%s%d" % kind


def declared(kind):
    return ("u" if kind[0] == "u" else "") + TYPES[kind[1]]


def some_value(rng, bits):
    value = rng.choice(EDGES + [1 << (bits - 1), (1 << (bits - 1)) - 1, rng.getrandbits(bits)])
    return unsigned(value if rng.random() < 0.6 else -value, bits)


def toward_zero(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
           "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
MASK = (1 << 32) - 1


def bits_of(value, size):
    return [value >> i & 1 for i in range(size)]


def of_bits(row):
    return sum(one << i for i, one in enumerate(row))


def field(value, at, length, kind):
    """bfe, bit by bit."""
    size, row = kind[1], bits_of(value, kind[1])
    rest = 0 if kind[0] == "u" or length == 0 else row[min(at + length - 1, size - 1)]
    return of_bits([row[at + i] if i < length and at + i < size else rest for i in range(size)])


def inserted(value, into, at, length, size):
    row, source = bits_of(into, size), bits_of(value, size)
    for i in range(length):
        if at + i < size:
            row[at + i] = source[i]
    return of_bits(row)


def highest(value, kind, amount):
    """bfind: the place of the first bit that is not the sign."""
    row = bits_of(~value if kind[0] == "s" and value >> (kind[1] - 1) else value, kind[1])
    found = max([i for i, one in enumerate(row) if one], default=None)
    return MASK if found is None else kind[1] - 1 - found if amount else found


def permuted(a, b, selector):
    source = [(b << 32 | a) >> 8 * i & 255 for i in range(8)]
    chosen = [selector >> 4 * i & 15 for i in range(4)]
    return sum((source[c & 7] if c < 8 else 255 * (source[c & 7] >> 7)) << 8 * i for i, c in enumerate(chosen))


def by_table(a, b, c, table):
    return of_bits([table >> (x << 2 | y << 1 | z) & 1 for x, y, z in zip(*(bits_of(v, 32) for v in (a, b, c)))])


JOIN = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


class Kernel:
    """Instructions, each with what it does to a dictionary of registers."""

    def __init__(self, rng):
        self.rng = rng
        self.code = []
        self.memory = {bits: [some_value(rng, bits) for _ in range(ELEMENTS)] for bits in MEMORY}
        self.kinds = {bits: (rng.choice("su"), bits) for bits in MEMORY}  # of the objects
        for bits in (16, 32, 64):
            for register in REGISTERS[bits]:
                if rng.random() < 0.7:
                    self.load(register, bits)
                else:
                    self.know(register, bits, some_value(rng, bits))
        for register in REGISTERS[1]:
            self.compare(register, joins=False)
        self.add("mov.u64 %own, memory;", "own", lambda _: bytes(OWN))
        for at in range(0, OWN, 8):
            self.keep(64, "%%own+%d" % at, lambda _, at=at: at, self.rng.sample(REGISTERS[64], 1), None)
        self.begin = len(self.code)
        for _ in range(rng.randrange(8, 30)):
            self.instruction()
        self.end = len(self.code)
        self.rounds = rng.choice((1, 1, 1, 2))

    def add(self, text, register, value, guard=None):
        self.code.append((text, register, value, guard))

    def know(self, register, bits, value):
        self.add("mov.b%d %s, %d;" % (bits, register, value), register, lambda _: value)

    def register(self, bits):
        return self.rng.choice(REGISTERS[bits])

    def operand(self, bits, kind=None):
        """A register, or a number where the type is given: its text, and its bits as a function."""
        if kind and self.rng.random() < 0.25:
            number = typed(some_value(self.rng, bits), kind)
            return str(number), lambda _: unsigned(number, bits)
        register = self.register(bits)
        return register, lambda now: now[register]

    def load(self, register, bits, guard=None):
        """Of a type no wider than the register: what is there from the beginning, or the cell that is changed."""
        size = self.rng.choice([size for size in MEMORY if size <= bits])
        kind = (self.rng.choice("su"), size)
        at = self.rng.randrange(ELEMENTS)
        if self.rng.random() < 0.3 and self.code:
            place, read = "%%a%d" % size, lambda now: now["a%d" % size]
        else:
            place, read = "%%m%d+%d" % (size, at * size // 8), lambda _: self.memory[size][at]
        self.add("ld.global.%s %s, [%s];" % (name(kind), register, place), register,
                 lambda now: unsigned(typed(read(now), kind), bits), guard)

    def store(self, bits, guard):
        size = self.rng.choice([size for size in MEMORY if size <= bits])
        value, of = self.operand(bits)
        self.add("st.global.b%d [%%a%d], %s;" % (size, size, value), "a%d" % size,
                 lambda now: unsigned(of(now), size), guard)

    def change(self, bits, guard):
        """An atomic operation; the least and the greatest may be of another type than the object."""
        bits = max(bits, 32)
        kind, cell = (self.rng.choice("su"), bits), "a%d" % bits
        word, compute = self.rng.choice([
            ("add", lambda a, b: a + b), ("min", min), ("max", max), ("exch", lambda _, b: b),
            ("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b),
            ("inc", lambda a, b: 0 if a >= b else a + 1), ("dec", lambda a, b: b if a == 0 or a > b else a - 1)])
        if word in ("inc", "dec"):
            bits, kind, cell = 32, ("u", 32), "a32"
        said = "b%d" % bits if word in ("exch", "and", "or", "xor") else name(kind) if word != "add" else "u%d" % bits
        result, (a, of) = self.register(bits), self.operand(bits)

        def value(now):
            old = now[cell]
            now[cell] = unsigned(compute(typed(old, kind), typed(of(now), kind)), bits)
            return old

        self.add("atom.global.%s.%s %s, [%%%s], %s;" % (word, said, result, cell, a), result, value, guard)

    def swap(self, bits, guard):
        bits = max(bits, 32)
        cell = "a%d" % bits
        result, (a, expected), (b, new) = self.register(bits), self.operand(bits), self.operand(bits, ("u", bits))

        def value(now):
            old, better = now[cell], new(now)
            now[cell] = better if old == expected(now) else old
            return old

        self.add("atom.global.cas.b%d %s, [%%%s], %s, %s;" % (bits, result, cell, a, b), result, value, guard)

    def compare(self, register, joins=True, guard=None):
        bits = self.rng.choice((16, 32, 64))
        kind = (self.rng.choice("su"), bits)
        word = self.rng.choice(list(COMPARE) + (list(UNSIGNED) if kind[0] == "u" else []))
        holds = COMPARE[UNSIGNED.get(word, word)]
        (a, left), (b, right) = self.operand(bits), self.operand(bits, kind)
        result = lambda now: int(holds(typed(left(now), kind), typed(right(now), kind)))
        if not joins or self.rng.random() < 0.6:
            self.add("setp.%s.%s %s, %s, %s;" % (word, name(kind), register, a, b), register, result, guard)
            return
        other, unless = self.register(1), self.rng.random() < 0.5
        join = self.rng.choice(list(JOIN))
        operands = "%s, %s, %s, %s%s" % (register, a, b, "!" if unless else "", other)
        self.add("setp.%s.%s.%s %s;" % (word, join, name(kind), operands), register,
                 lambda now: JOIN[join](result(now), now[other] ^ unless), guard)

    def of_two(self, bits, guard):
        kind = (self.rng.choice("su"), bits)
        word, compute = self.rng.choice([
            ("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("min", min), ("max", max),
            ("mul.lo", lambda a, b: a * b), ("mul.hi", lambda a, b: (a * b) >> bits),
            ("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)])
        said = "b%d" % bits if word in JOIN else name(kind)
        result, (a, left), (b, right) = self.register(bits), self.operand(bits), self.operand(bits, kind)
        self.add("%s.%s %s, %s, %s;" % (word, said, result, a, b), result,
                 lambda now: unsigned(compute(typed(left(now), kind), typed(right(now), kind)), bits), guard)

    def of_one(self, bits, guard):
        word, compute = self.rng.choice([("neg.s", lambda a: -a), ("abs.s", abs), ("not.b", lambda a: ~a)])
        result, (a, of) = self.register(bits), self.operand(bits)
        self.add("%s%d %s, %s;" % (word, bits, result, a), result,
                 lambda now: unsigned(compute(signed(of(now), bits)), bits), guard)

    def divide(self, bits, guard):
        """By a number that is neither 0 nor -1: what the others give is not defined."""
        kind = (self.rng.choice("su"), bits)
        by = self.rng.choice((1, 2, 3, 5, 7, 8, 100))
        by = -by - 1 if kind[0] == "s" and self.rng.random() < 0.5 else by
        rest = self.rng.random() < 0.5
        result, (a, of) = self.register(bits), self.operand(bits)

        def value(now):
            dividend = typed(of(now), kind)
            quotient = toward_zero(dividend, by)
            return unsigned(dividend - quotient * by if rest else quotient, bits)

        word = ("rem." if rest else "div.") + name(kind)
        self.add("%s %s, %s, %d;" % (word, result, a, by), result, value, guard)

    def shift(self, bits, guard):
        left = self.rng.random() < 0.5
        kind = (self.rng.choice("su"), bits)
        result, (a, of), (b, by) = self.register(bits), self.operand(bits), self.operand(32, ("u", 32))

        def value(now):
            count = min(by(now), bits)
            return unsigned(of(now) << count if left else typed(of(now), kind) >> count, bits)

        word = "shl.b%d" % bits if left else "shr." + name(kind)
        self.add("%s %s, %s, %s;" % (word, result, a, b), result, value, guard)

    def product(self, bits, guard):
        """mul.wide and mad, of half the bits or of the same; either factor may be a number."""
        bits = self.rng.choice((bits, 64))
        part = self.rng.choice(["lo"] + ["wide"] * 3 * (bits > 16) + ["hi"] * (bits >= 32))
        half = bits // 2 if part == "wide" else bits
        kind = (self.rng.choice("su"), half)
        adds = self.rng.random() < 0.4
        factors = [self.operand(half), self.operand(half, kind)]
        self.rng.shuffle(factors)
        (a, left), (b, right) = factors
        c, more = self.operand(bits, (kind[0], bits))
        result = self.register(bits)

        def value(now):
            product = typed(left(now), kind) * typed(right(now), kind)
            product = product >> bits if part == "hi" else product
            return unsigned(product + (more(now) if adds else 0), bits)

        operands = ", ".join([result, a, b] + [c] * adds)
        self.add("%s.%s.%s %s;" % ("mad" if adds else "mul", part, name(kind), operands), result, value, guard)

    def convert(self, bits, guard):
        """The source may have a wider register than its type; 8 bits are extended to the result's."""
        into = (self.rng.choice("su"), self.rng.choice((8, 16)) if bits == 16 else bits)
        wide = self.rng.choice((16, 32, 64))
        kind = (self.rng.choice("su"), self.rng.choice([size for size in MEMORY if size <= wide]))
        result, source = self.register(bits), self.register(wide)
        self.add("cvt.%s.%s %s, %s;" % (name(into), name(kind), result, source), result,
                 lambda now: unsigned(typed(typed(now[source], kind), into), bits), guard)

    def move(self, bits, guard):
        result, (a, of) = self.register(bits), self.operand(bits, None if bits == 1 else ("u", bits))
        self.add("mov.%s %s, %s;" % ("pred" if bits == 1 else "b%d" % bits, result, a), result, of, guard)

    def choose(self, bits, guard):
        result, (a, yes), (b, no) = self.register(bits), self.operand(bits), self.operand(bits, ("u", bits))
        which = self.register(1)
        self.add("selp.b%d %s, %s, %s, %s;" % (bits, result, a, b, which), result,
                 lambda now: yes(now) if now[which] else no(now), guard)

    def field(self, bits, guard):
        """Bit fields, whose places and lengths go past the end."""
        bits = max(bits, 32)
        kind, result = (self.rng.choice("su"), bits), self.register(bits)
        (a, of), (b, at), (c, length) = self.operand(bits), self.operand(32, ("u", 32)), self.operand(32, ("u", 32))
        if self.rng.random() < 0.5:
            self.add("bfe.%s %s, %s, %s, %s;" % (name(kind), result, a, b, c), result,
                     lambda now: field(of(now), at(now) & 255, length(now) & 255, kind), guard)
            return
        d, into = self.operand(bits)
        self.add("bfi.b%d %s, %s, %s, %s, %s;" % (bits, result, a, d, b, c), result,
                 lambda now: inserted(of(now), into(now), at(now) & 255, length(now) & 255, bits), guard)

    def count(self, bits, guard):
        bits = max(bits, 32)
        kind, amount = (self.rng.choice("su"), bits), self.rng.random() < 0.5
        (a, of) = self.operand(bits)
        word, size, value = self.rng.choice([
            ("brev.b%d" % bits, bits, lambda v: of_bits(bits_of(v, bits)[::-1])),
            ("clz.b%d" % bits, 32, lambda v: bits - v.bit_length()),
            ("popc.b%d" % bits, 32, lambda v: sum(bits_of(v, bits))),
            ("cnot.b%d" % bits, bits, lambda v: int(v == 0)),
            ("bfind%s.%s" % (".shiftamt" * amount, name(kind)), 32, lambda v: highest(v, kind, amount))])
        result = self.register(size)
        self.add("%s %s, %s;" % (word, result, a), result, lambda now: value(of(now)), guard)

    def place(self, size):
        """In the thread's memory, aligned: its text, and where it is; at times by an index that was read."""
        count, source = OWN // size, self.register(32)
        if self.rng.random() < 0.6:
            at = self.rng.randrange(count) * size
            return "%%own+%d" % at, lambda _: at
        text, index = self.rng.choice([
            ("and.b32 %%at, %s, %d;" % (source, count - 1), lambda value: value & (count - 1)),
            ("rem.u32 %%at, %s, %d;" % (source, count), lambda value: value % count),
            ("shr.u32 %%at, %s, %d;" % (source, 33 - count.bit_length()), lambda value: value * count >> 32),
            ("min.u32 %%at, %s, %d;" % (source, count - 1), lambda value: min(value, count - 1))])
        self.add(text, "%at", lambda now: index(now[source]))
        self.add("mul.wide.u32 %%place, %%at, %d;" % size, "%place", lambda now: now["%at"] * size)
        self.add("add.s64 %place, %place, %own;", "%place", lambda now: now["%place"])
        return "%place", lambda now: now["%place"]

    def keep(self, size, place, where, registers, guard):
        def value(now):
            parts = [unsigned(now[register], size).to_bytes(size // 8, "little") for register in registers]
            whole, at = b"".join(parts), where(now)
            return now["own"][:at] + whole + now["own"][at + len(whole):]

        values = registers[0] if len(registers) == 1 else "{%s}" % ", ".join(registers)
        self.add("st.local.%sb%d [%s], %s;" % ("v2." * (len(registers) - 1), size, place, values), "own", value, guard)

    def take(self, size, place, where, registers, guard):
        bits, kind = int(next(b for b, names in REGISTERS.items() if registers[0] in names)), (self.rng.choice("su"), size)

        def value(now):
            at = where(now)
            for i, register in reversed(list(enumerate(registers))):
                part = now["own"][at + i * size // 8:at + (i + 1) * size // 8]
                now[register] = unsigned(typed(int.from_bytes(part, "little"), kind), bits)
            return now[registers[0]]

        values = registers[0] if len(registers) == 1 else "{%s}" % ", ".join(registers)
        self.add("ld.local.%s%s %s, [%s];" % ("v2." * (len(registers) - 1), name(kind), values, place), registers[0],
                 value, guard)

    def own(self, bits, guard):
        """Loads and stores of the thread's own memory, of one element or two."""
        size = self.rng.choice([size for size in MEMORY if size <= bits])
        registers = self.rng.sample(REGISTERS[bits], self.rng.choice((1, 1, 2)))
        place, where = self.place(size // 8 * len(registers))
        self.rng.choice((self.keep, self.take))(size, place, where, registers, guard)

    def words(self, _, guard):
        """What has three words of 32 bits."""
        result, left, clamps = self.register(32), self.rng.random() < 0.5, self.rng.random() < 0.5
        (a, x), (b, y), (c, z) = self.operand(32), self.operand(32), self.operand(32, ("u", 32))
        table = self.rng.randrange(256)

        def funnel(now):
            count = min(z(now), 32) if clamps else z(now) & 31
            both = y(now) << 32 | x(now)
            return both << count >> 32 & MASK if left else both >> count & MASK

        word, more, value = self.rng.choice([
            ("prmt.b32", "", lambda now: permuted(x(now), y(now), z(now))),
            ("lop3.b32", ", %d" % table, lambda now: by_table(x(now), y(now), z(now), table)),
            ("shf.%s.%s.b32" % ("l" if left else "r", "clamp" if clamps else "wrap"), "", funnel)])
        self.add("%s %s, %s, %s, %s%s;" % (word, result, a, b, c, more), result, value, guard)

    def decide(self, bits, guard):
        """set and slct, which compare values of a type of their own."""
        kind = (self.rng.choice("su"), self.rng.choice((16, 32, 64)))
        bits, result = max(bits, 32), self.register(max(bits, 32))
        if self.rng.random() < 0.5:
            word = self.rng.choice(list(COMPARE))
            (a, left), (b, right) = self.operand(kind[1]), self.operand(kind[1], kind)
            result = self.register(32)
            self.add("set.%s.u32.%s %s, %s, %s;" % (word, name(kind), result, a, b), result,
                     lambda now: MASK * COMPARE[word](typed(left(now), kind), typed(right(now), kind)), guard)
            return
        (a, yes), (b, no), (c, by) = self.operand(bits), self.operand(bits, ("u", bits)), self.operand(32)
        self.add("slct.b%d.s32 %s, %s, %s, %s;" % (bits, result, a, b, c), result,
                 lambda now: yes(now) if signed(by(now), 32) >= 0 else no(now), guard)

    def join(self, guard):
        result, a, b = self.register(1), self.register(1), self.register(1)
        word = self.rng.choice(list(JOIN))
        self.add("%s.pred %s, %s, %s;" % (word, result, a, b), result, lambda now: JOIN[word](now[a], now[b]), guard)

    def instruction(self):
        guard = (self.register(1), self.rng.random() < 0.5) if self.rng.random() < 0.06 else None
        bits = self.rng.choice((16, 32, 32, 64))
        makes = self.rng.choice([self.move] * 5 + [self.of_two] * 4 + [self.product] * 4 + [self.convert] * 3 +
                                [self.own] * 3 + [self.shift, self.store, self.change] * 2 + [self.swap, self.of_one, self.divide] +
                                [self.choose, self.load, self.compare, self.join, self.field, self.count, self.words,
                                 self.decide])
        if makes == self.load:
            self.load(self.register(bits), bits, guard)
        elif makes == self.compare:
            self.compare(self.register(1), True, guard)
        elif makes == self.join:
            self.join(guard)
        else:
            makes(self.rng.choice((1, bits)) if makes == self.move else bits, guard)

    def results(self):
        now = {"a%d" % bits: self.memory[bits][0] for bits in MEMORY}
        order = list(range(self.begin)) + list(range(self.begin, self.end)) * self.rounds
        for _, register, value, guard in (self.code[i] for i in order):
            if not guard or now[guard[0]] != guard[1]:
                now[register] = value(now)
        return now

    def text(self):
        lines = []
        for text, _, _, guard in self.code:
            lines.append("\t%s%s" % ("@%s%s " % ("!" if guard[1] else "", guard[0]) if guard else "", text))
        if self.rounds > 1:
            lines[self.begin:self.begin] = ["\tmov.u32 %count, 0;", "AGAIN:"]
            lines += ["\tadd.u32 %count, %count, 1;", "\tsetp.lt.u32 %%more, %%count, %d;" % self.rounds]
            lines.append("\t@%more bra AGAIN;")
        for bits, registers in REGISTERS.items():
            for i, register in enumerate(registers):
                if bits == 1:
                    lines.append("\tselp.b32 %%last, 1, 0, %s;" % register)
                size, register = (32, "%last") if bits == 1 else (bits, register)
                lines.append("\tst.global.u%d [%%o%d+%d], %s;" % (size, bits, i * size // 8, register))
        return lines


def write(folder, title, kernel, wrong):
    registers = kernel.results()
    pointers = [one + str(bits) for one in "ma" for bits in MEMORY] + ["o%d" % bits for bits in REGISTERS]
    head = [".version 8.0", ".target sm_70", ".address_size 64",
            ".visible .entry k(%s)" % ", ".join(".param .u64 " + one for one in pointers), "{",
            "\t.reg .pred %p<3>, %more;", "\t.reg .b16 %h<3>;", "\t.reg .b32 %r<5>, %count, %last, %at;",
            "\t.reg .b64 %d<5>, %own, %place;", "\t.local .align 16 .b8 memory[%d];" % OWN,
            "\t.reg .b64 " + ", ".join("%" + one for one in pointers) + ";"]
    head += ["\tld.param.u64 %%%s, [%s];" % (one, one) for one in pointers]
    with open(os.path.join(folder, title + ".ptx"), "w") as file:
        file.write("\n".join(head + kernel.text() + ["\tret;", "}"]) + "\n")
    kinds = kernel.kinds
    objects, atoms = [], []
    for bits, one in MEMORY.items():
        values = [typed(value, kinds[bits]) for value in kernel.memory[bits]]
        objects.append("%s %s[%d] = {%s};" % (declared(kinds[bits]), one, ELEMENTS, ", ".join(map(str, values))))
        objects.append("%s a%d = %d;" % (declared(kinds[bits]), bits, values[0]))
        atoms.append("a%d = %d" % (bits, typed(registers["a%d" % bits], kinds[bits])))
    for bits, names in REGISTERS.items():
        kind = ("u", 32) if bits == 1 else kinds[bits]
        objects.append("%s o%d[%d];" % (declared(kind), bits, len(names)))
        for i, register in enumerate(names):
            value = typed(registers[register] ^ (wrong and register == "%r0"), kind)
            atoms.append("o%d[%d] = %d" % (bits, i, value))
    with open(os.path.join(folder, title + ".litmus"), "w") as file:
        arguments = list(MEMORY.values()) + ["a%d" % bits for bits in MEMORY] + ["o%d" % bits for bits in REGISTERS]
        file.write("CUDA %s\ncode \"%s.ptx\"\n{ %s }\n" % (title, title, " ".join(objects)))
        file.write("host { k<<<1, 1>>>(%s); }\nforall (%s)\n" % (", ".join(arguments), " /\\ ".join(atoms)))
        file.write("expect ptx + none : %s\n" % ("violated" if wrong else "ok"))


def main():
    program, work, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    folder = os.path.join(work, "ptx-values")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number in range(count + 1):
        rng = random.Random("%d %d" % (seed, number))
        write(folder, "kernel-%d-%d" % (seed, number) if number < count else "wrong", Kernel(rng), number == count)
    run = subprocess.run([program, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = run.stdout.splitlines()
    counts = r"Summary: (\d+) as expected, (\d+) otherwise, 0 files with errors(, \d+ vacuous)?"
    summary = re.fullmatch(counts, lines[-1] if lines else "")
    unknown = sum(line.startswith("! unknown") for line in lines)
    if summary and int(summary[2]) == unknown <= count // 6 and int(summary[1]) + unknown == count + 1:
        print("%d kernels compute what they should, %d are unknown" % (count - unknown, unknown))
        print("%d passed, 0 failed" % (count + 1 - unknown))
        return 0
    print("\n".join([line for line in lines if line.startswith("!") or "error:" in line][:20] + lines[-1:]))
    print("ptx_values.py: the kernels are in %s" % folder)
    print("0 passed, 1 failed")
    return 1


sys.exit(main())
