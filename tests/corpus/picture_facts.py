"""Facts of pictures, from the SVG alone.

    picture_facts.py slides FILE.svg...    a line for each picture: events, the smallest text in pixels at 1280 x 720,
                                           and what is wrong: a shape that is not 16 to 9, small text of up to twelve
                                           events, text outside of the page
    picture_facts.py contrast FILE.svg...  texts and edges with a contrast below 4.5 to what they stand on, with the
                                           document's colours for light and for dark paper; then how many were looked at
    picture_facts.py verdicts FILE.html    how far the colours of verdicts are from each other, on light and on dark paper, for who
                                           has no cones for green (the matrix of Machado et al., 2009)
    picture_facts.py patterns FILE.svg     a line for each patch of the legend of `compare`: how it is drawn, colours and place aside

Contrast is that of WCAG 2.1; a character is taken for 0.602 of the size of the font wide, as in DejaVu Sans Mono.
"""
import functools
import re
import sys
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
LEAST, MOST_EVENTS, LARGE = 4.5, 12, 18


def classes(element):
    return element.get("class", "").split()


# ---- Style sheets: rules of compound selectors, of which the last that fits with most classes counts ----

@functools.cache
def rules_of(text):
    """(chain of class sets, declarations, order) of each selector."""
    found = []
    for number, match in enumerate(re.finditer(r"([^{}]+)\{([^{}]*)\}", re.sub(r"@media[^{]*\{", "", text))):
        declared = dict(part.split(":", 1) for part in match.group(2).replace(" ", "").split(";") if part)
        for selector in match.group(1).split(","):
            chain = []
            for word in selector.split():
                tag = re.match(r"[a-z]*", word).group(0)
                chain.append((tag, set(word[len(tag):].strip(".").split(".")) - {""}))
            found.append((chain, declared, number))
    return found


def is_like(kind, part):
    tag, wanted = part
    return (not tag or kind[0] == SVG + tag) and wanted <= set(kind[1].split())


def fits(kinds, chain):
    if not chain or not is_like(kinds[-1], chain[-1]):
        return False
    at, wanted = len(kinds) - 2, len(chain) - 2
    while wanted >= 0 and at >= 0:
        wanted -= is_like(kinds[at], chain[wanted])
        at -= 1
    return wanted < 0


@functools.cache
def declared_for(kinds, name, sheet):
    """What a sheet says of elements that are of these kinds, (tag, classes) each from the root on."""
    best = None
    for chain, declared, number in rules_of(sheet):
        if name in declared and fits(kinds, chain):
            weight = (sum(10 * len(wanted) + bool(tag) for tag, wanted in chain), number)
            best = max(best or (weight, ""), (weight, declared[name]))
    return best[1] if best else None


def own(path, name, sheet):
    return declared_for(tuple((element.tag, element.get("class", "")) for element in path), name, sheet)


def colour(path, name, sheet):
    value = own(path, name, sheet) or path[-1].get(name)
    if value and value.startswith("var("):
        for depth in range(len(path), 0, -1):
            found = own(path[:depth], value[4:-1], sheet)
            if found:
                return found
    return value


# ---- Colours ----

