// A small renderer with Embree 3. It does the work that "render bench" measures: one ray through the
// center of every pixel, Lambert's law, optional shadow rays to each light, and reflected rays. Lights
// may be balls, and ambient light may be occluded; both take 16 rays per point. Filters of hits discard what
// sections take away, without closing the solids. It reads the format of
// peers.WriteEmbree and prints one line of JSON.
//
//     embree FILE WIDTH HEIGHT THREADS REPEAT SHADOWS MIRRORS BOUNCES CYLINDERS SAMPLES [OUT.ppm]
//
// BOUNCES is the largest number of reflections of a ray, unless the file contains a smaller one. MIRRORS
// selects how reflected rays, and the shadow rays from their hits, are traced: in "packets" of 16 rays or
// one by one ("single"). CYLINDERS selects the substitute for cylinders, which Embree does not have: "functions",
// a user geometry whose functions intersect 16 rays at a time with a cylinder, or "prisms" with 32 sides,
// each made of 62 quads. SAMPLES selects which rays to a light with a size, or into the sky, are traced
// together: 16 from each "point", one from each of 16 "pixels", or one by one ("single"). The sample
// points are those of package sampler, in single precision, computed 16 at a time.
//
// The program uses the fast features of Embree: coherent packets of 16 rays, tiles distributed to the
// given number of threads, denormals off, and Embree's own primitives for spheres and capsules.
// Embree has no oriented boxes, so a box becomes six quads, and the tree has 2.7 times as many
// primitives. The picture has a gamma of 2, because a square root is cheap.
#include <embree3/rtcore.h>
#include <pmmintrin.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int tileSide = 16;

struct Vec {
  float x, y, z;
};

float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vec unit(Vec v) { return v * (1 / std::sqrt(dot(v, v))); }

[[noreturn]] void fail(const std::string &why) {
  std::fprintf(stderr, "embree: %s\n", why.c_str());
  std::exit(1);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Light {
  Vec at;
  float intensity, radius;
};

struct Section {
  Vec point, normal;
};

struct Material {
  Vec color;
  float mirror;
};

struct Cylinder {
  Vec a, u;  // the center of one disc, the axis' direction
  float length, radius;
};

// The substitute for cylinders.
enum class Cylinders { functions, prisms };

constexpr unsigned prismSides = 32, prismQuads = 2 * prismSides - 2;

// The identifiers of the geometries in Embree's scene.
enum Geometry : unsigned { sphereGeometry, capsuleGeometry, boxGeometry, cylinderGeometry, geometries };

// The contents of the file, in the layout of Embree's buffers.
struct Input {
  Vec eye, right, up, ahead, sky;
  float ambient = 0, offset = 0;     // offset: the distance from the surface at which secondary rays start
  float skyReach = 0;               // solids closer than this hide the sky; 0: the sky is never hidden
  int bounces = 0;
  std::vector<Light> lights;
  std::vector<Section> sections;
  std::vector<float> spheres;        // x, y, z, radius
  std::vector<float> capsules;       // the same for both ends of the axis of each capsule
  std::vector<unsigned> segments;    // the first point of each capsule
  std::vector<float> corners;        // x, y, z; eight corners per box
  std::vector<unsigned> quads;       // indices of four corners per quad
  std::vector<Cylinder> cylinders;
  std::vector<Material> materials[geometries];
};

class Reader {
 public:
  explicit Reader(const std::string &text) : at(text.data()), end(at + text.size()) {}

  // word returns the next word, or an empty one at the end of the file.
  std::string_view word() {
    skip();
    const char *from = at;
    while (at < end && *at > ' ') at++;
    return {from, size_t(at - from)};
  }

  double number() {
    skip();
    double v = 0;
    auto [next, error] = std::from_chars(at, end, v);
    if (error != std::errc()) fail("a number is missing or malformed");
    at = next;
    return v;
  }

  Vec vec() {
    float x = number(), y = number(), z = number();
    return {x, y, z};
  }

  Material material() {
    Vec color = vec();
    return {color, float(number())};
  }

 private:
  void skip() {
    while (at < end && *at <= ' ') at++;
  }

  const char *at, *end;
};

// readBox appends the eight corners of a box, computed in double precision, and its faces.
void readBox(Reader &r, Input &in) {
  double v[15];
  for (double &x : v) x = r.number();
  const double *center = v, *half = v + 3, *turn = v + 6;
  unsigned first = in.corners.size() / 3;
  for (int i = 0; i < 8; i++) {
    const double p[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
    for (int row = 0; row < 3; row++) {
      const double *m = turn + 3 * row;
      in.corners.push_back(center[row] + m[0] * p[0] + m[1] * p[1] + m[2] * p[2]);
    }
  }
  static const unsigned faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  for (const auto &face : faces)
    for (unsigned corner : face) in.quads.push_back(first + corner);
}

// readCylinder appends a cylinder, whose axis is computed in double precision.
void readCylinder(Reader &r, Input &in) {
  double v[7];
  for (double &x : v) x = r.number();
  const double d[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]}, length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  in.cylinders.push_back({{float(v[0]), float(v[1]), float(v[2])}, {float(d[0] / length), float(d[1] / length), float(d[2] / length)}, float(length), float(v[6])});
}

Input read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::string("cannot open ") + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Reader r(text);
  Input in;
  for (;;) {
    std::string_view what = r.word();
    if (what.empty()) return in;
    if (what == "camera") {
      in.eye = r.vec();
      in.right = r.vec();
      in.up = r.vec();
      in.ahead = r.vec();
    } else if (what == "shading") {
      in.ambient = r.number();
      in.bounces = r.number();
      in.offset = r.number();
      in.skyReach = r.number();
    } else if (what == "light") {
      Vec at = r.vec();
      float intensity = r.number();
      in.lights.push_back({at, intensity, float(r.number())});
    } else if (what == "section") {
      const Vec point = r.vec();
      in.sections.push_back({point, r.vec()});
    } else if (what == "sky") {
      in.sky = r.vec();
    } else if (what == "sphere") {
      for (int i = 0; i < 4; i++) in.spheres.push_back(r.number());
      in.materials[sphereGeometry].push_back(r.material());
    } else if (what == "capsule") {
      double v[7];
      for (double &x : v) x = r.number();
      in.segments.push_back(in.capsules.size() / 4);
      for (int i : {0, 1, 2, 6, 3, 4, 5, 6}) in.capsules.push_back(v[i]);
      in.materials[capsuleGeometry].push_back(r.material());
    } else if (what == "box") {
      readBox(r, in);
      in.materials[boxGeometry].push_back(r.material());
    } else if (what == "cylinder") {
      readCylinder(r, in);
      in.materials[cylinderGeometry].push_back(r.material());
    } else {
      fail("unknown word " + std::string(what));
    }
  }
}

