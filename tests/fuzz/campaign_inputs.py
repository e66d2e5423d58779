"""campaign_inputs.py: what the campaign (campaign.py) mutates, and how. Mutations are bytes of a generator with a seed."""
import glob
import os
import re


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Pool(list):
    """Texts to mutate; `sound` are small ones that the program takes as they are."""


def texts(pattern):
    found = [read(path) for path in sorted(glob.glob(pattern))]
    assert found, pattern
    return found


def seeds(sound, *others):
    pool = Pool(texts(sound))
    pool.sound = [text for text in pool if len(text) < 1500] or list(pool)
    for pattern in others:
        pool += texts(pattern)
    return pool


LITMUS = seeds("litmus/*/*.litmus", "tests/malformed/litmus/*.litmus", "tests/fuzz/seeds/litmus/*")
LITMUS += [read(path) for path in sorted(glob.glob("../shared/peers/litmus/*/*/*.litmus"))]
CAT = seeds("models/*/*.cat", "models/*.cat", "tests/malformed/cat/*.cat", "tests/fuzz/seeds/cat/*")
DEFINITIONS = seeds("models/definitions/*.def", "tests/malformed/litmus/*.def", "tests/fuzz/seeds/uses/*")
USING = [text for text in LITMUS if b"\nuses " in text]
MACHINE = seeds("models/machines/*.machine", "tests/malformed/machine/*.machine", "tests/fuzz/seeds/machine/*")
CALLS = seeds("tests/fuzz/seeds/api/*")
MAPPING = seeds("models/mappings/*.map", "tests/malformed/*/*.map", "tests/fuzz/seeds/mapping/*")
MAPPED = [text for text in LITMUS if b"pragma" in text or b"p_barrier" in text or b"sfence" in text]
SKETCH = seeds("tests/bench/place/*.litmus", "tests/fuzz/seeds/sketch/*.litmus", "tests/malformed/litmus/hole*.litmus")
WEIGHTS = [b"# of a machine\nstatement 10\nsfence 50\nkr 100\nsc 20\n", b"p_barrier 3\nwi 0\nrel 9\n"]
KNOWN = seeds("litmus/spb/*.litmus", "litmus/gpm/*.litmus") # tests with an answer that peers has to compare
EDITED = [text for text in LITMUS[::5] + CAT if len(text) < 4000]
MESSAGES = [text.lstrip(b"!") for seed in seeds("tests/fuzz/seeds/lsp/*") for text in seed[1:].split(b"\n--\n")]
WORDS = sorted(set(re.findall(rb"[A-Za-z_][A-Za-z_0-9.]*|[^\sA-Za-z_0-9]{1,2}", b"\n".join(LITMUS[::7] + CAT))))
NUMBERS = [b"0", b"-1", b"255", b"4096", b"65536", b"2147483647", b"2147483648", b"-2147483649",
           b"9223372036854775807", b"18446744073709551616", b"1" * 400, b"0x7fffffff", b"1e9", b"08"]
LONG = [b" ", b"\n", b"a", b"0", b"(", b"[", b"{", b"/", b"*", b"~", b"\xff", b"\x00", b"/* ", b"x /\\ ",
        b"if (1) ", b"\"", b"| ", b"; ", b"[a/"]


def flip(rng, text):
    at = rng.randrange(len(text) + 1)
    return text[:at] + bytes([rng.randrange(256)]) + text[at + rng.randrange(2):]


def cut(rng, text):
    return text[:rng.randrange(len(text) + 1)]


def drop(rng, text):
    a, b = sorted(rng.randrange(len(text) + 1) for _ in "ab")
    return text[:a] + text[min(b, a + rng.choice((1, 8, 200))):]


def lines(rng, text):
    rows = text.split(b"\n")
    a, b = rng.randrange(len(rows)), rng.randrange(len(rows))
    if rng.random() < 0.5:
        rows[a], rows[b] = rows[b], rows[a]
    else:
        rows[a:a] = [rows[b]] * rng.choice((1, 2, 70, 300))
    return b"\n".join(rows)


def word(rng, text):
    places = list(re.finditer(rb"[A-Za-z_][A-Za-z_0-9]*|\d+|[^\sA-Za-z_0-9]", text))
    if not places:
        return text
    place = rng.choice(places)
    new = rng.choice(NUMBERS if place.group().isdigit() and rng.random() < 0.8 else WORDS)
    return text[:place.start()] + new + text[place.end():]


def splice(rng, text, pool):
    other = rng.choice(pool)
    return text[:rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1):]


def stretch(rng, text):
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(LONG) * rng.choice((300, 5000, 16390, 70000)) + text[at:]


def mutate(rng, pool):
    text = rng.choice(pool)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        kind = rng.random()
        if kind < 0.45:
            text = word(rng, text)
        elif kind < 0.6:
            text = flip(rng, text)
        elif kind < 0.7:
            text = drop(rng, text)
        elif kind < 0.8:
            text = lines(rng, text)
        elif kind < 0.87:
            text = splice(rng, text, pool)
        elif kind < 0.93:
            text = cut(rng, text)
        else:
            text = stretch(rng, text)
    return text[:256 << 10]


def touch(rng, pool):
    """At most one change, of a word or of lines: what readers refuse reaches nothing behind them."""
    text, kind = rng.choice(getattr(pool, "sound", pool)), rng.random()
    return text if kind < 0.5 else word(rng, text) if kind < 0.8 else lines(rng, text)


def some_of(rng, words, most):
    return [rng.choice(words) for _ in range(rng.randrange(1, most + 1))]


NAMES = [b"-o", b"a b", b"'", b'"', b"<x>&amp;", b"\x1b[31m", b"\xff\xfe", b"\xe2\x80\xae", b"$(id)", b"`id`",
         b";id", b"%s%n", b"\n", b"\t", b"#", b"@x", b"]]>", b"*", b"?", b"[a]", b"\\", b"\xc3\xa9", b"x" * 200,
         b"\x7f", b",", b"=", b"..", b"|"]


def hostile_name(rng, number, ending):
    name = b"%d" % number
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        name += rng.choice(NAMES)
    if rng.random() < 0.3:
        name = rng.choice([word for word in NAMES if word != b".."]) + name  # a hidden file is no test of a folder
    return (name if len(name) <= 200 else name[:197] + b"%03d" % number) + ending  # no two are cut to one
