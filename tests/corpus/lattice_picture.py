"""lattice_picture.py FILE.svg...: does each edge of a lattice's picture run from box to box, and touch no other?

Boxes are the rectangles of class="class", edges the paths of class="edge": M, C and V in absolute coordinates. Curves are followed in 200 steps,
and a box counts with two pixels around it. An edge begins at the lower side of a box and ends at the upper side of another. Labels may not lie
on each other or on boxes.
"""
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def boxes_of(page):
    boxes = []
    for group in page.iter(SVG + "g"):
        if group.get("class") == "class":
            r = group.find(SVG + "rect")
            boxes.append(tuple(float(r.get(k)) for k in ("x", "y", "width", "height")))
    return boxes


def points_of(path):
    words = re.findall(r"[MCV]|-?[0-9.]+", path.get("d"))
    at, points, command = 0, [], None
    while at < len(words):
        if words[at] in "MCV":
            command, at = words[at], at + 1
            continue
        take = {"M": 2, "C": 6, "V": 1}[command]
        numbers = [float(w) for w in words[at : at + take]]
        at += take
        if command == "M":
            points.append(tuple(numbers))
            continue
        start = points[-1]
        if command == "V":
            numbers = [start[0], start[1], start[0], numbers[0], start[0], numbers[0]]
        a, b, c, d, x, y = numbers
        for i in range(1, 201):
            t, u = i / 200, 1 - i / 200
            points.append(tuple(u**3 * p + 3 * u * u * t * q + 3 * u * t * t * r + t**3 * s
                                for p, q, r, s in ((start[0], a, c, x), (start[1], b, d, y))))
    return points


def is_inside(point, box, around):
    x, y, width, height = box
    return x - around < point[0] < x + width + around and y - around < point[1] < y + height + around


def at_side(point, boxes, lower):
    for k, (x, y, width, height) in enumerate(boxes):
        if x <= point[0] <= x + width and abs(point[1] - (y + height if lower else y)) < 0.6:
            return k
    return None


def judge(name):
    page = tree.parse(name).getroot()
    boxes, faults, count = boxes_of(page), [], 0
    for path in page.iter(SVG + "path"):
        if path.get("class") != "edge":
            continue
        count += 1
        points = points_of(path)
        ends = at_side(points[0], boxes, True), at_side(points[-1], boxes, False)
        if None in ends:
            faults.append("%s: the edge %s hangs in the air" % (name, path.get("d")))
        for k, box in enumerate(boxes):
            if k not in ends and any(is_inside(p, box, 2) for p in points):
                faults.append("%s: the edge %s touches the box at %g,%g" % ((name, path.get("d")) + box[:2]))
            if k in ends and any(is_inside(p, box, -1) for p in points):
                faults.append("%s: the edge %s runs behind its own box" % (name, path.get("d")))
    labels = [(float(t.get("x")), float(t.get("y")), len(t.text)) for t in page.iter(SVG + "text") if t.get("class") == "label"]
    for i, (x, y, n) in enumerate(labels):
        for u, v, m in labels[:i]:
            if abs(x - u) < 3.5 * (n + m) and abs(y - v) < 10:
                faults.append("%s: labels at %g,%g and %g,%g lie on each other" % (name, x, y, u, v))
        for box in boxes:
            if is_inside((x, y - 4), box, 3):
                faults.append("%s: the label at %g,%g lies on a box" % (name, x, y))
    if not boxes or not count:
        faults.append("%s: %d boxes and %d edges" % (name, len(boxes), count))
    return faults


FAULTS = [fault for name in sys.argv[1:] for fault in judge(name)]
print("\n".join(FAULTS))
sys.exit(1 if FAULTS or len(sys.argv) < 2 else 0)
