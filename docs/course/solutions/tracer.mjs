#!/usr/bin/env node
// A complete solution of the course: spoilers ahead!
//
// The program reads questions, one JSON object per line, and writes answers. It needs only node.
//
//     render grade all -- node docs/course/solutions/tracer.mjs
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { deflateSync } from "node:zlib";

// Vectors are arrays of three numbers.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
const times = (a, b) => [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.sqrt(dot(a, a));
const unit = (a) => scale(1 / norm(a), a);
const at = (o, t, d) => [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];

// The following functions return where a line crosses a solid: { t: [near, far] }, or null. The distances may be negative.

function crossBall(o, d, center, radius) {
  const f = sub(o, center);
  const b = -dot(f, d);
  const l = at(f, b, d); // from the center to the line, perpendicular
  const disc = radius * radius - dot(l, l);
  if (disc < 0) return null;
  const h = Math.sqrt(disc);
  return { t: [b - h, b + h] };
}

function crossCapsule(o, d, a, b, radius) {
  const axis = sub(b, a);
  const length = norm(axis);
  if (length === 0) return crossBall(o, d, a, radius);
  const u = scale(1 / length, axis);
  const f = sub(o, a);
  const y = dot(f, u), dy = dot(d, u); // along the axis
  const f2 = at(f, -y, u), d2 = at(d, -dy, u); // across it
  const q = dot(d2, d2);
  const roots = [];
  if (q > 1e-31) { // otherwise the line is parallel to the axis, as far as a float can tell
    const middle = -dot(f2, d2) / q;
    const l = at(f2, middle, d2);
    const disc = radius * radius - dot(l, l);
    if (disc < 0) return null;
    const h = Math.sqrt(disc / q);
    for (const t of [middle - h, middle + h]) {
      const height = y + t * dy;
      if (height >= 0 && height <= length) roots.push(t);
    }
  }
  for (const end of [a, b]) roots.push(...(crossBall(o, d, end, radius)?.t ?? []));
  return roots.length ? { t: [Math.min(...roots), Math.max(...roots)] } : null;
}

function crossCylinder(o, d, a, b, radius) {
  const axis = sub(b, a), f = sub(o, a);
  const length = norm(axis), u = unit(axis);
  const y = dot(f, u), dy = dot(d, u);
  const f2 = at(f, -y, u), d2 = at(d, -dy, u);
  const q = dot(d2, d2), parallel = q <= 1e-31;
  const middle = parallel ? 0 : -dot(f2, d2) / q;
  const l = parallel ? f2 : at(f2, middle, d2);
  const disc = radius * radius - dot(l, l);
  if (disc < 0) return null;
  const h = parallel ? Infinity : Math.sqrt(disc / q);
  let near = middle - h, far = middle + h, entry, exit; // a face is undefined on the side
  if (dy === 0) return y >= 0 && y <= length ? { t: [near, far] } : null;
  const lower = [-y / dy, { normal: scale(-1, u) }], upper = [(length - y) / dy, { normal: u }];
  const [first, last] = dy > 0 ? [lower, upper] : [upper, lower];
  if (first[0] >= near) [near, entry] = first;
  if (last[0] <= far) [far, exit] = last;
  return near <= far ? { t: [near, far], faces: [entry, exit] } : null;
}

function crossBox(o, d, center, half, axes) {
  const f = sub(o, center);
  let near = -Infinity, far = Infinity, entry, exit;
  for (let i = 0; i < 3; i++) {
    const p = dot(axes[i], f), v = dot(axes[i], d), h = half[i];
    if (v === 0) {
      if (Math.abs(p) > h) return null;
      continue;
    }
    const sign = Math.sign(v);
    const face = (s) => ({ normal: scale(s, axes[i]), name: (s > 0 ? "+" : "-") + "xyz"[i] });
    const t0 = (-sign * h - p) / v, t1 = (sign * h - p) / v;
    if (t0 > near) [near, entry] = [t0, face(-sign)];
    if (t1 < far) [far, exit] = [t1, face(sign)];
  }
  return near > far ? null : { t: [near, far], faces: [entry, exit] };
}

function crossSolid(s, o, d) {
  switch (s.type) {
    case "sphere": return crossBall(o, d, s.center, s.radius);
    case "capsule": return crossCapsule(o, d, s.a, s.b, s.radius);
    case "cylinder": return crossCylinder(o, d, s.a, s.b, s.radius);
    default: return crossBox(o, d, s.center, s.half_extents, s.axes);
  }
}

// closest returns the point of the segment from a to b that is nearest to p.
function closest(a, b, p) {
  const ab = sub(b, a);
  const length2 = dot(ab, ab);
  if (length2 === 0) return a;
  return at(a, Math.max(0, Math.min(1, dot(sub(p, a), ab) / length2)), ab);
}

// normalAt returns the outward normal at the crossing i of the two, which lies at p.
function normalAt(s, p, roots, i) {
  switch (s.type) {
    case "sphere": return unit(sub(p, s.center));
    case "capsule": return unit(sub(p, closest(s.a, s.b, p)));
    case "cylinder": {
      const f = sub(p, s.a), u = unit(sub(s.b, s.a));
      return roots.faces?.[i]?.normal ?? unit(at(f, -dot(f, u), u));
    }
    default: return roots.faces[i].normal;
  }
}

// firstAhead returns the index of the first crossing ahead, 0 or 1, or -1 if there is no such crossing.
const firstAhead = (roots) => (roots ? roots.t.findIndex((t) => t > 0) : -1);

// The stages about geometry.

function answerLine(q, type) {
  const s = { ...q, type };
  const roots = crossSolid(s, q.origin, q.direction);
  if (!roots) return { count: 0, t: [], points: [], normals: [] };
  const t = roots.t[0] < roots.t[1] ? roots.t : [roots.t[0]];
  const points = t.map((x) => at(q.origin, x, q.direction));
  const normals = points.map((p, i) => normalAt(s, p, roots, i));
  return { count: t.length, t, points, normals, face: roots.faces?.[0]?.name };
}

function answerAhead(q) {
  const roots = crossSolid(q.solid, q.origin, q.direction);
  const i = firstAhead(roots);
  return { t: i < 0 ? null : roots.t[i] };
}

function answerCut(q) {
  const o = q.origin, d = q.direction;
  const roots = crossSolid(q.solid, o, d);
  if (!roots) return { count: 0, t: [], normals: [], faces: [] };
  const t = [...roots.t], by = [-1, -1];
  for (const [k, s] of q.sections.entries()) {
    const height = dot(sub(o, s.point), s.normal), rise = dot(d, s.normal);
    const x = -height / rise;
    if (rise < 0 && x > t[0]) [t[0], by[0]] = [x, k];
    if (rise > 0 && x < t[1]) [t[1], by[1]] = [x, k];
    if (rise === 0 && height > 0) t[1] = -Infinity; // all of the line was taken away
  }
  const ends = [0, 1].slice(0, t[0] < t[1] ? 2 : t[0] === t[1] ? 1 : 0);
  return {
    count: ends.length,
    t: ends.map((i) => t[i]),
    normals: ends.map((i) => q.sections[by[i]]?.normal ?? normalAt(q.solid, at(o, t[i], d), roots, i)),
    faces: ends.map((i) => (by[i] < 0 ? "solid" : `section ${by[i]}`)),
  };
}

function answerSegment(q) {
  const p = closest(q.a, q.b, q.center);
  const d = sub(p, q.center);
  return { closest: p, touches: dot(d, d) <= q.radius * q.radius };
}

// The overlap of capsules is decided in integers of any size.

const big = {
  sub: (a, b) => a.map((x, i) => x - b[i]),
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  sign: (x) => (x > 0n ? 1 : x < 0n ? -1 : 0),
};

// compare returns -1 if the distance of the point e from the segment is less than reach, 0 if it is equal, and 1 if it is greater.
function compare(e, a, b, reach) {
  const ab = big.sub(b, a), ae = big.sub(e, a), be = big.sub(e, b);
  const num = big.dot(ae, ab), den = big.dot(ab, ab);
  if (num <= 0n) return big.sign(big.dot(ae, ae) - reach * reach);
  if (num >= den) return big.sign(big.dot(be, be) - reach * reach);
  const n = cross(ae, ab);
  return big.sign(big.dot(n, n) - reach * reach * den);
}

function answerOverlap(q) {
  const ends = (c) => [c.p, c.q].map((p) => [p[0], p[1], p[2] ?? 0].map(BigInt));
  const [p, u] = ends(q.a), [r, v] = ends(q.b);
  const reach = BigInt(q.a.radius) + BigInt(q.b.radius);
  let least = Math.min(compare(p, r, v, reach), compare(u, r, v, reach), compare(r, p, u, reach), compare(v, p, u, reach));
  const a = big.sub(u, p), b = big.sub(v, r), w = big.sub(r, p);
  const n = cross(a, b);
  const nn = big.dot(n, n);
  if (nn > 0n) {
    const s = big.dot(cross(w, b), n), t = big.dot(cross(w, a), n);
    if (s >= 0n && s <= nn && t >= 0n && t <= nn) { // the feet of the common perpendicular lie on both axes
      least = Math.min(least, big.sign(big.dot(w, n) ** 2n - reach * reach * nn));
    }
  }
  return { relation: ["overlaps", "touches", "apart"][least + 1] };
}

// The stages about light. Colors are arrays of linear red, green and blue.

function decode(text) {
  return [1, 3, 5].map((i) => {
    const c = parseInt(text.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
}

function encode(x) {
  x = Math.max(0, Math.min(1, x));
  return Math.floor(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055) + 0.5);
}

const mix = (a, b, t) => add(scale(1 - t, a), scale(t, b));

// readLight returns a light: its strength, and a function that returns the direction and distance from a point to the light.
function readLight(q) {
  const strength = scale(q.intensity, decode(q.color));
  const way = (p) => {
    if (q.direction) return { dir: scale(-1, q.direction), reach: Infinity };
    const v = sub(q.position, p);
    return { dir: unit(v), reach: norm(v) };
  };
  return { strength, way };
}

function answerLambert(q) {
  let total = [q.ambient, q.ambient, q.ambient];
  for (const light of q.lights.map(readLight)) {
    total = add(total, scale(Math.max(0, dot(q.normal, light.way(q.point).dir)), light.strength));
  }
  const color = times(decode(q.albedo), total);
  return { color, srgb: color.map(encode) };
}

// nearest returns the closest hit of a ray: { k, roots, i, t }, or null.
function nearest(solids, o, d) {
  let best = null;
  solids.forEach((s, k) => {
    const roots = crossSolid(s, o, d);
    const i = firstAhead(roots);
    if (i >= 0 && (!best || roots.t[i] < best.t)) best = { k, roots, i, t: roots.t[i] };
  });
  return best;
}

function answerNearest(q) {
  const hit = nearest(q.solids, q.origin, q.direction);
  if (!hit) return { object: null, t: null, normal: null };
  const n = normalAt(q.solids[hit.k], at(q.origin, hit.t, q.direction), hit.roots, hit.i);
  return { object: hit.k, t: hit.t, normal: hit.i === 0 ? n : scale(-1, n) };
}

// departing is nearest for a ray that starts on the surface of a solid. A ray that starts on the outside cannot hit this
// solid again; a ray that starts on the inside hits it where it leaves it. Other solids are hit where the ray enters
// them, except for solids that contain the eye, which are hit where the ray leaves them.
function departing(solids, own, inside, around, o, d) {
  let best = null;
  solids.forEach((s, k) => {
    if (k === own && !inside) return;
    const roots = crossSolid(s, o, d);
    if (!roots) return;
    const i = k === own || around.includes(k) ? 1 : 0;
    const t = roots.t[i];
    if ((t > 0 || k === own) && (!best || t < best.t)) best = { k, roots, i, t };
  });
  return best;
}

function answerShadow(q) {
  const arrives = q.lights.map(readLight).map((light) => {
    const { dir, reach } = light.way(q.point);
    if (dot(q.normal, dir) <= 0) return false;
    const hit = departing(q.solids, q.solid, false, [], q.point, dir);
    return !hit || hit.t >= reach;
  });
  return { arrives };
}

// The stages about whole scenes.

// frame returns a function that returns the ray for a position in the picture, in pixels.
function frame(camera, width, height) {
  const forward = unit(sub(camera.look_at, camera.position));
  const right = unit(cross(forward, camera.up));
  const up = cross(right, forward);
  const flat = camera.projection === "orthographic";
  const pixel = (flat ? camera.view_height : 2 * Math.tan((camera.fov * Math.PI) / 360)) / height;
  return (x, y) => {
    const offset = add(scale((x - width / 2) * pixel, right), scale((height / 2 - y) * pixel, up));
    if (flat) return { o: add(camera.position, offset), d: forward };
    return { o: camera.position, d: unit(add(forward, offset)) };
  };
}

function answerCamera(q) {
  const { o, d } = frame(q.camera, q.width, q.height)(q.pixel[0] + 0.5, q.pixel[1] + 0.5);
  return { origin: o, direction: d };
}

// viewer returns a function that returns the color that a ray sees in a scene.
function viewer(q) {
  const albedo = q.solids.map((s) => decode(s.color));
  const lights = q.lights.map(readLight);
  const top = decode(q.background.top), bottom = decode(q.background.bottom);
  const skyward = unit(q.camera.up);

  function shade(hit, o, d, around, depth) {
    if (!hit) return mix(bottom, top, (1 + dot(d, skyward)) / 2);
    const s = q.solids[hit.k], inside = hit.i === 1;
    const p = at(o, hit.t, d);
    let n = normalAt(s, p, hit.roots, hit.i);
    if (inside) n = scale(-1, n);
    let total = [q.ambient, q.ambient, q.ambient];
    for (const light of lights) {
      const { dir, reach } = light.way(p);
      const cosine = dot(n, dir);
      if (!(cosine > 0)) continue;
      const block = departing(q.solids, hit.k, inside, around, p, dir);
      if (!block || block.t >= reach) total = add(total, scale(cosine, light.strength));
    }
    const matte = times(albedo[hit.k], total);
    if (s.mirror === 0 || depth >= q.bounces) return matte;
    const r = unit(at(d, -2 * dot(d, n), n));
    const seen = shade(departing(q.solids, hit.k, inside, around, p, r), p, r, around, depth + 1);
    return mix(matte, seen, s.mirror);
  }

  return (o, d) => {
    const around = [];
    q.solids.forEach((s, k) => {
      const roots = crossSolid(s, o, d);
      if (roots && roots.t[0] < 0 && roots.t[1] > 0) around.push(k);
    });
    return shade(nearest(q.solids, o, d), o, d, around, 0);
  };
}

const answerMirror = (q) => ({ color: viewer(q.scene)(q.origin, q.direction) });

function answerPicture(q) {
  const { width, height, antialias: n, camera } = q.scene;
  const see = viewer(q.scene), ray = frame(camera, width, height);
  const rows = new Uint8Array(height * width * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let total = [0, 0, 0];
      for (let k = 0; k < n * n; k++) {
        const { o, d } = ray(x + ((k % n) + 0.5) / n, y + (Math.floor(k / n) + 0.5) / n);
        total = add(total, see(o, d).map((c) => Math.min(1, c)));
      }
      rows.set(total.map((c) => encode(c / (n * n))), 3 * (y * width + x));
    }
  }
  writePNG(q.png, width, height, rows);
  return {};
}

function crc32(data) {
  let crc = -1;
  for (const byte of data) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function writePNG(name, width, height, pixels) {
  const rows = Buffer.alloc(height * (1 + 3 * width)); // each begins with 0: no filter
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(3 * width * y, 3 * width * (y + 1)), y * (1 + 3 * width) + 1);
  const word = (n) => Buffer.from([n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]);
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    return Buffer.concat([word(data.length), body, word(crc32(body))]);
  };
  const head = Buffer.concat([word(width), word(height), Buffer.from([8, 2, 0, 0, 0])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  writeFileSync(name, Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]));
}

const stages = {
  sphere: (q) => answerLine(q, "sphere"),
  box: (q) => answerLine(q, "box"),
  capsule: (q) => answerLine(q, "capsule"),
  cylinder: (q) => answerLine(q, "cylinder"),
  cut: answerCut,
  ahead: answerAhead,
  segment: answerSegment,
  overlap: answerOverlap,
  nearest: answerNearest,
  camera: answerCamera,
  lambert: answerLambert,
  shadow: answerShadow,
  mirror: answerMirror,
  picture: answerPicture,
};

for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  console.log(JSON.stringify({ id: q.id, ...stages[q.stage](q) }));
}
