#!/usr/bin/env python3
"""Which tests written by hand contain a generated one.

    subsumed.py GENERATED HAND VISIBILITY+PERSISTENCY..

For each pair the suites GENERATED/VISIBILITY-PERSISTENCY and ..-atomics are held against the tests of HAND that are to be ok under it.

A claim of a test, that a state is forbidden, contains an outcome of a generated test when work-items, locations and operations of
this are among those of the test, in their order, each at least as strong (order, scope; a barrier together with the same others; a
read-modify-write for a read or a write), and
what the outcome says follows from the state: a value that is named and that one operation alone writes; a read that a loop waited for or a branch was taken by; an end,
where something behind it was seen or the crash point stands. A test is subsumed when each of its claims contains an outcome.

A line for each test: its name; for each claim the folder and number of the generated test, or "-"; which persistency models it tells
the pair's from, by its own expectations; and of a test that is not subsumed what of the whole of it is beyond the bound of the suites. Loops from a
constant to a constant are unrolled, and elements of arrays are locations. A test with statements that are not read here says which. It shares no code with the program.
"""
import itertools, os, re, sys

SCOPES = {n: i for i, names in enumerate((("wi",), ("sg", "sub_group"), ("wg", "work_group"), ("kr",), ("dev", "device"),
                                          ("all", "all_svm_devices"))) for n in names}
ORDERS = {"na": 0, "rlx": 1, "acq": 2, "rel": 2, "acq_rel": 3, "sc": 4}


class Unread(Exception):
    pass


class Op:
    """R, W, U (both: a read-modify-write), F, p, sync, a label, an end. Of one that adds the value is the text of a sum."""

    def __init__(self, kind, location=None, value=None, register=None, order="na", scope="wi", awaits=False):
        self.kind, self.location, self.value, self.register = kind, location, value, register
        self.order, self.scope, self.awaits = order, SCOPES[scope], awaits
        self.guards = ()  # registers and what they were where it is executed, None for anything but zero

    def is_constant(self):
        return self.value == "zero" or self.value.lstrip("-").isdigit()


def scope_of(text):
    return re.sub(r"^memory_scope_|_scope$", "", text.strip())


def order_of(text):
    word = re.sub(r"^(memory_order|mo)_", "", text.strip())
    return {"relaxed": "rlx", "acquire": "acq", "release": "rel", "seq_cst": "sc"}.get(word, word)


def number(text, constants):
    """What an expression of constants is, else None."""
    words = re.findall(r"[A-Za-z_]\w*", text)
    if not re.fullmatch(r"[\w\s+*/%()-]+", text) or not all(w in constants for w in words):
        return None
    return int(eval(re.sub(r"[A-Za-z_]\w*", lambda m: str(constants[m[0]]), text).replace("/", "//")))


def place(text, constants):
    """A location: *x, x, or an element x[1] of an array."""
    m = re.fullmatch(r"\*?(\w+)(?:\[(.+)\])?", text)
    if m[2] is None:
        return m[1]
    index = number(m[2], constants)
    if index is None:
        raise Unread(text)
    return "%s[%d]" % (m[1], index)


PLACE = r"(\*\w+|\w+\[[^\]]+\])"


def statement(text, constants):
    """The operation of one statement, or a label."""
    t = text.strip()

    def at(place_text):
        return place(place_text, constants)

    def value(text):
        n = number(text, constants)
        return text if n is None else str(n)

    for pattern, make in (
        (PLACE + r" = (.+)$", lambda m: Op("W", at(m[1]), value(m[2]))),
        (r"(?:int )?(\w+) = " + PLACE + "$", lambda m: Op("R", at(m[2]), register=m[1])),
        (r"(?:(?:int )?(\w+) = )?atomic_exchange_explicit\((\w+), (.+), (\w+), (\w+)\)$",
         lambda m: Op("U", m[2], value(m[3]), m[1], order_of(m[4]), scope_of(m[5]))),
        (r"(?:(?:int )?(\w+) = )?atomic_fetch_add_explicit\((\w+), (.+), (\w+), (\w+)\)$",
         lambda m: Op("U", m[2], "+" + value(m[3]), m[1], order_of(m[4]), scope_of(m[5]))),
        (r"atomic_work_item_fence\([^,]+, (\w+), (\w+)\)$", lambda m: Op("F", order=order_of(m[1]), scope=scope_of(m[2]))),
        (r"barrier\([^,]+\)$", lambda m: Op("sync", scope="wg")),
        (r"(\w+)\.store\((.+?), (\w+), (\w+)\)$", lambda m: Op("W", m[1], m[2], None, order_of(m[3]), scope_of(m[4]))),
        (r"(?:int )?(\w+) = (\w+)\.load\((\w+), (\w+)\)$", lambda m: Op("R", m[2], None, m[1], order_of(m[3]), scope_of(m[4]))),
        (r"while \(!(\w+)\.load\((\w+), (\w+)\)\)$", lambda m: Op("R", m[1], None, None, order_of(m[2]), scope_of(m[3]), True)),
        (r"(p|sync)_barrier_(\w+)(?:\(\))?$", lambda m: Op(m[1], scope=scope_of(m[2]))),
        (r"(p|sync)_barrier\((\w+)\)$", lambda m: Op(m[1], scope=scope_of(m[2]))),
        (r'crash "(.*)"$', lambda m: Op("label", m[1])),
        (r"int ended = 1$", lambda m: Op("end")),
    ):
        m = re.fullmatch(pattern, t)
        if m:
            return make(m)
    raise Unread(t)