// fill copies data into a new buffer of a geometry.
template <class T>
void fill(RTCGeometry g, RTCBufferType type, RTCFormat format, const std::vector<T> &data, size_t perItem) {
  void *to = rtcSetNewGeometryBuffer(g, type, 0, format, perItem * sizeof(T), data.size() / perItem);
  std::copy(data.begin(), data.end(), static_cast<T *>(to));
}

// discard ignores hits on what sections take away. It does not close solids: a ray that enters one on the side that was
// taken away hits its inner side.
void discard(const RTCFilterFunctionNArguments *args) {
  const std::vector<Section> &sections = *static_cast<const std::vector<Section> *>(args->geometryUserPtr);
  for (unsigned i = 0; i < args->N; i++) {
    const float t = RTCRayN_tfar(args->ray, args->N, i);
    const Vec p = {RTCRayN_org_x(args->ray, args->N, i) + t * RTCRayN_dir_x(args->ray, args->N, i), RTCRayN_org_y(args->ray, args->N, i) + t * RTCRayN_dir_y(args->ray, args->N, i),
                   RTCRayN_org_z(args->ray, args->N, i) + t * RTCRayN_dir_z(args->ray, args->N, i)};
    for (const Section &s : sections)
      if (dot(p - s.point, s.normal) > 0) args->valid[i] = 0;
  }
}

// attach adds a geometry to the scene with the given identifier. The sections, which must exist as long as the scene, cut it.
void attach(RTCScene scene, RTCGeometry g, unsigned number, const std::vector<Section> &sections) {
  if (!sections.empty()) {
    rtcSetGeometryUserData(g, const_cast<std::vector<Section> *>(&sections));
    rtcSetGeometryIntersectFilterFunction(g, discard);
    rtcSetGeometryOccludedFilterFunction(g, discard);
  }
  rtcCommitGeometry(g);
  rtcAttachGeometryByID(scene, g, number);
  rtcReleaseGeometry(g);
}

// attachQuads adds quads to the scene with the given identifier.
void attachQuads(RTCDevice device, RTCScene scene, const std::vector<float> &corners, const std::vector<unsigned> &quads, unsigned number, const std::vector<Section> &sections) {
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_QUAD);
  fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, corners, 3);
  fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT4, quads, 4);
  attach(scene, g, number, sections);
}

