#!/usr/bin/env python3
"""A complete solution of the course: spoilers ahead!

The program reads questions, one JSON object per line, and writes answers. It needs only Python 3.

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

# The following functions return where a line crosses a solid: (near, far), or None. The distances may be negative.

def cross_ball(o, d, center, radius):
    f = sub(o, center)
    b = -dot(f, d)
    l = at(f, b, d)  # from the center to the line, perpendicular
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

def cross_cylinder(o, d, a, b, radius):
    """Returns near, far, and the outward normals of the discs that are crossed there, None on the side."""
    axis, f = sub(b, a), sub(o, a)
    length, u = norm(axis), unit(axis)
    y, dy = dot(f, u), dot(d, u)
    f2, d2 = at(f, -y, u), at(d, -dy, u)
    q = dot(d2, d2)
    parallel = q <= 1e-31
    middle = 0 if parallel else -dot(f2, d2) / q
    l = f2 if parallel else at(f2, middle, d2)
    disc = radius * radius - dot(l, l)
    if disc < 0:
        return None
    h = math.inf if parallel else math.sqrt(disc / q)
    side = near, far, entry, exit = middle - h, middle + h, None, None
    if dy == 0:
        return side if 0 <= y <= length else None
    lower, upper = (-y / dy, [scale(-1, u)]), ((length - y) / dy, [u])
    first, last = (lower, upper) if dy > 0 else (upper, lower)
    if first[0] >= near:
        near, entry = first
    if last[0] <= far:
        far, exit = last
    return (near, far, entry, exit) if near <= far else None

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
    if s["type"] == "cylinder":
        return cross_cylinder(o, d, s["a"], s["b"], s["radius"])
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
    if s["type"] == "cylinder" and roots[2 + i] is None:
        f, u = sub(p, s["a"]), unit(sub(s["b"], s["a"]))
        return unit(at(f, -dot(f, u), u))
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
    t = roots[:1] if roots[0] == roots[1] else roots[:2]
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

def answer_cut(q):
    o, d = q["origin"], q["direction"]
    roots = cross_solid(q["solid"], o, d)
    t, by = list(roots[:2]) if roots else [math.inf, -math.inf], [None, None]
    for k, s in enumerate(q["sections"]):
        height, rise = dot(sub(o, s["point"]), s["normal"]), dot(d, s["normal"])
        if rise == 0:
            if height > 0:
                t = [math.inf, -math.inf]  # all of the line was taken away
            continue
        x, i = -height / rise, int(rise > 0)
        if x > t[0] if i == 0 else x < t[1]:
            t[i], by[i] = x, k
    out = {"count": 0, "t": [], "normals": [], "faces": []}
    for i in range(2 if t[0] < t[1] else int(t[0] == t[1])):
        k = by[i]
        out["count"] += 1
        out["t"].append(t[i])
        out["normals"].append(normal_at(q["solid"], at(o, t[i], d), roots, i) if k is None else q["sections"][k]["normal"])
        out["faces"].append("solid" if k is None else "section %d" % k)
    return out

def answer_segment(q):
    p = closest(q["a"], q["b"], q["center"])
    d = sub(p, q["center"])
    return {"closest": p, "touches": dot(d, d) <= q["radius"] ** 2}

def answer_overlap(q):
    """Uses only integers: a squared distance is a fraction num / den, and is never divided."""
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
    """Returns -1 if the distance of the point e from the segment is less than reach, 0 if equal, 1 if greater."""
    ab, ae = sub(b, a), sub(e, a)
    num, den = dot(ae, ab), dot(ab, ab)
    if num <= 0:
        return sign(dot(ae, ae) - reach * reach)
    if num >= den:
        be = sub(e, b)
        return sign(dot(be, be) - reach * reach)
    n = cross(ae, ab)
    return sign(dot(n, n) - reach * reach * den)

# The stages about light. Colors are tuples of linear red, green and blue.

def decode(text):
    def linear(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
    return tuple(linear(int(text[i:i + 2], 16) / 255) for i in (1, 3, 5))

def encode(x):
    x = max(0, min(1, x))
    c = 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055
    return int(255 * c + 0.5)

def times(a, b):
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])

def mix(a, b, t):
    return add(scale(1 - t, a), scale(t, b))

class Light:
    def __init__(self, q):
        self.position = q.get("position")
        self.toward = scale(-1, q["direction"]) if "direction" in q else None
        self.strength = scale(q["intensity"], decode(q["color"]))

    def seen_from(self, p):
        """Returns the direction from p to the light, and how far away it is."""
        if self.toward:
            return self.toward, math.inf
        v = sub(self.position, p)
        return unit(v), norm(v)

def answer_lambert(q):
    total = (q["ambient"],) * 3
    for light in map(Light, q["lights"]):
        direction, _ = light.seen_from(q["point"])
        total = add(total, scale(max(0, dot(q["normal"], direction)), light.strength))
    color = times(decode(q["albedo"]), total)
    return {"color": color, "srgb": [encode(c) for c in color]}

def nearest(solids, o, d):
    """Returns the number of the solid that a ray meets first, its crossings and which of them; or None."""
    best, least = None, math.inf
    for k, s in enumerate(solids):
        roots = cross_solid(s, o, d)
        i = first_ahead(roots)
        if i is not None and roots[i] < least:
            best, least = (k, roots, i), roots[i]
    return best

def answer_nearest(q):
    o, d = q["origin"], q["direction"]
    hit = nearest(q["solids"], o, d)
    if hit is None:
        return {"object": None, "t": None, "normal": None}
    k, roots, i = hit
    n = normal_at(q["solids"][k], at(o, roots[i], d), roots, i)
    return {"object": k, "t": roots[i], "normal": n if i == 0 else scale(-1, n)}

def departing(solids, own, inside, around, o, d):
    """Like nearest, for a ray that starts on the surface of the solid own. A ray that starts on the outside
    cannot hit own again; a ray that starts on the inside hits it where it leaves it. Other solids are hit where
    the ray enters them, except for solids that contain the eye, which are hit where the ray leaves them."""
    best, least = None, math.inf
    for k, s in enumerate(solids):
        if k == own and not inside:
            continue
        roots = cross_solid(s, o, d)
        if roots is None:
            continue
        i = 1 if k == own or k in around else 0
        if (roots[i] > 0 or k == own) and roots[i] < least:
            best, least = (k, roots, i), roots[i]
    return best

def answer_shadow(q):
    def arrives(light):
        direction, reach = light.seen_from(q["point"])
        if dot(q["normal"], direction) <= 0:
            return False
        hit = departing(q["solids"], q["solid"], False, (), q["point"], direction)
        return hit is None or hit[1][hit[2]] >= reach
    return {"arrives": [arrives(light) for light in map(Light, q["lights"])]}

# The stages about whole scenes.

def frame(camera, width, height):
    """Returns a function that returns the ray for a position in the picture, in pixels."""
    o = camera["position"]
    forward = unit(sub(camera["look_at"], o))
    right = unit(cross(forward, camera["up"]))
    up = cross(right, forward)
    flat = camera["projection"] == "orthographic"
    view = camera["view_height"] if flat else 2 * math.tan(math.radians(camera["fov"]) / 2)
    pixel = view / height

    def ray(x, y):
        across = scale((x - width / 2) * pixel, right)
        offset = add(across, scale((height / 2 - y) * pixel, up))
        if flat:
            return add(o, offset), forward
        return tuple(o), unit(add(forward, offset))
    return ray

def answer_camera(q):
    x, y = q["pixel"]
    o, d = frame(q["camera"], q["width"], q["height"])(x + 0.5, y + 0.5)
    return {"origin": o, "direction": d}

class Scene:
    def __init__(self, q):
        self.q = q
        self.solids = q["solids"]
        self.albedo = [decode(s["color"]) for s in self.solids]
        self.lights = [Light(l) for l in q["lights"]]
        self.top, self.bottom = (decode(q["background"][k]) for k in ("top", "bottom"))
        self.up = unit(q["camera"]["up"])

    def background(self, d):
        return mix(self.bottom, self.top, (1 + dot(d, self.up)) / 2)

    def see(self, o, d):
        """Returns the color that a ray from the eye sees."""
        around = []
        for k, s in enumerate(self.solids):
            roots = cross_solid(s, o, d)
            if roots and roots[0] < 0 < roots[1]:
                around.append(k)
        return self.shade(nearest(self.solids, o, d), o, d, around, 0)

    def shade(self, hit, o, d, around, depth):
        if hit is None:
            return self.background(d)
        k, roots, i = hit
        s, inside = self.solids[k], i == 1
        p = at(o, roots[i], d)
        n = normal_at(s, p, roots, i)
        if inside:
            n = scale(-1, n)
        total = (self.q["ambient"],) * 3
        for light in self.lights:
            direction, reach = light.seen_from(p)
            cosine = dot(n, direction)
            if cosine > 0:
                block = departing(self.solids, k, inside, around, p, direction)
                if block is None or block[1][block[2]] >= reach:
                    total = add(total, scale(cosine, light.strength))
        matte = times(self.albedo[k], total)
        if s["mirror"] == 0 or depth >= self.q["bounces"]:
            return matte
        r = unit(at(d, -2 * dot(d, n), n))
        seen = self.shade(departing(self.solids, k, inside, around, p, r), p, r, around, depth + 1)
        return mix(matte, seen, s["mirror"])

def answer_mirror(q):
    return {"color": Scene(q["scene"]).see(q["origin"], q["direction"])}

def answer_picture(q):
    scene = Scene(q["scene"])
    width, height, n = (scene.q[k] for k in ("width", "height", "antialias"))
    ray = frame(scene.q["camera"], width, height)
    rows = []
    for y in range(height):
        row = bytearray([0])  # no filter
        for x in range(width):
            total = (0, 0, 0)
            for j in range(n):
                for i in range(n):
                    c = scene.see(*ray(x + (i + 0.5) / n, y + (j + 0.5) / n))
                    total = add(total, tuple(min(1, v) for v in c))
            row += bytes(encode(v / (n * n)) for v in total)
        rows.append(bytes(row))
    write_png(q["png"], width, height, b"".join(rows))
    return {}

def write_png(name, width, height, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        f.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

def main():
    stages = {
        "sphere": lambda q: answer_line(q, "sphere"),
        "box": lambda q: answer_line(q, "box"),
        "capsule": lambda q: answer_line(q, "capsule"),
        "cylinder": lambda q: answer_line(q, "cylinder"),
        "cut": answer_cut,
        "ahead": answer_ahead,
        "segment": answer_segment,
        "overlap": answer_overlap,
        "nearest": answer_nearest,
        "camera": answer_camera,
        "lambert": answer_lambert,
        "shadow": answer_shadow,
        "mirror": answer_mirror,
        "picture": answer_picture,
    }
    for line in sys.stdin:
        q = json.loads(line)
        answer = stages[q["stage"]](q)
        answer["id"] = q["id"]
        print(json.dumps(answer), flush=True)

main()