def unrolled(text):
    """Loops from a constant to a constant, one turn after the other."""
    while True:
        m = re.search(r"for \(int (\w+) = (-?\d+); \1 (<|<=|>|>=) (-?\d+); \1 = \1 ([+-]) (\d+)\) \{([^{}]*)\}", text)
        if not m:
            return text
        step = int(m[5] + m[6])
        last = int(m[4]) + ({"<": 0, "<=": 1, ">": 0, ">=": -1}[m[3]])
        if (step > 0) != ("<" in m[3]) or abs(last - int(m[2])) > 64:
            raise Unread(" ".join(m[0].split()))
        turns = "".join(re.sub(r"\b%s\b" % m[1], str(i), m[7]) for i in range(int(m[2]), last, step))
        text = text[:m.start()] + turns + text[m.end():]


def body(text):
    """Operations, and the registers that are given constants."""
    ops, guards, constants = [], [], {}
    text = re.sub(r"while \((.*?)\);", r"while (\1) ;", text)
    for token in re.findall(r"[^;{}]+(?=[;{])|[;{}]", unrolled(text)):
        t = " ".join(token.split())
        if t in ("", ";", "{"):
            continue
        if t == "}":
            guards.pop()
            continue
        m = re.fullmatch(r"if \((\w+)(?: == (-?\d+))?\)", t)
        if m:
            guards.append((m[1], m[2]))
            continue
        m = re.fullmatch(r"int (\w+) = ([^*\[]+)", t)
        if m and m[1] != "ended" and number(m[2], constants) is not None:
            constants[m[1]] = number(m[2], constants)
            continue
        op = statement(t, constants)
        op.guards = tuple(guards)
        ops.append(op)
    return ops, constants


def parse_prop(text):
    """Disjunctive form: a list of conjunctions, each a tuple of (name, value)."""
    tokens = re.findall(r"/\\|\\/|[~()]|[\w:\[\]]+ *!?= *-?\w+|[\w:]+ *>= *0|true|false", text)
    at = 0

    def primary(negated):
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "~":
            return primary(not negated)
        if token == "(":
            value = disjunction(negated)
            at += 1
            return value
        if token in ("true", "false"):
            return [()] if (token == "true") != negated else []
        m = re.fullmatch(r"([\w:\[\]]+) *(!?)= *(-?\w+)", token)
        if not m:
            raise Unread(token)
        return [((m[1], m[3], (m[2] == "!") != negated),)]

    def both(a, b):
        return [x + y for x in a for y in b]

    def conjunction(negated):
        nonlocal at
        value = primary(negated)
        while at < len(tokens) and tokens[at] == "/\\":
            at += 1
            value = (value + primary(negated)) if negated else both(value, primary(negated))
        return value

    def disjunction(negated):
        nonlocal at
        value = conjunction(negated)
        while at < len(tokens) and tokens[at] == "\\/":
            at += 1
            value = both(value, conjunction(negated)) if negated else value + conjunction(negated)
        return value

    return disjunction