// attachPrisms adds a prism for each cylinder to the scene: first the quads of its sides, then those of its ends. The
// width of a prism, averaged over all directions, is that of the cylinder.
void attachPrisms(RTCDevice device, RTCScene scene, const Input &in) {
  const double wider = M_PI / prismSides / std::sin(M_PI / prismSides);
  std::vector<float> corners;
  std::vector<unsigned> quads;
  for (const Cylinder &c : in.cylinders) {
    const unsigned first = corners.size() / 3;
    const Vec v = unit(cross(c.u, std::abs(c.u.x) > 0.5f ? Vec{0, 1, 0} : Vec{1, 0, 0})), w = cross(c.u, v);
    for (float height : {0.f, c.length})
      for (unsigned i = 0; i < prismSides; i++) {
        const double angle = 2 * M_PI * i / prismSides;
        const Vec p = c.a + c.u * height + v * float(wider * c.radius * std::cos(angle)) + w * float(wider * c.radius * std::sin(angle));
        corners.insert(corners.end(), {p.x, p.y, p.z});
      }
    for (unsigned i = 0; i < prismSides; i++) {
      const unsigned j = (i + 1) % prismSides;
      quads.insert(quads.end(), {first + i, first + j, first + prismSides + j, first + prismSides + i});
    }
    for (unsigned end : {first, first + prismSides})
      for (unsigned i = 1; i + 2 < prismSides; i += 2) quads.insert(quads.end(), {end, end + i, end + i + 1, end + i + 2});
  }
  attachQuads(device, scene, corners, quads, cylinderGeometry, in.sections);
}

// The first hits of rays with a cylinder beyond the near ends of the rays: the distances, infinite for a miss, and the
// normals, which are not normalized.
struct Meeting {
  alignas(64) float t[16], x[16], y[16], z[16];
};

// meet intersects n rays with a cylinder, which is the intersection of an infinite cylinder and the slab between its
// discs. A ray enters the cylinder at the later of the two entries and leaves it at the earlier of the two exits.
[[gnu::always_inline]] inline void meet(const Cylinder &c, RTCRayN *ray, unsigned n, Meeting &m) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (unsigned i = 0; i < n; i++) {
    const Vec o = {RTCRayN_org_x(ray, n, i), RTCRayN_org_y(ray, n, i), RTCRayN_org_z(ray, n, i)};
    const Vec d = {RTCRayN_dir_x(ray, n, i), RTCRayN_dir_y(ray, n, i), RTCRayN_dir_z(ray, n, i)};
    const Vec f = o - c.a;
    const float y = dot(f, c.u), dy = dot(d, c.u);
    const Vec f2 = f - c.u * y, d2 = d - c.u * dy;
    const float a = std::max(dot(d2, d2), 1e-20f), b = -dot(f2, d2) / a;
    const Vec l = f2 + d2 * b;
    const float disc = c.radius * c.radius - dot(l, l), h = std::sqrt(std::max(disc, 0.f) / a);
    const float inverse = 1 / dy, t0 = -y * inverse, t1 = (c.length - y) * inverse;
    const float in = std::min(t0, t1), out = std::max(t0, t1);
    const float near = std::max(b - h, in), far = std::min(b + h, out);
    const float t = near > RTCRayN_tnear(ray, n, i) ? near : far;
    const bool onDisc = t == in || t == out;
    const float side = (t == in) == (dy > 0) ? -1 : 1;
    m.x[i] = onDisc ? side * c.u.x : f2.x + t * d2.x;
    m.y[i] = onDisc ? side * c.u.y : f2.y + t * d2.y;
    m.z[i] = onDisc ? side * c.u.z : f2.z + t * d2.z;
    m.t[i] = disc >= 0 && near <= far && t > RTCRayN_tnear(ray, n, i) ? t : infinity;
  }
}

// meetAll is meet, compiled once for packets of 16 rays and once for other numbers of rays.
void meetAll(const Cylinder &c, RTCRayN *ray, unsigned n, Meeting &m) {
  if (n == 16)
    meet(c, ray, 16, m);
  else
    meet(c, ray, n, m);
}

void cylinderBounds(const RTCBoundsFunctionArguments *args) {
  const Cylinder &c = static_cast<const Cylinder *>(args->geometryUserPtr)[args->primID];
  const Vec b = c.a + c.u * c.length;
  // Widen the bounds by the rounding errors of the lines above.
  auto reach = [&](float p, float q) { return 1.0001f * c.radius * std::sqrt(p * p + q * q) + 1e-5f; };
  const float x = reach(c.u.y, c.u.z), y = reach(c.u.z, c.u.x), z = reach(c.u.x, c.u.y);
  *args->bounds_o = {std::min(c.a.x, b.x) - x, std::min(c.a.y, b.y) - y, std::min(c.a.z, b.z) - z, 0,
                     std::max(c.a.x, b.x) + x, std::max(c.a.y, b.y) + y, std::max(c.a.z, b.z) + z, 0};
}

void intersectCylinder(const RTCIntersectFunctionNArguments *args) {
  RTCRayN *ray = RTCRayHitN_RayN(args->rayhit, args->N);
  RTCHitN *hit = RTCRayHitN_HitN(args->rayhit, args->N);
  Meeting m;
  meetAll(static_cast<const Cylinder *>(args->geometryUserPtr)[args->primID], ray, args->N, m);
  for (unsigned i = 0; i < args->N; i++) {
    if (!args->valid[i] || !(m.t[i] < RTCRayN_tfar(ray, args->N, i))) continue;
    RTCRayN_tfar(ray, args->N, i) = m.t[i];
    RTCHitN_Ng_x(hit, args->N, i) = m.x[i];
    RTCHitN_Ng_y(hit, args->N, i) = m.y[i];
    RTCHitN_Ng_z(hit, args->N, i) = m.z[i];
    RTCHitN_geomID(hit, args->N, i) = args->geomID;
    RTCHitN_primID(hit, args->N, i) = args->primID;
    RTCHitN_instID(hit, args->N, i, 0) = args->context->instID[0];
  }
}

