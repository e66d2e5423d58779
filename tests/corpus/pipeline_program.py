"""pipeline_program: a test as `crashlit --dump-ast` prints it, for pipeline.py: code, places, tags, lines, initial values.

What the reader does not know raises Unknown, so that nothing is compared that was read in part. Initial values of registers are
not printed there, so tests that have some are Unknown too.
"""
import re
from collections import namedtuple

Thread = namedtuple("Thread", "name tags sg wg kr dev code registers")
Program = namedtuple("Program", "name threads locations values nvm tags lines named filtered")
# order and scope are words, scope None where there is none; place is (first, stride, index), value and the like are functions.
Instr = namedtuple("Instr", "op tags place value dst order scope rmw expected unless old target label")
NOTHING = Instr(None, frozenset(), None, None, None, "NA", None, None, None, False, None, None, None)


class Unknown(Exception):
    """Something of a test or description that this interpreter does not know."""


def wrapped(value):
    return (value + 2**31) % 2**32 - 2**31


def divided(a, b):
    if b == 0:
        raise ZeroDivisionError
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "/": divided,
    "%": lambda a, b: a - b * divided(a, b)}
UNARY = {"!": lambda a: not a, "~": lambda a: ~a, "-": lambda a: -a, "(int)": lambda a: a}
RMWS = {"exchange": lambda a, b: b, "new": lambda a, b: b, "add": BINARY["+"], "sub": BINARY["-"], "and": BINARY["&"],
        "or": BINARY["|"], "xor": BINARY["^"], "min": min, "max": max}
ORDERS = ("NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC", "CONSUME")
SCOPES = ("WI", "SG", "WG", "KR", "DV", "ALL")

TOKEN = re.compile(r"\s*(\(int\)|-?\d+|%\d+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|<<|>>|[-+*/%&|^~!<>()?:])")


class Expression:
    """A fully parenthesised expression, compiled to a function of the registers' values."""

    def __init__(self, text, registers):
        self.text, self.at, self.registers = text, 0, registers

    def next(self, wanted=None):
        match = TOKEN.match(self.text, self.at)
        if not match or wanted and match.group(1) != wanted:
            raise Unknown("expression %r" % self.text)
        self.at = match.end()
        return match.group(1)

    def sees(self, word):
        match = TOKEN.match(self.text, self.at)
        return bool(match) and match.group(1) == word

    def compiled(self):
        token = self.next()
        if token == "(":
            return self.inside()
        if token in UNARY:
            return self.one(token)
        if re.fullmatch(r"-?\d+", token):
            return lambda registers, value=int(token): value
        number = self.registers.setdefault(token, len(self.registers))
        return lambda registers: registers[number] or 0

    def one(self, token):
        self.next("(")
        a = self.compiled()
        self.next(")")
        return lambda registers: wrapped(int(UNARY[token](a(registers))))

    def inside(self):
        a, operator = self.compiled(), self.next()
        b = self.compiled()
        if operator == "?":
            self.next(":")
            c = self.compiled()
            self.next(")")
            return lambda registers: b(registers) if a(registers) else c(registers)
        self.next(")")
        if operator == "&&":
            return lambda registers: int(bool(a(registers)) and bool(b(registers)))
        if operator == "||":
            return lambda registers: int(bool(a(registers)) or bool(b(registers)))
        if operator not in BINARY:
            raise Unknown("operator %s" % operator)
        return lambda registers: wrapped(int(BINARY[operator](a(registers), b(registers))))


def marks_behind(text):
    """What stands before the order and scope of an access, and these."""
    match = re.fullmatch(r"(.*) (%s)(?: (%s))?" % ("|".join(ORDERS), "|".join(SCOPES)), text)
    if not match:
        raise Unknown("marks of %r" % text)
    return match.group(1), {"order": match.group(2), "scope": match.group(3)}