class Test:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-7]
        text = re.sub(r"//[^\n]*", "", open(path).read())
        head = text.split("{", 1)[1]
        init, rest = re.fullmatch(r"((?:[^{}]|\{[^{}]*\})*)\}(.*)", head, re.S).groups()
        self.init = dict(re.findall(r"(\w+) = (-?\w+);", init))
        self.nvm = set(re.findall(r"\bnvm (?:\w+ )?(\w+)", init))
        for name, values in re.findall(r"(\w+)\[\d+\] = \{([^}]*)\};", init):
            for i, first in enumerate(values.split(",")):
                self.init["%s[%d]" % (name, i)] = first.strip()
                self.nvm |= {"%s[%d]" % (name, i)} if name in self.nvm else set()
        self.threads, self.groups, self.constants = [], [], []
        self.claims = []  # (when, conjunction)
        self.expect = {}
        for m in re.finditer(r"^expect +(\S+) *\+ *(\S+)(?: by \S+)? *: *(\w+)", rest, re.M):
            self.expect[m[1], m[2]] = m[3]
        for m in re.finditer(r"^P\d+([^(\n]*)\([^)]*\) \{(.*?)^\}", rest, re.M | re.S):
            self.groups.append(dict(re.findall(r"@?(\w+) (\d+)", m[1])))
            ops, constants = body(m[2])
            self.threads.append(ops)
            self.constants.append(constants)
        if not self.threads:
            raise Unread("no work-items")
        for op in (o for thread in self.threads for o in thread if o.kind in "WU"):
            op.value = self.named(op.location, op.value)
        m = re.search(r"^filter (.*?)$", rest, re.M)
        kept = self.prop(m[1], False) if m else [()]
        for m in re.finditer(r"^(crash|final)? *(~exists|exists|forall) (.*?)$", rest, re.M):
            if m[2] != "exists":
                for conjunction in [c + k for c in self.prop(m[3], m[2] == "forall") for k in (kept if m[1] != "crash" else [()])]:
                    self.claims += [(m[1] or "final", c) for c in self.equalities(conjunction)
                                    if m[1] == "crash" or not self.is_trivial(c)]

    def is_trivial(self, conjunction):
        """In the end no location has its first value that some work-item always writes."""
        written = {o.location for thread in self.threads for o in thread if o.kind in "WU" and not o.guards}
        return any(value == "0" and not differs and name in written for name, value, differs in conjunction)

    def named(self, location, value):
        """As a generated test has it: 0 is the initial value."""
        first = self.init.get(location, "0")
        return "0" if value == first else "zero" if value == "0" else value

    def location_of(self, name):
        if ":" not in name:
            return name
        t, register = name.split(":")
        read = [o.location for o in self.threads[int(t)] if o.register == register]
        return read[-1] if read else None

    def equalities(self, conjunction):
        """Without differences: one conjunction for each other value that the location may have."""
        choices = []
        for name, value, differs in conjunction:
            location = self.location_of(name)
            value = self.named(location, value)
            writers = [o for thread in self.threads for o in thread if o.kind in "WU" and o.location == location]
            written = [o.value for o in writers]
            if differs and location and all(o.is_constant() for o in writers):
                choices.append([(name, w, False) for w in sorted({"0", *written} - {value})])
            else:
                choices.append([(name, value, differs)])
        return list(itertools.product(*choices))

    @staticmethod
    def prop(text, negated):
        return parse_prop(text)(negated)

    def together(self, a, b, scope):
        if a == b or scope >= 4:
            return True
        names = ("kr",) if scope == 3 else ("kr", "wg") if scope == 2 else ("kr", "wg", "sg")
        return scope > 0 and all(self.groups[a].get(n, "0") == self.groups[b].get(n, "0") for n in names)


def stronger(g, h):
    if g.kind not in (("U", "W", "R") if h.kind == "U" else (h.kind,)) or ORDERS[h.order] < ORDERS[g.order] or h.scope < g.scope:
        return False
    return {"acq", "rel"} != {g.order, h.order}


def writers(test, location):
    return [o for thread in test.threads for o in thread if o.kind in ("W", "U") and o.location == location]


def is_written_by(test, op, value):
    """Is that value of the location this operation's, and nobody else's?"""
    if op.is_constant():
        return value == op.value and all(o is op or o.is_constant() and o.value != value for o in writers(test, op.location))
    return writers(test, op.location) == [op]


def is_whole_sum(test, op, value):
    """All have added by then."""
    values = [o.value for o in writers(test, op.location)]
    return all(re.fullmatch(r"\+\d+", v) for v in values) and test.init.get(op.location, "0") == "0" and \
        value.isdigit() and int(value) == sum(map(int, values)) != 0


def read_value(test, t, op, conjunction):
    """What the state says of a read: (value) or "set" for not zero, None for nothing."""
    if op.awaits:
        return "set"
    for name, value, differs in conjunction:
        if name == "%d:%s" % (t, op.register) and str(test.constants[t].get(op.register)) != value:
            return ("set" if value == "0" else None) if differs else value
    for o in test.threads[t]:
        for register, value in o.guards:
            if register == op.register and shows(test, t, o, conjunction):
                return "set" if value is None else test.named(op.location, value)
    return None