def luminance(colour_):
    parts = [int(colour_[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def ground_of(path, sheet):
    """What a text or an edge stands on: the box of its group (an event, a part of a machine, a class of models), else the
    paper of its picture."""
    for depth in range(len(path) - 1, 0, -1):
        for body in path[depth]:
            if {"body", "sheet", "patch"} & set(classes(body)) and "key" not in classes(path[depth]):
                return colour(path[:depth + 1] + [body], "fill", sheet)
        if "picture" in classes(path[depth]):
            paper = next(child for child in path[depth] if "paper" in classes(child))
            return colour(path[:depth + 1] + [paper], "fill", sheet)
    ground = next(child for child in path[0] if "ground" in classes(child))
    return colour([path[0], ground], "fill", sheet)


def walk(path):
    yield path
    for child in path[-1]:
        yield from walk(path + [child])


def tell_contrast(name, tree):
    own_sheet = "".join(style.text for style in tree.iter(SVG + "style"))
    looked_at = 0
    for path in walk([tree]):
        element = path[-1]
        part = "fill" if element.tag == SVG + "text" else "stroke" if "line" in classes(element) else None
        if not part:
            continue
        for scheme, sheet in (("light", ""), ("dark", own_sheet)):
            ink, ground = colour(path, part, sheet) or "#000000", ground_of(path, sheet)
            looked_at += 1
            if contrast(ink, ground) < LEAST:
                print(name, scheme, ink, "on", ground, round(contrast(ink, ground), 2), element.get("class"),
                      path[-2].get("class"), element.text)
    return looked_at


# ---- Slides ----

def texts(picture):
    """Each text with its scale and the place of its middle or start."""
    def under(element, scale, x, y):
        move = re.search(r"translate\((-?\d+) (-?\d+)\)", element.get("transform", ""))
        grow = re.search(r"scale\(([\d.]+)\)", element.get("transform", ""))
        if move:
            x, y = x + scale * int(move.group(1)), y + scale * int(move.group(2))
        scale *= float(grow.group(1)) if grow else 1
        if element.tag == SVG + "text":
            size = int(element.get("font-size")) * scale
            width = 0.602 * size * len(element.text)
            left = x + scale * int(element.get("x")) - (width / 2 if element.get("text-anchor") else 0)
            yield size, left, left + width, y + scale * int(element.get("y")), element.text
        for child in element:
            yield from under(child, scale, x, y)
    for child in picture:
        yield from under(child, 1, 0, 0)


def tell_slide(name, picture):
    page = [int(number) for number in picture.get("viewBox").split()]
    events = sum("event" in classes(element) for element in picture.iter())
    found = list(texts(picture))
    smallest = min(size for size, *_ in found) * 1280 / page[2]
    faults = []
    if page[2] * 9 != page[3] * 16 or (picture.get("width"), picture.get("height")) != ("1280", "720"):
        faults.append("shape")
    if events <= MOST_EVENTS and smallest < LARGE:
        faults.append("small")
    if any(left < -1 or right > page[2] + 1 or level < 10 or level > page[3] for _, left, right, level, _ in found):
        faults.append("outside")
    print(name, events, "%.1f" % smallest, *faults)


# ---- Patterns ----

def tell_patterns(root):
    for group in root.iter(SVG + "g"):
        if "key" in classes(group) and any("patch" in classes(child) for child in group):
            x, y = next((int(c.get("x")), int(c.get("y"))) for c in group if "patch" in classes(c))
            drawn = [(c.get("stroke-dasharray"), re.sub(r"M(\d+) (\d+)", lambda m: f"M{int(m[1]) - x} {int(m[2]) - y}", re.sub(
                r"L(\d+) (\d+)", lambda m: f"L{int(m[1]) - x} {int(m[2]) - y}", c.get("d")))) for c in group if "pattern" in classes(c)]
            print(drawn)


# ---- Verdicts ----

def tell_verdicts(text):
    rows = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
    for scheme, number in (("light", 0), ("dark", 1)):
        seen = {}
        for word in ("ok", "violated", "undefined", "error"):
            found = re.findall(rf"--{word}: #([0-9a-f]{{6}})", text)[number]
            parts = [int(found[i:i + 2], 16) for i in (0, 2, 4)]
            seen[word] = [sum(a * b for a, b in zip(row, parts)) for row in rows]
        for one in seen:
            for other in seen:
                if one < other:
                    print(scheme, one, other, round(sum((a - b) ** 2 for a, b in zip(seen[one], seen[other])) ** 0.5))


looked_at = 0
for path in sys.argv[2:]:
    if sys.argv[1] == "verdicts":
        tell_verdicts(open(path).read())
        continue
    root = ElementTree.parse(path).getroot()
    if sys.argv[1] == "patterns":
        tell_patterns(root)
        continue
    if sys.argv[1] == "contrast":
        looked_at += tell_contrast(path, root)
        continue
    for found in root.iter(SVG + "svg"):
        if "picture" in classes(found):
            tell_slide(found.get("aria-label"), found)
if sys.argv[1] == "contrast":
    print(looked_at, "looked at")