class Reader:
    """One dump, line by line."""

    def __init__(self):
        self.name, self.locations, self.values, self.nvm, self.tags, self.lines = None, [], [], [], [], []
        self.threads, self.named, self.filtered, self.recovery = [], set(), False, False

    def program(self):
        return Program(self.name, self.threads, self.locations, self.values, self.nvm, self.tags, self.lines,
                       sorted(self.named), self.filtered)

    def location(self, line):
        match = re.fullmatch(r"(nvm )?(?:\{(.*?)\})?(?:local |global\|local )?(?:atomic_)?int (.*?) = (-?\d+)"
                             r"(?: in the line of (.*))?", line)
        if not match:
            raise Unknown("location %r" % line)
        self.locations.append(match.group(3))
        self.nvm.append(bool(match.group(1)))
        self.tags.append(frozenset((match.group(2) or "").split(",")) - {""})
        self.values.append(int(match.group(4)))
        self.lines.append(self.locations.index(match.group(5) or match.group(3)))

    def place(self, text, registers):
        if text in self.locations:
            return self.locations.index(text), 0, 0, None
        match = re.fullmatch(r"(.*?) \+ (?:(\d+) \* )?(.*)", text)
        first = self.locations.index(match.group(1))
        base = match.group(1).split("[")[0] + "["
        count = len({name[len(base):].split("]")[0] for name in self.locations if name.startswith(base)})
        return first, int(match.group(2) or 1), count, Expression(match.group(3), registers).compiled()

    def register(self, name, registers):
        return None if name == "_" else registers.setdefault(name, len(registers))

    def access(self, op, tags, rest, registers):
        said = dict(op=op, tags=tags)
        if op == "CAS":
            rest, fail = re.fullmatch(r"(.*) failing \w+ old (.*)", rest).groups()
            said["old"] = self.register(fail, registers)
        rest, marks = marks_behind(rest)
        match = re.fullmatch(r"(?:(\S+) = )?\[(.*)\](?: (.*))?", rest) if op != "STORE" else \
            re.fullmatch(r"()\[(.*)\] = (.*)", rest)
        said.update(marks, dst=self.register(match.group(1) or "_", registers))
        said["place"] = self.place(match.group(2), registers)
        operands = match.group(3)
        if op == "CAS":
            kind, wanted, how, operands = re.fullmatch(r"(expected|unless) (\(.*\)|\S+) (%s) (.*)" % "|".join(RMWS), operands).groups()
            said.update(unless=kind == "unless", rmw=RMWS[how], expected=Expression(wanted, registers).compiled())
        elif op == "RMW":
            how, operands = operands.split(" ", 1)
            said["rmw"] = RMWS[how]
        if operands:
            said["value"] = Expression(operands, registers).compiled()
        return NOTHING._replace(**said)

    def ordering(self, op, tags, rest, registers):
        said, words = dict(op=op, tags=tags), rest
        if op == "CM":
            match = re.fullmatch(r"\[(.*)\] (.*)", rest)
            said["place"], words = self.place(match.group(1), registers), match.group(2)
        words = words.split(" ")
        if op in ("FENCE", "CM"):
            said["order"] = words.pop(0)
        if op == "BARRIER" and re.search(r"named|arrive|resource|quorum", rest):
            raise Unknown("barrier %r" % rest)
        said["scope"] = None if words[0] == "unscoped" else words[0]
        if "label" in words:
            said["label"] = words[words.index("label") + 1]
        return NOTHING._replace(**said)

    def instruction(self, line, registers):
        op, tags, rest = re.fullmatch(r"  \d+: ([A-Z]+)(?:\{(.*?)\})? (.*)", line).groups()
        tags = frozenset((tags or "").split(",")) - {""}
        if op in ("LOAD", "STORE", "RMW", "CAS"):
            return self.access(op, tags, rest, registers)
        if op in ("FENCE", "CM", "BARRIER", "PBARRIER"):
            return self.ordering(op, tags, rest, registers)
        if op == "SET":
            dst, value = rest.split(" = ", 1)
            return NOTHING._replace(op=op, dst=self.register(dst, registers), value=Expression(value, registers).compiled())
        if op == "CHECK":
            return NOTHING._replace(op=op, value=Expression(rest.split(' or "')[0], registers).compiled())
        if op == "BRANCH":
            value, target = rest.rsplit(" else ", 1)
            return NOTHING._replace(op=op, value=Expression(value, registers).compiled(), target=int(target.split(" for ")[0]))
        if op == "JUMP":
            return NOTHING._replace(op=op, target=int(rest))
        return NOTHING._replace(op=op)  # LOOP, AWAIT, CRASH

    def line(self, line):
        header = re.fullmatch(r"(restartable )?(P\d+|recovery.*?)(?:\{(.*?)\})? sg (\d+) wg (\d+) kr (\d+) dev (\d+)", line)
        if header:
            self.recovery = header.group(2).startswith("recovery")
            if not self.recovery:
                tags = frozenset((header.group(3) or "").split(",")) - {""}
                self.threads.append(Thread(header.group(2), tags, *map(int, header.groups()[3:]), [], {}))
        elif re.match(r"  \d+: ", line):
            if not self.recovery:
                thread = self.threads[-1]
                thread.code.append(self.instruction(line, thread.registers))
        elif re.match(r"(crash|final|recovered|locations|expect|filter|recovery|memory) ", line):
            self.filtered |= line.startswith("filter")
            if line.startswith("crash"):
                self.named |= {(int(t), r) for t, r in re.findall(r"(?<!\w)P?(\d+):([A-Za-z_]\w*)", line)}
        elif not line.startswith('"') and not re.match(r"[A-Z]\w*=", line) and not self.threads:
            self.location(line)


def programs(dump):
    """The tests of a dump, each a Program or what is not known of it."""
    found, reader = [], None
    for line in dump.splitlines():
        if line.startswith("test "):
            reader = Reader()
            reader.name = line[5:]
            found.append(reader)
        elif isinstance(found[-1], Reader):
            try:
                reader.line(line)
            except Unknown as why:
                found[-1] = str(why)
    return [one.program() if isinstance(one, Reader) else one for one in found]
