package pillbox

import (
	"image"
	"slices"

	"pillbox/accel"
	"pillbox/geom"
	"pillbox/shade"
)

// tracer renders tiles for one worker. Its slices are scratch space, kept from packet to
// packet.
type tracer struct {
	*job
	rays Rays

	hits    []accel.Hit
	samples []sample
	levels  [][]path // the paths of the packet at each depth of reflection
	leaving []accel.Departure
	owner   []int32 // the path that each departure belongs to
	dist    []float64
	blocked []bool
}

// sample is what one ray from the camera sees.
type sample struct {
	color shade.Color
	seen  bool // false: the ray met nothing before a transparent background
}

// path is a point where a ray from the camera, or its reflection, meets a solid.
type path struct {
	parent   int32 // the sample, or the path one level up, that the colour goes to
	ray      geom.Ray
	hit      accel.Hit
	eye      []int32 // the solids that contain the camera ray's origin
	point    geom.Vec3
	normal   geom.Vec3 // unit length, facing the ray's origin
	material *shade.Material

	irradiance shade.Color
	reflected  shade.Color // what the mirror shows, if bounced
	bounced    bool
}

// tile renders the pixels of rect, packet by packet.
func (t *tracer) tile(rect image.Rectangle) {
	side := max(1, packetSide/t.n)
	for y := rect.Min.Y; y < rect.Max.Y; y += side {
		for x := rect.Min.X; x < rect.Max.X; x += side {
			block := image.Rect(x, y, x+side, y+side).Intersect(rect)
			p := t.view.Packet(block, t.n)
			t.trace(&p)
			t.develop(block)
		}
	}
}

// trace fills t.samples with what each ray of the packet sees.
func (t *tracer) trace(p *geom.Packet) {
	t.hits = resize(t.hits, p.Len())
	t.samples = resize(t.samples, p.Len())
	t.world.Nearest(p, t.hits)
	t.rays.Primary += int64(p.Len())

	first := t.level(0)
	for i := range t.hits {
		ray := p.Ray(i%p.NX, i/p.NX)
		if t.hits[i].Object == accel.None {
			t.samples[i] = t.background(ray.Dir)
			continue
		}
		eye := t.eye
		if p.Parallel {
			eye = t.world.Enclosing(ray.Origin)
		}
		*first = append(*first, t.newPath(int32(i), ray, t.hits[i], eye))
	}

	t.light(*first)
	depth := 0
	for depth < t.scene.Shading.Bounces && t.reflect(depth) {
		depth++
		t.light(t.levels[depth])
	}
	for ; depth > 0; depth-- {
		for i := range t.levels[depth] {
			q := &t.levels[depth][i]
			t.levels[depth-1][q.parent].reflected = q.color()
		}
	}
	for i := range t.levels[0] {
		q := &t.levels[0][i]
		t.samples[q.parent] = sample{q.color(), true}
	}
}

// level returns the emptied list of paths at the given depth.
func (t *tracer) level(depth int) *[]path {
	if depth == len(t.levels) {
		t.levels = append(t.levels, nil)
	}
	t.levels[depth] = t.levels[depth][:0]
	return &t.levels[depth]
}

func (t *tracer) newPath(parent int32, ray geom.Ray, hit accel.Hit, eye []int32) path {
	normal := hit.Normal
	if hit.Inside {
		normal = normal.Neg()
	}
	return path{
		parent:     parent,
		ray:        ray,
		hit:        hit,
		eye:        eye,
		point:      ray.At(hit.T),
		normal:     normal,
		material:   &t.scene.Objects[hit.Object].Material,
		irradiance: t.scene.Shading.Ambient,
	}
}

// color returns what the path's surface sends back along its ray.
func (q *path) color() shade.Color {
	matte := shade.Lambert(q.material.Albedo, q.irradiance)
	if !q.bounced {
		return matte
	}
	return matte.Mix(q.reflected, q.material.Mirror)
}