void occludeByCylinder(const RTCOccludedFunctionNArguments *args) {
  Meeting m;
  meetAll(static_cast<const Cylinder *>(args->geometryUserPtr)[args->primID], args->ray, args->N, m);
  for (unsigned i = 0; i < args->N; i++)
    if (args->valid[i] && m.t[i] < RTCRayN_tfar(args->ray, args->N, i)) RTCRayN_tfar(args->ray, args->N, i) = -std::numeric_limits<float>::infinity();
}

// attachFunctions adds a user geometry for the cylinders to the scene. The cylinders must exist as long as the scene.
void attachFunctions(RTCDevice device, RTCScene scene, const Input &in) {
  if (!in.sections.empty()) fail("sections do not cut cylinders");
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(g, in.cylinders.size());
  rtcSetGeometryUserData(g, const_cast<Cylinder *>(in.cylinders.data()));
  rtcSetGeometryBoundsFunction(g, cylinderBounds, nullptr);
  rtcSetGeometryIntersectFunction(g, intersectCylinder);
  rtcSetGeometryOccludedFunction(g, occludeByCylinder);
  attach(scene, g, cylinderGeometry, in.sections);
}

RTCScene build(RTCDevice device, const Input &in, Cylinders cylinders) {
  RTCScene scene = rtcNewScene(device);
  if (!in.spheres.empty()) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, in.spheres, 4);
    attach(scene, g, sphereGeometry, in.sections);
  }
  if (!in.capsules.empty()) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, in.capsules, 4);
    fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, in.segments, 1);
    attach(scene, g, capsuleGeometry, in.sections);
  }
  if (!in.quads.empty()) attachQuads(device, scene, in.corners, in.quads, boxGeometry, in.sections);
  if (!in.cylinders.empty()) (cylinders == Cylinders::prisms ? attachPrisms : attachFunctions)(device, scene, in);
  rtcCommitScene(scene);
  return scene;
}

struct Pixel {
  unsigned char red, green, blue;
};

unsigned char encode(float v) { return 255 * std::sqrt(std::min(std::max(v, 0.f), 1.f)) + 0.5f; }
Pixel encode(Vec c) { return {encode(c.x), encode(c.y), encode(c.z)}; }

struct Picture {
  int width, height;
  Pixel sky;
  std::vector<Pixel> pixels;  // row by row

  void set(int x, int y, Pixel p) { pixels[size_t(y) * width + x] = p; }
};

// How reflected rays are traced.
enum class Mirrors { packets, single };

// Which sampled rays are traced together.
enum class Together { point, pixels, single };

constexpr int samples = 16;

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

uint32_t scramble(uint32_t x, uint32_t seed) {
  x ^= x * 0x3d20adea;
  x += seed;
  x *= seed >> 16 | 1;
  x ^= x * 0x05526c56;
  x ^= x * 0x53a22864;
  return x;
}

uint32_t reverse(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}

uint32_t pascal(uint32_t i) {
  i ^= i >> 1 & 0x55555555;
  i ^= i >> 2 & 0x33333333;
  i ^= i >> 4 & 0x0f0f0f0f;
  i ^= i >> 8 & 0x00ff00ff;
  return i ^ i >> 16;
}

uint32_t interleave(uint32_t v) {
  v &= 63;
  v = (v | v << 4) & 0x0f0f;
  v = (v | v << 2) & 0x3333;
  return (v | v << 1) & 0x5555;
}

// Samples are points in the unit disc for one purpose (a light, or the sky) at one point of a surface.
struct Samples {
  alignas(64) float x[samples], y[samples];
};

constexpr uint32_t occlusionPurpose = 0;

// sample computes the points of package sampler for a picture with one ray per pixel: a Sobol' sequence with Owen
// scrambling, mapped to the disc by concentric squares.
void sample(uint32_t px, uint32_t py, uint32_t purpose, uint32_t reflections, Samples &s) {
  uint64_t h = mix(uint64_t(px >> 6) << 32 | py >> 6);
  h = mix(h + (uint64_t(purpose) << 32) + reflections);
  const uint32_t pixel = reverse(scramble(reverse((interleave(px) | interleave(py) << 1) << 20), uint32_t(h))) >> 20;
  const uint64_t seeds = mix(h);
  const uint32_t first = pixel * samples, su = uint32_t(seeds), sv = uint32_t(seeds >> 32);
  for (int k = 0; k < samples; k++) {
    const uint32_t i = first | k;
    const float a = float(int32_t(reverse(scramble(i, su)) ^ 0x80000000)) * 0x1p-31f, b = float(int32_t(reverse(scramble(pascal(i), sv)) ^ 0x80000000)) * 0x1p-31f;
    const bool wide = std::abs(a) > std::abs(b);
    const float r = wide ? a : b, t = (wide ? b : a) / (r != 0 ? r : 1), z = t * t;
    const float sine = t * (0.785398163f + z * (-0.0807455122f + z * (0.00249039457f + z * (-3.65762042e-5f + z * 3.13361689e-7f))));
    const float cosine = std::sqrt(1 - sine * sine);
    s.x[k] = r * (wide ? cosine : sine);
    s.y[k] = r * (wide ? sine : cosine);
  }
}

// A frame has a given direction as its third axis.
struct Frame {
  Vec x, y, z;

  explicit Frame(Vec n) : z(n) {
    const float sign = std::copysign(1.f, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    x = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    y = {b, sign + n.y * n.y * a, -n.y};
  }
};

// A packet is a block of 4 x 4 pixels; those outside the picture are not active.
class Packet {
 public:
  Packet(const Input &in, RTCScene scene, Picture &picture, Mirrors mirrors, Cylinders cylinders, Together together, int left, int top)
      : in(in), scene(scene), picture(picture), mirrors(mirrors), cylinders(cylinders), together(together), left(left), top(top) {}

  // render sets the packet's pixels and returns the number of those that show a solid.
  long render(bool shadows) {
    aim();
    trace(RTC_INTERSECT_CONTEXT_FLAG_COHERENT, false);
    long hits = 0;
    for (int i = 0; i < 16; i++) {
      if (!active[i]) continue;
      if (hit(i)) {
        hits++;
      } else {
        picture.set(x(i), y(i), picture.sky);
        active[i] = 0;
      }
    }
    if (hits == 0) return 0;
    std::copy(active, active + 16, shown);
    for (int i = 0; i < 16; i++) sum[i] = {0, 0, 0}, weight[i] = 1;
    for (int depth = 0;; depth++) {
      shade(depth, shadows);
      if (depth == in.bounces || !reflect()) break;
      trace(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT, mirrors == Mirrors::single);
      for (int i = 0; i < 16; i++) {
        if (!active[i] || hit(i)) continue;
        sum[i] = sum[i] + in.sky * weight[i];
        active[i] = 0;
      }
    }
    for (int i = 0; i < 16; i++)
      if (shown[i]) picture.set(x(i), y(i), encode(sum[i]));
    return hits;
  }

 private:
  int x(int i) const { return left + (i & 3); }
  int y(int i) const { return top + (i >> 2); }
  bool hit(int i) const { return r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID; }

  // aim generates a ray through each pixel.
  void aim() {
    for (int i = 0; i < 16; i++) {
      active[i] = x(i) < picture.width && y(i) < picture.height ? -1 : 0;
      float u = (2 * (x(i) + 0.5f) / picture.width - 1) * picture.width / picture.height;
      float v = 1 - 2 * (y(i) + 0.5f) / picture.height;
      Vec d = in.ahead + in.right * u + in.up * v;
      start(i, in.eye, d * (1 / std::sqrt(dot(d, d))));
    }
  }

  void start(int i, Vec from, Vec dir) {
    r.ray.org_x[i] = from.x;
    r.ray.org_y[i] = from.y;
    r.ray.org_z[i] = from.z;
    r.ray.dir_x[i] = dir.x;
    r.ray.dir_y[i] = dir.y;
    r.ray.dir_z[i] = dir.z;
    r.ray.tnear[i] = 0;
    r.ray.tfar[i] = std::numeric_limits<float>::infinity();
    r.ray.time[i] = 0;
    r.ray.mask[i] = -1;
    r.ray.id[i] = i;
    r.ray.flags[i] = 0;
    r.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    r.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }

  // trace finds the closest hits of the active rays.
  void trace(RTCIntersectContextFlags flags, bool single) {
    rtcInitIntersectContext(&context);
    context.flags = flags;
    if (!single) {
      rtcIntersect16(active, scene, &context, &r);
      return;
    }
    for (int i = 0; i < 16; i++) {
      if (!active[i]) continue;
      RTCRayHit one = rtcGetRayHitFromRayHitN(reinterpret_cast<RTCRayHitN *>(&r), 16, i);
      rtcIntersect1(scene, &context, &one);
      rtcCopyHitToHitN(RTCRayHitN_HitN(reinterpret_cast<RTCRayHitN *>(&r), 16), &one.hit, 16, i);
      r.ray.tfar[i] = one.ray.tfar;
    }
  }

