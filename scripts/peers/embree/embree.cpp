// A small renderer on Embree 3 that does the work that "render bench" times: one ray through
// the middle of every pixel, Lambert's law, and one shadow ray to the light if wanted. It
// reads what peers.WriteEmbree writes and prints one line of JSON.
//
//     embree FILE WIDTH HEIGHT THREADS REPEAT SHADOWS [OUT.ppm]
//
// It is written the way Embree likes best: coherent packets of 16 rays, tiles handed out to
// as many threads as are asked for, denormals off, spheres and capsules as Embree's own
// primitives. Embree has no oriented box, so six quads stand in for one: its tree holds 2.7
// times the primitives. The picture has a gamma of 2, whose square root is cheap.
#include <embree3/rtcore.h>
#include <pmmintrin.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
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
constexpr float offset = 1e-3f;  // of shadow rays from the surface they leave

struct Vec {
  float x, y, z;
};

float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

[[noreturn]] void fail(const std::string &why) {
  std::fprintf(stderr, "embree: %s\n", why.c_str());
  std::exit(1);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What the file says, in the layout of Embree's buffers.
struct Input {
  Vec eye, light, sky;
  float eyeTan, intensity, ambient;
  std::vector<float> spheres;        // x, y, z, radius
  std::vector<float> capsules;       // the same, two points each
  std::vector<unsigned> segments;    // the first point of each capsule
  std::vector<float> corners;        // x, y, z, eight each box
  std::vector<unsigned> quads;       // four corners each
  std::vector<Vec> colors[3];        // of the spheres, capsules and boxes
};

class Reader {
 public:
  explicit Reader(const std::string &text) : at(text.data()), end(at + text.size()) {}

  // word returns the next word, empty at the end.
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
      in.eyeTan = r.number();
    } else if (what == "light") {
      in.light = r.vec();
      in.intensity = r.number();
      in.ambient = r.number();
    } else if (what == "sky") {
      in.sky = r.vec();
    } else if (what == "sphere") {
      for (int i = 0; i < 4; i++) in.spheres.push_back(r.number());
      in.colors[0].push_back(r.vec());
    } else if (what == "capsule") {
      double v[7];
      for (double &x : v) x = r.number();
      in.segments.push_back(in.capsules.size() / 4);
      for (int i : {0, 1, 2, 6, 3, 4, 5, 6}) in.capsules.push_back(v[i]);
      in.colors[1].push_back(r.vec());
    } else if (what == "box") {
      readBox(r, in);
      in.colors[2].push_back(r.vec());
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

// attach makes a geometry a part of the scene under the given number.
void attach(RTCScene scene, RTCGeometry g, unsigned number) {
  rtcCommitGeometry(g);
  rtcAttachGeometryByID(scene, g, number);
  rtcReleaseGeometry(g);
}

RTCScene build(RTCDevice device, const Input &in) {
  RTCScene scene = rtcNewScene(device);
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, in.spheres, 4);
  attach(scene, g, 0);
  g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
  fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, in.capsules, 4);
  fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, in.segments, 1);
  attach(scene, g, 1);
  g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_QUAD);
  fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, in.corners, 3);
  fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT4, in.quads, 4);
  attach(scene, g, 2);
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

// A packet is a block of 4 x 4 pixels; those outside the picture are not active.
class Packet {
 public:
  Packet(const Input &in, RTCScene scene, Picture &picture, int left, int top)
      : in(in), scene(scene), picture(picture), left(left), top(top) {
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  }

  // render sets the packet's pixels and returns how many show a solid.
  long render(bool shadows) {
    trace();
    long hits = 0;
    for (int i = 0; i < 16; i++) {
      if (!active[i]) continue;
      if (!hit(i)) {
        picture.set(x(i), y(i), picture.sky);
        continue;
      }
      face(i);
      hits++;
    }
    if (hits == 0) return 0;
    if (shadows) castShadows();
    for (int i = 0; i < 16; i++)
      if (active[i] && hit(i)) picture.set(x(i), y(i), encode(albedo(i) * (in.ambient + in.intensity * cosine[i])));
    return hits;
  }

 private:
  int x(int i) const { return left + (i & 3); }
  int y(int i) const { return top + (i >> 2); }
  bool hit(int i) const { return r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID; }