// light adds to each path's irradiance what reaches it from every light, in the lights'
// order.
func (t *tracer) light(paths []path) {
	for l := range t.lights {
		t.collectLit(paths, &t.lights[l])
		t.blocked = resize(t.blocked, len(t.leaving))
		if t.scene.Shading.Shadows {
			t.world.Blocked(t.leaving, t.dist, t.blocked)
			t.rays.Shadow += int64(len(t.leaving))
		} else {
			clear(t.blocked)
		}
		for i, blocked := range t.blocked {
			if !blocked {
				q := &paths[t.owner[i]]
				cos := q.normal.Dot(t.leaving[i].Ray.Dir)
				q.irradiance = q.irradiance.Add(t.lights[l].Irradiance(cos))
			}
		}
	}
}

// collectLit gathers the rays to the light from all paths that face it.
func (t *tracer) collectLit(paths []path, l *light) {
	t.leaving, t.owner, t.dist = t.leaving[:0], t.owner[:0], t.dist[:0]
	for i := range paths {
		q := &paths[i]
		dir, reach := l.Toward(q.point)
		if !(q.normal.Dot(dir) > 0) {
			continue
		}
		// From inside, a solid blocks exactly the lights outside it.
		if q.hit.Inside && t.scene.Shading.Shadows && !slices.Contains(l.inside, q.hit.Object) {
			continue
		}
		t.leave(q, int32(i), dir)
		t.dist = append(t.dist, reach)
	}
}

// reflect follows the mirrors of the paths at the given depth to the next level. It
// reports whether any of their rays met a solid there.
func (t *tracer) reflect(depth int) bool {
	next := t.level(depth + 1)
	paths := t.levels[depth]
	t.leaving, t.owner = t.leaving[:0], t.owner[:0]
	for i := range paths {
		q := &paths[i]
		if q.material.Mirror > 0 {
			t.leave(q, int32(i), shade.Reflect(q.ray.Dir, q.normal))
		}
	}
	t.hits = resize(t.hits, len(t.leaving))
	t.world.Reflected(t.leaving, t.hits)
	t.rays.Mirror += int64(len(t.leaving))
	for i, hit := range t.hits {
		q, d := &paths[t.owner[i]], &t.leaving[i]
		q.bounced = true
		if hit.Object == accel.None {
			q.reflected = t.background(d.Ray.Dir).color
			continue
		}
		*next = append(*next, t.newPath(t.owner[i], d.Ray, hit, d.Eye))
	}
	return len(*next) > 0
}

// leave adds a ray that starts at the end of a path.
func (t *tracer) leave(q *path, index int32, dir geom.Vec3) {
	t.owner = append(t.owner, index)
	t.leaving = append(t.leaving, accel.Departure{
		Ray:    geom.Ray{Origin: q.point, Dir: dir},
		Object: q.hit.Object,
		Inside: q.hit.Inside,
		Eye:    q.eye,
	})
}

// background returns what a ray sees that meets nothing.
func (t *tracer) background(dir geom.Vec3) sample {
	b := &t.scene.Image.Background
	switch {
	case b.Transparent:
		return sample{}
	case b.Top == b.Bottom:
		return sample{b.Top, true} // mixing a colour with itself would round
	}
	// The conversion is not redundant: compilers turn a division by 2 into a product.
	return sample{b.Bottom.Mix(b.Top, float64((1+dir.Dot(t.view.Up()))/2)), true}
}

// develop averages the samples of each pixel of the block and stores them in the film.
func (t *tracer) develop(block image.Rectangle) {
	img, all := t.film.Image, t.n*t.n
	stride := block.Dx() * t.n
	for y := range block.Dy() {
		out := img.PixOffset(block.Min.X-t.region.Min.X, block.Min.Y-t.region.Min.Y+y)
		for x := range block.Dx() {
			var sum shade.Color
			seen := 0
			for j := range t.n {
				row := (y*t.n+j)*stride + x*t.n
				for _, s := range t.samples[row : row+t.n] {
					if s.seen {
						sum = sum.Add(s.color.Clamp())
						seen++
					}
				}
			}
			px := img.Pix[out+4*x : out+4*x+4 : out+4*x+4]
			if seen > 0 {
				// The premultiplied average, divided by the average alpha.
				c := sum.Div(float64(seen))
				px[0], px[1], px[2] = shade.Encode8(c.R), shade.Encode8(c.G), shade.Encode8(c.B)
			}
			px[3] = uint8((2*255*seen + all) / (2 * all))
		}
	}
}

// resize returns a slice of length n, reusing the memory of s. Its elements are stale.
func resize[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }
