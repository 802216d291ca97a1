#!/usr/bin/env python3
"""A complete solution of the course: spoilers ahead!

Reads questions, one JSON object a line, and writes answers. Nothing but Python 3 is needed.

    render grade all -- python3 docs/course/solutions/tracer.py
"""
import json
import math
import struct
import sys
import zlib


# Vectors are tuples of three numbers.

def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    length = norm(a)
    return scale(1 / length, a)


def at(o, t, d):
    return (o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2])


# Where a line crosses a solid: (near, far), or None. The distances may be negative.

def cross_ball(o, d, center, radius):
    f = sub(o, center)
    b = -dot(f, d)
    l = at(f, b, d)  # from the centre to the line, perpendicular
    disc = radius * radius - dot(l, l)
    if disc < 0:
        return None
    h = math.sqrt(disc)
    return b - h, b + h


def cross_capsule(o, d, a, b, radius):
    axis = sub(b, a)
    length = norm(axis)
    if length == 0:
        return cross_ball(o, d, a, radius)
    u = scale(1 / length, axis)
    f = sub(o, a)
    y, dy = dot(f, u), dot(d, u)  # along the axis
    f2, d2 = at(f, -y, u), at(d, -dy, u)  # across it
    roots = []
    q = dot(d2, d2)
    if q > 1e-31:  # otherwise the line is parallel to the axis, as far as a float can tell
        middle = -dot(f2, d2) / q
        l = at(f2, middle, d2)
        disc = radius * radius - dot(l, l)
        if disc < 0:
            return None
        h = math.sqrt(disc / q)
        roots = [t for t in (middle - h, middle + h) if 0 <= y + t * dy <= length]
    for end in (a, b):
        roots += cross_ball(o, d, end, radius) or ()
    return (min(roots), max(roots)) if roots else None


def cross_box(o, d, center, half, axes):
    """Returns near, far, and the outward normals and names of the two faces."""
    near, far, entry, exit = -math.inf, math.inf, None, None
    f = sub(o, center)
    for name, axis, h in zip("xyz", axes, half):
        p, v = dot(axis, f), dot(axis, d)
        if v == 0:
            if abs(p) > h:
                return None
            continue
        sign = math.copysign(1, v)
        t0, t1 = (-sign * h - p) / v, (sign * h - p) / v
        if t0 > near:
            near, entry = t0, (scale(-sign, axis), "-+"[sign < 0] + name)
        if t1 < far:
            far, exit = t1, (scale(sign, axis), "-+"[sign > 0] + name)
    if near > far:
        return None
    return near, far, entry, exit


def cross_solid(s, o, d):
    if s["type"] == "sphere":
        return cross_ball(o, d, s["center"], s["radius"])
    if s["type"] == "capsule":
        return cross_capsule(o, d, s["a"], s["b"], s["radius"])
    return cross_box(o, d, s["center"], s["half_extents"], s["axes"])


def closest(a, b, p):
    """Returns the point of the segment from a to b that is nearest to p."""
    ab = sub(b, a)
    length2 = dot(ab, ab)
    if length2 == 0:
        return tuple(a)
    t = dot(sub(p, a), ab) / length2
    t = max(0, min(1, t))
    return at(a, t, ab)


def normal_at(s, p, roots, i):
    """Returns the outward normal at the crossing i of the two, which lies at p."""
    if s["type"] == "sphere":
        return unit(sub(p, s["center"]))
    if s["type"] == "capsule":
        return unit(sub(p, closest(s["a"], s["b"], p)))
    return roots[2 + i][0]


def first_ahead(roots):
    """Returns which of the crossings is the first ahead: 0, 1 or None."""
    if roots is None:
        return None
    if roots[0] > 0:
        return 0
    if roots[1] > 0:
        return 1
    return None


# The stages about geometry.

def answer_line(q, kind):
    s = dict(q, type=kind)
    o, d = q["origin"], q["direction"]
    roots = cross_solid(s, o, d)
    if roots is None:
        return {"count": 0, "t": [], "points": [], "normals": []}
    t = roots[:2] if roots[0] < roots[1] else roots[:1]
    points = [at(o, x, d) for x in t]
    normals = [normal_at(s, p, roots, i) for i, p in enumerate(points)]
    out = {"count": len(t), "t": t, "points": points, "normals": normals}
    if kind == "box":
        out["face"] = roots[2][1]
    return out


def answer_ahead(q):
    roots = cross_solid(q["solid"], q["origin"], q["direction"])
    i = first_ahead(roots)
    return {"t": None if i is None else roots[i]}


def answer_segment(q):
    p = closest(q["a"], q["b"], q["center"])
    d = sub(p, q["center"])
    return {"closest": p, "touches": dot(d, d) <= q["radius"] ** 2}


def answer_overlap(q):
    """Integers alone: squared distances are fractions, num / den, and are never divided."""
    (p, u), (r, v) = [(x["p"] + [0] * (3 - len(x["p"])), x["q"] + [0] * (3 - len(x["q"]))) for x in (q["a"], q["b"])]
    reach = q["a"]["radius"] + q["b"]["radius"]
    cmp = min(compare(e, r, v, reach) for e in (p, u))
    cmp = min(cmp, min(compare(e, p, u, reach) for e in (r, v)))
    a, b, w = sub(u, p), sub(v, r), sub(r, p)
    n = cross(a, b)
    nn = dot(n, n)
    if nn > 0:
        s, t = dot(cross(w, b), n), dot(cross(w, a), n)
        if 0 <= s <= nn and 0 <= t <= nn:  # the feet of the common perpendicular lie on both axes
            cmp = min(cmp, sign(dot(w, n) ** 2 - reach * reach * nn))
    return {"relation": ["overlaps", "touches", "apart"][cmp + 1]}


def sign(x):
    return (x > 0) - (x < 0)


def compare(e, a, b, reach):
    """Says whether the point e is nearer to the segment than reach (-1), as near (0), or farther (1)."""
    ab, ae = sub(b, a), sub(e, a)
    num, den = dot(ae, ab), dot(ab, ab)
    if num <= 0:
        return sign(dot(ae, ae) - reach * reach)
    if num >= den:
        be = sub(e, b)
        return sign(dot(be, be) - reach * reach)
    n = cross(ae, ab)
    return sign(dot(n, n) - reach * reach * den)


def main():
    stages = {
        "sphere": lambda q: answer_line(q, "sphere"),
        "box": lambda q: answer_line(q, "box"),
        "capsule": lambda q: answer_line(q, "capsule"),
        "ahead": answer_ahead,
        "segment": answer_segment,
        "overlap": answer_overlap,
    }
    for line in sys.stdin:
        q = json.loads(line)
        answer = stages[q["stage"]](q)
        answer["id"] = q["id"]
        print(json.dumps(answer), flush=True)


main()