  // shade adds the matte color at the hits of the active rays. All of them must have a hit.
  void shade(int depth, bool shadows) {
    for (int i = 0; i < 16; i++) {
      if (!active[i]) continue;
      point[i] = Vec{r.ray.org_x[i], r.ray.org_y[i], r.ray.org_z[i]} + dir(i) * r.ray.tfar[i];
      normal[i] = facing(i);
      brightness[i] = in.ambient;
    }
    if (in.skyReach > 0) darken(depth);
    const bool single = depth > 0 && mirrors == Mirrors::single;
    for (size_t k = 0; k < in.lights.size(); k++) {
      if (in.lights[k].radius > 0)
        shineSoftly(in.lights[k], k, shadows, depth);
      else
        shine(in.lights[k], shadows, single);
    }
    for (int i = 0; i < 16; i++) {
      if (!active[i]) continue;
      const Material &m = material(i);
      float own = depth < in.bounces ? weight[i] * (1 - m.mirror) : weight[i];
      sum[i] = sum[i] + m.color * (own * brightness[i]);
      weight[i] *= m.mirror;
    }
  }

  // facing returns the normal that faces the ray at a point. On the side of a prism it is the outward
  // normal of the cylinder, because no ray hits a prism from inside.
  Vec facing(int i) const {
    const unsigned quad = r.hit.primID[i] % prismQuads;
    if (cylinders == Cylinders::prisms && r.hit.geomID[i] == cylinderGeometry && quad < prismSides) {
      const Cylinder &c = in.cylinders[r.hit.primID[i] / prismQuads];
      const Vec f = point[i] - c.a;
      return unit(f - c.u * dot(f, c.u));
    }
    const Vec n = unit({r.hit.Ng_x[i], r.hit.Ng_y[i], r.hit.Ng_z[i]});
    return dot(n, dir(i)) > 0 ? n * -1 : n;
  }

  // shine adds the light that arrives from one light source.
  void shine(const Light &light, bool shadows, bool single) {
    alignas(64) RTCRay16 s = {};  // also initializes inactive lanes, because Embree reads them
    alignas(64) int faces[16];
    float cosine[16];
    for (int i = 0; i < 16; i++) {
      faces[i] = 0;
      if (!active[i]) continue;
      Vec toLight = light.at - point[i];
      cosine[i] = dot(normal[i], toLight) / std::sqrt(dot(toLight, toLight));
      if (!(cosine[i] > 0)) continue;
      faces[i] = -1;
      Vec from = point[i] + normal[i] * in.offset, to = light.at - from;
      s.org_x[i] = from.x;
      s.org_y[i] = from.y;
      s.org_z[i] = from.z;
      s.dir_x[i] = to.x;
      s.dir_y[i] = to.y;
      s.dir_z[i] = to.z;
      s.tnear[i] = 0;
      s.tfar[i] = 1;
      s.time[i] = 0;
      s.mask[i] = -1;
      s.id[i] = i;
      s.flags[i] = 0;
    }
    if (shadows) occlude(s, faces, single);
    for (int i = 0; i < 16; i++)
      if (faces[i] && !(shadows && s.tfar[i] < 0)) brightness[i] += light.intensity * cosine[i];
  }

  // occlude sets the far end of each blocked ray to a negative value.
  void occlude(RTCRay16 &s, const int *valid, bool single) {
    if (!single) {
      rtcOccluded16(valid, scene, &context, &s);
      return;
    }
    for (int i = 0; i < 16; i++) {
      if (!valid[i]) continue;
      RTCRay one = rtcGetRayFromRayN(reinterpret_cast<RTCRayN *>(&s), 16, i);
      rtcOccluded1(scene, &context, &one);
      s.tfar[i] = one.tfar;
    }
  }

  // Beams are the sampled rays from one point. Beams with weight 0 are not cast.
  struct Beams {
    alignas(64) float x[samples], y[samples], z[samples], far[samples], weight[samples];
  };

