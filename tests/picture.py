"""picture.py FILE - is a picture that tf-graph made as SVG one that can be read?

It is XML without scripts; no two boxes meet, nor boxes and titles of modules;
modules lie within each other or apart; a text fits its box, and an edge runs
under no box and no title but where it begins and ends.
"""
import re
import sys
import xml.etree.ElementTree as E

NS = "{http://www.w3.org/2000/svg}"
CELL = 7.2
root = E.parse(sys.argv[1]).getroot()
assert not [e for e in root.iter() if e.tag in (NS + "script", NS + "foreignObject")]
body = [g for g in root.findall(NS + "g") if "transform" in g.attrib][0]
bad = []


def rect(e):
    x, y, w, h = (float(e.get(k)) for k in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


def meet(a, b, gap=0.0):
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def inside(a, b):
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


def cells(text):
    return sum(2 if ord(c) >= 0x1100 else 1 for c in text)


boxes, titles, modules, ways = [], [], [], []
for e in body:
    if e.tag == NS + "rect":
        modules.append(rect(e))
    elif e.tag == NS + "text":
        x, y = float(e.get("x")), float(e.get("y"))
        titles.append((x, y - 10, x + cells(e.text) * CELL, y + 2))
    elif e.tag == NS + "path":
        ways.append(e.get("d"))
    elif e.tag == NS + "g":
        at = rect(e.findall(NS + "rect")[-1])
        text = "".join(e.find(NS + "text").itertext())
        if float(e.find(NS + "text").get("x")) + cells(text) * CELL > at[2]:
            bad.append(f"{text} is wider than its box")
        boxes.append((at, text))

ordered = sorted(boxes)
for i, (a, name) in enumerate(ordered):
    for b, other in ordered[i + 1 :]:
        if b[0] >= a[2]:
            break
        if meet(a, b, 3):
            bad.append(f"{name} meets {other}")
    for t in titles:
        if meet(a, t):
            bad.append(f"{name} lies on the title of a module")
    for m in modules:
        if meet(a, m) and not inside(a, m):
            bad.append(f"{name} lies on the edge of a module")
for i, a in enumerate(modules):
    for b in modules[i + 1 :]:
        if meet(a, b) and not inside(a, b) and not inside(b, a):
            bad.append(f"modules meet: {a} {b}")


def points(d):
    at, todo = None, re.findall(r"([MCH])([^MCH]*)", d)
    for kind, args in todo:
        n = [float(x) for x in args.split()]
        if kind == "M":
            at = (n[0], n[1])
        elif kind == "H":
            for k in range(1, 41):
                yield at[0] + (n[0] - at[0]) * k / 40, at[1]
            at = (n[0], at[1])
        else:
            p = [at, (n[0], n[1]), (n[2], n[3]), (n[4], n[5])]
            for k in range(1, 41):
                t = k / 40
                yield tuple(
                    (1 - t) ** 3 * p[0][i] + 3 * t * (1 - t) ** 2 * p[1][i]
                    + 3 * t * t * (1 - t) * p[2][i] + t**3 * p[3][i]
                    for i in (0, 1)
                )
            at = p[3]


for d in ways:
    for x, y in points(d):
        for b, name in boxes:
            if b[0] + 1 < x < b[2] - 1 and b[1] < y < b[3]:
                bad.append(f"{d} runs under {name}")
                break
        for t in titles:
            if t[0] < x < t[2] and t[1] < y < t[3]:
                bad.append(f"{d} runs under a title")
                break
size = float(root.get("width")), float(root.get("height"))
dx, dy = (float(x) for x in re.findall(r"\d+", body.get("transform")))
for b, name in boxes:
    if b[2] + dx > size[0] or b[3] + dy > size[1]:
        bad.append(f"{name} lies outside")
if bad:
    sys.exit("\n".join(bad[:20]))