def shows(test, t, op, conjunction):
    """Does the state show that the operation was executed?"""
    if op.kind in ("W", "U") and any(n == op.location and not d and v != "0" and (is_written_by(test, op, v) or is_whole_sum(test, op, v))
                                     for n, v, d in conjunction):
        return True
    return op.kind in ("R", "U") and any(n == "%d:%s" % (t, op.register) and str(test.constants[t].get(op.register)) != v
                                         for n, v, d in conjunction)


def follows(g, h, threads, ops, locations, outcome, when, conjunction):
    for name, value, differs in outcome:
        if differs:
            return False
        if ":" not in name:
            source = writes(g, name, value)
            atoms = [(v, d) for n, v, d in conjunction if n == locations.get(name)]
            if value == "0":
                if ("0", False) not in atoms:
                    return False
            elif not any(not d and v != "0" and source and is_written_by(h, ops[source], v) for v, d in atoms):
                return False
            continue
        t, register = name.split(":")
        t = int(t)
        if register == "ended":
            last = [ops[t, i] for i, o in enumerate(g.threads[t]) if o.kind != "end"][-1]
            later = h.threads[threads[t]][h.threads[threads[t]].index(last) + 1:]
            if not any(o.kind == "label" or shows(h, threads[t], o, conjunction) or o.awaits and any(
                    shows(h, threads[t], p, conjunction) for p in later[later.index(o):]) for o in later):
                return False
            continue
        index = [i for i, o in enumerate(g.threads[t]) if o.register == register][0]
        op = ops[t, index]
        got = read_value(h, threads[t], op, conjunction)
        if op.awaits and when == "crash":
            later = h.threads[threads[t]][h.threads[threads[t]].index(op) + 1:]
            if not any(o.kind == "label" or shows(h, threads[t], o, conjunction) for o in later):
                return False
        if value == "0":
            if got != "0":
                return False
        else:
            source = writes(g, g.threads[t][index].location, value)
            if not source or got is None or got == "0" or (not is_only_write(h, op, ops[source]) if got == "set"
                                                           else not is_written_by(h, ops[source], got)):
                return False
    return True


def is_only_write(h, read, write):
    """Then what the read returned, if it is not the initial value, is what that wrote: nobody reads what he writes later."""
    own = next(thread for thread in h.threads if read in thread)
    earlier = [o for thread in h.threads for o in thread if thread is not own or own.index(o) < own.index(read)]
    return [o for o in earlier if o.kind in ("W", "U") and o.location == read.location] == [write]


def writes(g, location, value):
    for t, thread in enumerate(g.threads):
        for i, op in enumerate(thread):
            if op.kind in ("W", "U") and op.location == location and op.value == value:
                return t, i
    return None


def meets(test, t, index):
    """The number of the barrier among those of its kind and scope."""
    op = test.threads[t][index]
    return sum(o.kind == op.kind and o.scope == op.scope for o in test.threads[t][:index])


def embeddings(g, h, threads):
    """Maps of operations, and of locations by them."""
    def place(t, i, least, ops, locations):
        if t == len(g.threads):
            yield dict(ops), dict(locations)
            return
        if i == len(g.threads[t]) or g.threads[t][i].kind == "end":
            yield from place(t + 1, 0, 0, ops, locations)
            return
        op = g.threads[t][i]
        for j in range(least, len(h.threads[threads[t]])):
            other = h.threads[threads[t]][j]
            if not stronger(op, other):
                continue
            if op.location is not None:
                if op.kind == "U" and op.value.startswith("+") != other.value.startswith("+"):
                    continue
                if locations.get(op.location, other.location) != other.location:
                    continue
                if op.location not in locations and other.location in locations.values():
                    continue
                if op.location in g.nvm and other.location not in h.nvm:
                    continue
            elif op.scope > 1 and not all(
                    ops[u, k].scope == other.scope and meets(h, threads[u], h.threads[threads[u]].index(ops[u, k])) ==
                    meets(h, threads[t], j) and h.together(threads[u], threads[t], other.scope)
                    for u in range(t) if g.together(u, t, op.scope) for k, o in enumerate(g.threads[u])
                    if o.kind == op.kind and o.scope == op.scope and meets(g, u, k) == meets(g, t, i)):
                continue
            more = dict(locations)
            if op.location is not None:
                more[op.location] = other.location
            ops[t, i] = other
            yield from place(t, i + 1, j + 1, ops, more)
            del ops[t, i]
    yield from place(0, 0, 0, {}, {})