  void trace() {
    for (int i = 0; i < 16; i++) {
      active[i] = x(i) < picture.width && y(i) < picture.height ? -1 : 0;
      float u = (2 * (x(i) + 0.5f) / picture.width - 1) * in.eyeTan * picture.width / picture.height;
      float v = (1 - 2 * (y(i) + 0.5f) / picture.height) * in.eyeTan;
      float scale = 1 / std::sqrt(u * u + v * v + 1);
      r.ray.org_x[i] = in.eye.x;
      r.ray.org_y[i] = in.eye.y;
      r.ray.org_z[i] = in.eye.z;
      r.ray.dir_x[i] = u * scale;
      r.ray.dir_y[i] = v * scale;
      r.ray.dir_z[i] = -scale;
      r.ray.tnear[i] = 0;
      r.ray.tfar[i] = std::numeric_limits<float>::infinity();
      r.ray.time[i] = 0;
      r.ray.mask[i] = -1;
      r.ray.id[i] = i;
      r.ray.flags[i] = 0;
      r.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
      r.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect16(active, scene, &context, &r);
  }

  // face computes where ray i hits, the normal there, and its cosine to the light.
  void face(int i) {
    Vec d = {r.ray.dir_x[i], r.ray.dir_y[i], r.ray.dir_z[i]};
    Vec n = {r.hit.Ng_x[i], r.hit.Ng_y[i], r.hit.Ng_z[i]};
    n = n * ((dot(n, d) > 0 ? -1 : 1) / std::sqrt(dot(n, n)));
    point[i] = in.eye + d * r.ray.tfar[i];
    normal[i] = n;
    Vec toLight = in.light - point[i];
    cosine[i] = std::max(0.f, dot(n, toLight) / std::sqrt(dot(toLight, toLight)));
  }

  // castShadows takes the light away from the points that it does not reach.
  void castShadows() {
    alignas(64) RTCRay16 s;
    alignas(64) int lit[16];
    for (int i = 0; i < 16; i++) {
      lit[i] = active[i] && hit(i) && cosine[i] > 0 ? -1 : 0;
      Vec from = point[i] + normal[i] * offset, to = in.light - from;
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
    rtcOccluded16(lit, scene, &context, &s);
    for (int i = 0; i < 16; i++)
      if (s.tfar[i] < 0) cosine[i] = 0;
  }

  Vec albedo(int i) const {
    unsigned g = r.hit.geomID[i], primitive = r.hit.primID[i];
    return in.colors[g][g == 2 ? primitive / 6 : primitive];
  }

  const Input &in;
  RTCScene scene;
  Picture &picture;
  int left, top;
  RTCIntersectContext context;
  alignas(64) RTCRayHit16 r;
  alignas(64) int active[16];
  Vec point[16], normal[16];
  float cosine[16];
};

void flushDenormals() {
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
}

// render renders the whole picture on several threads and returns how many pixels show a
// solid.
long render(const Input &in, RTCScene scene, Picture &picture, int threads, bool shadows) {
  const int columns = (picture.width + tileSide - 1) / tileSide, rows = (picture.height + tileSide - 1) / tileSide;
  std::atomic<int> nextTile(0);
  std::atomic<long> hits(0);
  auto work = [&] {
    flushDenormals();
    long own = 0;
    for (int tile; (tile = nextTile++) < columns * rows;) {
      const int left = tile % columns * tileSide, top = tile / columns * tileSide;
      for (int y = top; y < std::min(top + tileSide, picture.height); y += 4)
        for (int x = left; x < std::min(left + tileSide, picture.width); x += 4) own += Packet(in, scene, picture, x, y).render(shadows);
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

// countBytes is told about all memory that Embree allocates and frees.
bool countBytes(void *sum, ssize_t bytes, bool) {
  *static_cast<std::atomic<long> *>(sum) += bytes;
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 7) fail("want FILE WIDTH HEIGHT THREADS REPEAT SHADOWS [OUT.ppm]");
  const int threads = std::atoi(argv[4]), repeat = std::atoi(argv[5]);
  const bool shadows = std::atoi(argv[6]);
  Picture picture{std::atoi(argv[2]), std::atoi(argv[3]), {}, {}};
  if (picture.width < 1 || picture.height < 1 || threads < 1 || repeat < 1) fail("width, height, threads and repeat must be at least 1");
  picture.pixels.resize(size_t(picture.width) * picture.height);
  flushDenormals();

  std::atomic<long> bytes(0);
  RTCDevice device = rtcNewDevice(("threads=" + std::to_string(threads)).c_str());
  rtcSetDeviceMemoryMonitorFunction(device, countBytes, &bytes);
  const double start = seconds();
  const Input in = read(argv[1]);
  picture.sky = encode(in.sky);
  const double parsed = seconds();
  RTCScene scene = build(device, in);
  const double built = seconds();

  double best = std::numeric_limits<double>::infinity();
  long hits = 0;
  for (int i = 0; i < repeat; i++) {
    const double from = seconds();
    hits = render(in, scene, picture, threads, shadows);
    best = std::min(best, seconds() - from);
  }
  std::printf("{\"best_s\":%.6f,\"ns_per_pixel\":%.3f,\"parse_s\":%.6f,\"build_s\":%.6f,\"heap_bytes\":%ld,\"hits\":%ld}\n", best,
              1e9 * best * threads / (double(picture.width) * picture.height), parsed - start, built - parsed, bytes.load(), hits);
  if (argc > 7) write(argv[7], picture);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
}