  // darken multiplies the ambient light at the active points by the open share of the sky.
  void darken(int depth) {
    for (int i = 0; i < 16; i++) {
      valid[i] = 0;
      if (!active[i]) continue;
      Samples s;
      sample(x(i), y(i), occlusionPurpose, depth, s);
      const Frame f(normal[i]);
      Beams &b = beams[i];
      for (int k = 0; k < samples; k++) {
        const float height = std::sqrt(std::max(1 - s.x[k] * s.x[k] - s.y[k] * s.y[k], 0.f));
        b.x[k] = f.x.x * s.x[k] + f.y.x * s.y[k] + f.z.x * height;
        b.y[k] = f.x.y * s.x[k] + f.y.y * s.y[k] + f.z.y * height;
        b.z[k] = f.x.z * s.x[k] + f.y.z * s.y[k] + f.z.z * height;
        b.far[k] = in.skyReach;
        b.weight[k] = 1;
      }
      valid[i] = -1;
      whole[i] = in.ambient / samples;
      brightness[i] = 0;
    }
    cast(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
  }

  // shineSoftly adds the light that arrives from a ball of light.
  void shineSoftly(const Light &light, uint32_t number, bool shadows, int depth) {
    for (int i = 0; i < 16; i++) {
      valid[i] = 0;
      if (!active[i]) continue;
      const Vec to = light.at - point[i];
      const float distance = std::sqrt(dot(to, to)), sine = light.radius / distance, cosine = std::sqrt(std::max(1 - sine * sine, 0.f));
      const Vec axis = to * (1 / distance);
      const float c = dot(normal[i], axis);
      if (!(c > -sine)) continue;
      whole[i] = light.intensity * (c < sine ? clipped(c, sine, cosine) : c);
      if (!shadows) {
        brightness[i] += whole[i];
        continue;
      }
      Samples s;
      sample(x(i), y(i), number + 1, depth, s);
      const Frame f(axis);
      const Vec n = normal[i];
      const float drop = sine * sine / (1 + cosine), near = distance * cosine * cosine;
      Beams &b = beams[i];
      float sum = 0;
      for (int k = 0; k < samples; k++) {
        const float fall = (s.x[k] * s.x[k] + s.y[k] * s.y[k]) * drop, stretch = std::sqrt(drop * (2 - fall));
        const float u = s.x[k] * stretch, v = s.y[k] * stretch, w = 1 - fall;
        b.x[k] = f.x.x * u + f.y.x * v + f.z.x * w;
        b.y[k] = f.x.y * u + f.y.y * v + f.z.y * w;
        b.z[k] = f.x.z * u + f.y.z * v + f.z.z * w;
        b.far[k] = near / (w + std::sqrt(std::max(sine * sine - (1 - w) * (1 + w), 0.f)));
        b.weight[k] = std::max(n.x * b.x[k] + n.y * b.y[k] + n.z * b.z[k], 0.f);
        sum += b.weight[k];
      }
      if (!(sum > 0)) continue;
      valid[i] = -1;
      whole[i] /= sum;
    }
    if (shadows) cast(RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
  }

  // clipped is Lambert's law for a ball of light that the horizon cuts. See arealight.Cap.Cosine.
  static float clipped(float c, float sine, float cosine) {
    const double w = std::sqrt((double(sine) - c) * (double(sine) + c));
    return std::max(0., (c * std::atan2(w, -double(c) * cosine) + (std::atan2(w, cosine) - w * cosine) / (double(sine) * sine)) / M_PI);
  }

  // cast traces the beams of the valid points, and adds the weights of those that are not blocked to the brightness.
  void cast(RTCIntersectContextFlags flags) {
    context.flags = flags;
    for (int p = 0; p < 16; p++) {
      if (together != Together::pixels && !valid[p]) continue;
      alignas(64) RTCRay16 s;
      alignas(64) int open[16];
      for (int lane = 0; lane < 16; lane++) {
        const int i = together == Together::pixels ? lane : p, k = together == Together::pixels ? p : lane;
        const bool is = valid[i] && beams[i].weight[k] > 0;
        const Vec from = point[i] + normal[i] * in.offset;
        open[lane] = is ? -1 : 0;
        s.org_x[lane] = is ? from.x : 0;
        s.org_y[lane] = is ? from.y : 0;
        s.org_z[lane] = is ? from.z : 0;
        s.dir_x[lane] = is ? beams[i].x[k] : 0;
        s.dir_y[lane] = is ? beams[i].y[k] : 0;
        s.dir_z[lane] = is ? beams[i].z[k] : 0;
        s.tnear[lane] = 0;
        s.tfar[lane] = is ? beams[i].far[k] : 0;
        s.time[lane] = 0;
        s.mask[lane] = -1;
        s.id[lane] = lane;
        s.flags[lane] = 0;
      }
      occlude(s, open, together == Together::single);
      for (int lane = 0; lane < 16; lane++) {
        const int i = together == Together::pixels ? lane : p, k = together == Together::pixels ? p : lane;
        if (open[lane] && !(s.tfar[lane] < 0)) lit[i] += beams[i].weight[k];
      }
    }
    for (int i = 0; i < 16; i++) {
      if (valid[i]) brightness[i] += whole[i] * lit[i];
      lit[i] = 0;
    }
  }

  // reflect replaces the rays that hit mirrors by reflected rays, deactivates the others, and reports whether any ray is active.
  bool reflect() {
    bool left = false;
    for (int i = 0; i < 16; i++) {
      active[i] = active[i] && weight[i] > 0 ? -1 : 0;
      if (!active[i]) continue;
      left = true;
      Vec d = dir(i) + normal[i] * (-2 * dot(dir(i), normal[i]));
      start(i, point[i] + normal[i] * in.offset, d * (1 / std::sqrt(dot(d, d))));
    }
    return left;
  }

  Vec dir(int i) const { return {r.ray.dir_x[i], r.ray.dir_y[i], r.ray.dir_z[i]}; }

  const Material &material(int i) const {
    unsigned g = r.hit.geomID[i], primitive = r.hit.primID[i];
    if (g == boxGeometry) primitive /= 6;
    if (g == cylinderGeometry && cylinders == Cylinders::prisms) primitive /= prismQuads;
    return in.materials[g][primitive];
  }

  const Input &in;
  RTCScene scene;
  Picture &picture;
  Mirrors mirrors;
  Cylinders cylinders;
  Together together;
  int left, top;
  RTCIntersectContext context;
  alignas(64) RTCRayHit16 r;
  alignas(64) int active[16];
  int shown[16];
  Vec point[16], normal[16], sum[16];
  float brightness[16], weight[16];

  // For sampled light, at each point: whether beams leave it, the light of all its beams divided by the sum of their
  // weights, and the sum of the weights of the beams that are not blocked.
  int valid[16];
  float whole[16], lit[16] = {};
  Beams beams[16];
};

void flushDenormals() {
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
}

// render renders the whole picture on several threads and returns the number of pixels that show a
// solid.
long render(const Input &in, RTCScene scene, Picture &picture, int threads, bool shadows, Mirrors mirrors, Cylinders cylinders, Together together) {
  const int columns = (picture.width + tileSide - 1) / tileSide, rows = (picture.height + tileSide - 1) / tileSide;
  std::atomic<int> nextTile(0);
  std::atomic<long> hits(0);
  auto work = [&] {
    flushDenormals();
    long own = 0;
    for (int tile; (tile = nextTile++) < columns * rows;) {
      const int left = tile % columns * tileSide, top = tile / columns * tileSide;
      for (int y = top; y < std::min(top + tileSide, picture.height); y += 4)
        for (int x = left; x < std::min(left + tileSide, picture.width); x += 4) own += Packet(in, scene, picture, mirrors, cylinders, together, x, y).render(shadows);
    }
    hits += own;
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; i++) workers.emplace_back(work);
  for (std::thread &w : workers) w.join();
  return hits;
}

void write(const char *path, const Picture &picture) {
  std::FILE *f = std::fopen(path, "wb");
  if (!f) fail(std::string("cannot write ") + path);
  std::fprintf(f, "P6\n%d %d\n255\n", picture.width, picture.height);
  std::fwrite(picture.pixels.data(), sizeof(Pixel), picture.pixels.size(), f);
  if (std::fclose(f)) fail(std::string("cannot write ") + path);
}

// countBytes adds up the memory that Embree uses. Embree calls it at each allocation and release.
bool countBytes(void *sum, ssize_t bytes, bool) {
  *static_cast<std::atomic<long> *>(sum) += bytes;
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 11) fail("want FILE WIDTH HEIGHT THREADS REPEAT SHADOWS MIRRORS BOUNCES CYLINDERS SAMPLES [OUT.ppm]");
  const int threads = std::atoi(argv[4]), repeat = std::atoi(argv[5]);
  const bool shadows = std::atoi(argv[6]);
  const std::string_view how = argv[7], as = argv[9], from = argv[10];
  if (how != "packets" && how != "single") fail("mirrors travel as packets or single");
  const Mirrors mirrors = how == "single" ? Mirrors::single : Mirrors::packets;
  if (as != "functions" && as != "prisms") fail("cylinders are functions or prisms");
  const Cylinders cylinders = as == "prisms" ? Cylinders::prisms : Cylinders::functions;
  if (from != "point" && from != "pixels" && from != "single") fail("samples are traced per point, per pixels or single");
  const Together together = from == "point" ? Together::point : from == "pixels" ? Together::pixels : Together::single;
  Picture picture{std::atoi(argv[2]), std::atoi(argv[3]), {}, {}};
  if (picture.width < 1 || picture.height < 1 || threads < 1 || repeat < 1) fail("width, height, threads and repeat must be at least 1");
  picture.pixels.resize(size_t(picture.width) * picture.height);
  flushDenormals();

  std::atomic<long> bytes(0);
  RTCDevice device = rtcNewDevice(("threads=" + std::to_string(threads)).c_str());
  rtcSetDeviceMemoryMonitorFunction(device, countBytes, &bytes);
  const double start = seconds();
  Input in = read(argv[1]);
  in.bounces = std::min(in.bounces, std::atoi(argv[8]));
  picture.sky = encode(in.sky);
  const double parsed = seconds();
  RTCScene scene = build(device, in, cylinders);
  const double built = seconds();

  double best = std::numeric_limits<double>::infinity();
  long hits = 0;
  for (int i = 0; i < repeat; i++) {
    const double from = seconds();
    hits = render(in, scene, picture, threads, shadows, mirrors, cylinders, together);
    best = std::min(best, seconds() - from);
  }
  std::printf("{\"best_s\":%.6f,\"ns_per_pixel\":%.3f,\"parse_s\":%.6f,\"build_s\":%.6f,\"heap_bytes\":%ld,\"hits\":%ld}\n", best,
              1e9 * best * threads / (double(picture.width) * picture.height), parsed - start, built - parsed, bytes.load(), hits);
  if (argc > 11) write(argv[11], picture);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
}