def contains(h, when, conjunction, g):
    for threads in itertools.permutations(range(len(h.threads)), len(g.threads)):
        if any(g.together(a, b, 2) and not h.together(threads[a], threads[b], 2) and
               any(o.scope in (1, 2) for o in g.threads[a] + g.threads[b])
               for a in range(len(g.threads)) for b in range(a)):
            continue
        for ops, locations in embeddings(g, h, threads):
            for kind, outcome in g.claims:
                if kind == when and follows(g, h, threads, ops, locations, outcome, when, conjunction):
                    return True
    return False


def load(folder):
    tests = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".litmus"):
            try:
                tests.append(Test(os.path.join(folder, name)))
                tests[-1].label = "%s:%d" % (os.path.basename(folder), int(name[:-7].rsplit("-", 1)[1])) if name[-8].isdigit() and \
                    re.search(r"-\d{6}\.litmus$", name) else tests[-1].name
            except (Unread, IndexError) as why:
                tests.append((name[:-7], str(why)))
    return tests


def bound_of(folder):
    head = open(os.path.join(folder, "MANIFEST")).readline()
    bound = dict(word.split("=") for word in head.split("--bound ")[1].split()[0].split(","))
    return {key: bound[key].split(":") for key in ("events", "barriers", "threads", "scopes", "orders", "families", "deps")}


def beyond(h, folders):
    """What the bound leaves out of the test, by the suite that leaves out least."""
    ops = [o for thread in h.threads for o in thread if o.kind not in ("label", "end")]
    names = {v: k for k, v in reversed(list(SCOPES.items()))}
    least = None
    for bound in map(bound_of, folders):
        found = []
        for key, count, what in (("threads", len(h.threads), "work-items"), ("events", sum(o.kind in ("R", "W", "U") for o in ops), "accesses"),
                                 ("barriers", sum(o.kind not in ("R", "W", "U") for o in ops), "barriers")):
            if count > int(bound[key][0]):
                found.append("%d %s" % (count, what))
        found += ["scope " + names[s] for s in sorted({o.scope for o in ops}) if names[s] not in bound["scopes"]]
        found += ["order " + o for o in sorted({o.order for o in ops}) if o not in bound["orders"]]
        found += [what for kind, family, what in (("F", "fence", "a fence"), ("U", "rmw", "a read-modify-write"))
                  if any(o.kind == kind for o in ops) and family not in bound["families"]]
        if any(o.guards for o in ops) and "ctrl" not in bound["deps"]:
            found.append("a branch")
        if any(o.awaits and not writers(h, o.location) for o in ops):
            found.append("an await that nobody ends")
        if any(o.kind == "label" for thread in h.threads for o in thread):
            found.append("a crash point")
        if any(differs and ":" in name for when, claim in h.claims if when == "crash" for name, _, differs in claim):
            found.append("a register that lacks its value")
        least = found if least is None or len(found) < len(least) else least
    return ", ".join(least) or "nothing"


def told(h_expect, pair):
    return sorted(p for (v, p), verdict in h_expect.items() if v == pair[0] and verdict == "violated")


def section(generated, hand, pair):
    folder = os.path.join(generated, "-".join(pair))
    folders = [f for f in (folder, folder + "-atomics") if os.path.isdir(f)]
    suite = [t for f in folders for t in load(f)]
    lost = [t for t in suite if isinstance(t, tuple)]
    if lost or not suite:
        sys.exit("generated tests are not read: %s" % (lost or folder))
    counts = {"subsumed": 0, "in part": 0, "not": 0, "not read": 0}
    print("## %s + %s" % pair)
    for h in hand:
        if isinstance(h, tuple):
            if h[2].get(pair) == "ok":
                counts["not read"] += 1
                print("%s: ? %s" % h[:2])
            continue
        if h.expect.get(pair) != "ok" or not h.claims:
            continue
        found = [next((g.label for g in suite if contains(h, when, conjunction, g)), "-") for when, conjunction in h.claims]
        hits = sum(f != "-" for f in found)
        counts["subsumed" if hits == len(found) else "in part" if hits else "not"] += 1
        line = "%s: %s" % (h.name, " ".join(found))
        if told(h.expect, pair):
            line += "; tells " + " ".join(told(h.expect, pair))
        if hits < len(found):
            line += "; beyond: " + beyond(h, folders)
        print(line)
    print(", ".join("%d %s" % (n, what) for what, n in counts.items()))


def main():
    generated, folder, *pairs = sys.argv[1:]
    hand = []
    for h in load(folder):
        if isinstance(h, tuple):
            text = open(os.path.join(folder, h[0] + ".litmus")).read()
            h += ({(m[1], m[2]): m[3] for m in re.finditer(r"^expect +(\S+) *\+ *(\S+) *: *(\w+)", text, re.M)},)
        hand.append(h)
    for pair in pairs:
        section(generated, hand, tuple(pair.split("+")))


main()
