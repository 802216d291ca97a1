// Command tracer is a solution of the course in Go, as a learner writes it. Tests plant mistakes into it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/big"
	"os"
	"strconv"
)

type vec [3]float64

func (a vec) add(b vec) vec       { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec       { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(b vec) vec       { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) times(s float64) vec { return vec{s * a[0], s * a[1], s * a[2]} }
func (a vec) dot(b vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a vec) length() float64 { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec       { return a.times(1 / a.length()) }

// num is a number that is written as null if JSON cannot represent it.
type num float64

// MarshalJSON writes the number or null.
func (x num) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// MarshalJSON writes the vector as a list.
func (a vec) MarshalJSON() ([]byte, error) {
	return json.Marshal([]num{num(a[0]), num(a[1]), num(a[2])})
}

type ray struct{ o, d vec }

func (r ray) at(t float64) vec { return r.o.add(r.d.times(t)) }

type solid struct {
	Type        string
	Center      vec
	Radius      float64
	A, B        vec
	HalfExtents vec `json:"half_extents"`
	Axes        [3]vec
	Color       string
	Mirror      float64
}

// hit is one end of the chord of a line in a solid.
type hit struct {
	t      float64
	normal vec
	face   string
}

// chord returns where the line enters and leaves the solid.
func (s *solid) chord(r ray) (in, out hit, ok bool) {
	switch s.Type {
	case "sphere":
		return sphere(r, s.Center, s.Radius)
	case "capsule":
		return s.capsule(r)
	case "cylinder":
		return s.cylinder(r)
	}
	return s.box(r)
}

func sphere(r ray, center vec, radius float64) (in, out hit, ok bool) {
	oc := r.o.sub(center)
	halfB := oc.dot(r.d)
	foot := oc.sub(r.d.times(halfB))
	disc := radius*radius - foot.dot(foot)
	if disc < 0 {
		return
	}
	root := math.Sqrt(disc)
	in.t, out.t = -halfB-root, -halfB+root
	in.normal = r.at(in.t).sub(center).unit()
	out.normal = r.at(out.t).sub(center).unit()
	return in, out, true
}

func (s *solid) capsule(r ray) (in, out hit, ok bool) {
	ba := s.B.sub(s.A)
	height := ba.length()
	if height == 0 {
		return sphere(r, s.A, s.Radius)
	}
	axis := ba.times(1 / height)
	oa := r.o.sub(s.A)
	oy, dy := oa.dot(axis), r.d.dot(axis)
	op, dp := oa.sub(axis.times(oy)), r.d.sub(axis.times(dy))
	in.t, out.t = math.Inf(1), math.Inf(-1)
	take := func(t float64, center vec) {
		n := r.at(t).sub(center).unit()
		if t < in.t {
			in = hit{t: t, normal: n}
		}
		if t > out.t {
			out = hit{t: t, normal: n}
		}
	}
	if a := dp.dot(dp); a > 1e-31 {
		mid := -op.dot(dp) / a
		foot := op.add(dp.times(mid))
		disc := s.Radius*s.Radius - foot.dot(foot)
		if disc < 0 {
			return hit{}, hit{}, false
		}
		root := math.Sqrt(disc / a)
		for _, t := range []float64{mid - root, mid + root} {
			if y := oy + t*dy; y >= 0 && y <= height {
				take(t, s.A.add(axis.times(y)))
			}
		}
	}
	for _, end := range []vec{s.A, s.B} {
		if a, b, ok := sphere(r, end, s.Radius); ok {
			take(a.t, end)
			take(b.t, end)
		}
	}
	return in, out, in.t <= out.t
}

func (s *solid) cylinder(r ray) (in, out hit, ok bool) {
	ba := s.B.sub(s.A)
	height := ba.length()
	axis := ba.unit()
	oa := r.o.sub(s.A)
	oy, dy := oa.dot(axis), r.d.dot(axis)
	op, dp := oa.sub(axis.times(oy)), r.d.sub(axis.times(dy))
	in.t, out.t = math.Inf(-1), math.Inf(1)
	a, foot := dp.dot(dp), op
	if a > 1e-31 {
		foot = op.sub(dp.times(op.dot(dp) / a))
	}
	disc := s.Radius*s.Radius - foot.dot(foot)
	if disc < 0 {
		return
	}
	if a > 1e-31 {
		mid, root := -op.dot(dp)/a, math.Sqrt(disc/a)
		side := func(t float64) hit {
			return hit{t: t, normal: op.add(dp.times(t)).unit()}
		}
		in, out = side(mid-root), side(mid+root)
	}
	if dy == 0 {
		return in, out, oy >= 0 && oy <= height
	}
	lower, upper := hit{t: -oy / dy, normal: axis.times(-1)}, hit{t: (height - oy) / dy, normal: axis}
	if dy < 0 {
		lower, upper = upper, lower
	}
	if lower.t > in.t {
		in = lower
	}
	if upper.t < out.t {
		out = upper
	}
	return in, out, in.t <= out.t
}

func (s *solid) box(r ray) (in, out hit, ok bool) {
	rel := r.o.sub(s.Center)
	in.t, out.t = math.Inf(-1), math.Inf(1)
	for i, axis := range s.Axes {
		o, d, h := rel.dot(axis), r.d.dot(axis), s.HalfExtents[i]
		name := string("xyz"[i])
		if d == 0 {
			if o < -h || o > h {
				return hit{}, hit{}, false
			}
			continue
		}
		t1 := hit{(-h - o) / d, axis.times(-1), "-" + name}
		t2 := hit{(h - o) / d, axis, "+" + name}
		if t1.t > t2.t {
			t1, t2 = t2, t1
		}
		if t1.t > in.t {
			in = t1
		}
		if t2.t < out.t {
			out = t2
		}
	}
	return in, out, in.t <= out.t
}

// first returns the first crossing ahead, and whether the ray starts inside.
func first(in, out hit, ok bool) (h hit, inside, found bool) {
	if !ok {
		return
	}
	if in.t > 0 {
		return in, false, true
	}
	if out.t > 0 {
		return out, true, true
	}
	return
}

func nearest(solids []solid, r ray) (best hit, k int, inside bool) {
	k = -1
	for i := range solids {
		h, within, ok := first(solids[i].chord(r))
		if ok && (k < 0 || h.t < best.t) {
			best, k, inside = h, i, within
		}
	}
	return
}

// leave returns the first hit of a ray that leaves a solid.
func leave(solids []solid, own int, inside bool, around map[int]bool, r ray) (best hit, k int, within bool) {
	k = -1
	for i := range solids {
		if i == own && !inside {
			continue
		}
		in, out, ok := solids[i].chord(r)
		if !ok {
			continue
		}
		h, far := in, false
		if i == own || around[i] {
			h, far = out, true
		}
		if (h.t > 0 || i == own) && (k < 0 || h.t < best.t) {
			best, k, within = h, i, far
		}
	}
	return
}

func closestPoint(a, b, p vec) vec {
	ab := b.sub(a)
	l2 := ab.dot(ab)
	if l2 == 0 {
		return a
	}
	t := p.sub(a).dot(ab) / l2
	if t < 0 {
		t = 0
	}
	if t > 1 {
		t = 1
	}
	return a.add(ab.times(t))
}

func toLinear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func linear(hex string) vec {
	var v vec
	for i := range v {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		v[i] = toLinear(float64(n) / 255)
	}
	return v
}

func toByte(x float64) int {
	x = math.Max(0, math.Min(1, x))
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return int(x*255 + 0.5)
}

type light struct {
	Color     string
	Intensity float64
	Position  *vec
	Direction *vec
}

func (l *light) strength() vec { return linear(l.Color).times(l.Intensity) }

func (l *light) from(p vec) (dir vec, dist float64) {
	if l.Direction != nil {
		return l.Direction.times(-1), math.Inf(1)
	}
	to := l.Position.sub(p)
	return to.unit(), to.length()
}

type cam struct {
	Projection string
	Position   vec
	LookAt     vec `json:"look_at"`
	Up         vec
	FOV        float64
	ViewHeight float64 `json:"view_height"`
}

func (c *cam) ray(x, y, w, h float64) ray {
	forward := c.LookAt.sub(c.Position).unit()
	right := forward.cross(c.Up).unit()
	up := right.cross(forward)
	viewH := c.ViewHeight
	if c.Projection == "perspective" {
		viewH = 2 * math.Tan(c.FOV*math.Pi/180/2)
	}
	viewW := viewH * w / h
	u, v := (x/w-0.5)*viewW, (0.5-y/h)*viewH
	offset := right.times(u).add(up.times(v))
	if c.Projection == "perspective" {
		return ray{c.Position, forward.add(offset).unit()}
	}
	return ray{c.Position.add(offset), forward}
}

type world struct {
	Width, Height, Antialias int
	Background               struct{ Top, Bottom string }
	Camera                   cam
	Ambient                  float64
	Bounces                  int
	Lights                   []light
	Solids                   []solid
}

func (w *world) background(d vec) vec {
	t := 0.5 * (d.dot(w.Camera.Up.unit()) + 1)
	return linear(w.Background.Bottom).times(1 - t).add(linear(w.Background.Top).times(t))
}

func (w *world) see(r ray) vec {
	around := map[int]bool{}
	for i := range w.Solids {
		if in, out, ok := w.Solids[i].chord(r); ok && in.t < 0 && out.t > 0 {
			around[i] = true
		}
	}
	h, k, inside := nearest(w.Solids, r)
	return w.shade(r, h, k, inside, around, 0)
}

func (w *world) shade(r ray, h hit, k int, inside bool, around map[int]bool, depth int) vec {
	if k < 0 {
		return w.background(r.d)
	}
	p, n := r.at(h.t), h.normal
	if inside {
		n = n.times(-1)
	}
	sum := vec{w.Ambient, w.Ambient, w.Ambient}
	for i := range w.Lights {
		dir, dist := w.Lights[i].from(p)
		cos := n.dot(dir)
		if cos <= 0 {
			continue
		}
		if s, b, _ := leave(w.Solids, k, inside, around, ray{p, dir}); b >= 0 && s.t < dist {
			continue
		}
		sum = sum.add(w.Lights[i].strength().times(cos))
	}
	matte := linear(w.Solids[k].Color).mul(sum)
	m := w.Solids[k].Mirror
	if m == 0 || depth >= w.Bounces {
		return matte
	}
	refl := ray{p, r.d.sub(n.times(2 * r.d.dot(n))).unit()}
	h2, k2, in2 := leave(w.Solids, k, inside, around, refl)
	seen := w.shade(refl, h2, k2, in2, around, depth+1)
	return matte.times(1 - m).add(seen.times(m))
}

type question struct {
	solid
	ID                int
	Stage             string
	Origin, Direction vec
	Solid             json.RawMessage
	Solids            []solid
	A, B              json.RawMessage
	Albedo            string
	Ambient           float64
	Lights            []light
	Normal, Point     vec
	Camera            cam
	Width, Height     int
	Pixel             [2]float64
	Scene             world
	PNG               string
}

type answer map[string]any

func get[T any](data json.RawMessage) (v T) {
	if err := json.Unmarshal(data, &v); err != nil {
		panic(err)
	}
	return v
}

func (q *question) crossings() answer {
	s := q.solid
	s.Type = q.Stage
	if q.A != nil {
		s.A, s.B = get[vec](q.A), get[vec](q.B)
	}
	r := ray{q.Origin, q.Direction}
	in, out, ok := s.chord(r)
	hits := []hit{in, out}
	if !ok {
		hits = nil
	} else if in.t == out.t {
		hits = hits[:1]
	}
	ts, points, normals := []num{}, []vec{}, []vec{}
	for _, h := range hits {
		ts = append(ts, num(h.t))
		points = append(points, r.at(h.t))
		normals = append(normals, h.normal)
	}
	a := answer{"count": len(hits), "t": ts, "points": points, "normals": normals}
	if in.face != "" {
		a["face"] = in.face
	}
	return a
}

func (q *question) ahead() answer {
	s := get[solid](q.Solid)
	h, _, ok := first(s.chord(ray{q.Origin, q.Direction}))
	if !ok {
		return answer{"t": nil}
	}
	return answer{"t": num(h.t)}
}

func (q *question) segment() answer {
	p := closestPoint(get[vec](q.A), get[vec](q.B), q.Center)
	d := p.sub(q.Center)
	return answer{"closest": p, "touches": d.dot(d) <= q.Radius*q.Radius}
}

type ints [3]*big.Int

func (a ints) sub(b ints) (v ints) {
	for i := range v {
		v[i] = new(big.Int).Sub(a[i], b[i])
	}
	return
}

func prod(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func (a ints) dot(b ints) *big.Int {
	sum := new(big.Int)
	for i := range a {
		sum.Add(sum, prod(a[i], b[i]))
	}
	return sum
}

func (a ints) cross(b ints) (v ints) {
	for i := range v {
		j, k := (i+1)%3, (i+2)%3
		v[i] = new(big.Int).Sub(prod(a[j], b[k]), prod(a[k], b[j]))
	}
	return
}

type intCapsule struct {
	P, Q   []int64
	Radius int64
}

func point(p []int64) (v ints) {
	for i := range v {
		v[i] = new(big.Int)
		if i < len(p) {
			v[i].SetInt64(p[i])
		}
	}
	return
}

// pointSegment compares the distance of p to the segment with reach.
func pointSegment(p, a, b ints, reach2 *big.Int) int {
	ab, ap := b.sub(a), p.sub(a)
	num, den := ap.dot(ab), ab.dot(ab)
	if num.Sign() <= 0 {
		return ap.dot(ap).Cmp(reach2)
	}
	if num.Cmp(den) >= 0 {
		bp := p.sub(b)
		return bp.dot(bp).Cmp(reach2)
	}
	n := ap.cross(ab)
	return n.dot(n).Cmp(prod(reach2, den))
}

func (q *question) overlap() answer {
	c1, c2 := get[intCapsule](q.A), get[intCapsule](q.B)
	p1, q1, p2, q2 := point(c1.P), point(c1.Q), point(c2.P), point(c2.Q)
	reach := big.NewInt(c1.Radius + c2.Radius)
	reach2 := prod(reach, reach)
	best := min(pointSegment(p1, p2, q2, reach2), pointSegment(q1, p2, q2, reach2),
		pointSegment(p2, p1, q1, reach2), pointSegment(q2, p1, q1, reach2))
	u, v, w := q1.sub(p1), q2.sub(p2), p2.sub(p1)
	n := u.cross(v)
	nn := n.dot(n)
	if nn.Sign() > 0 {
		s, t := w.cross(v).dot(n), w.cross(u).dot(n)
		if s.Sign() >= 0 && s.Cmp(nn) <= 0 && t.Sign() >= 0 && t.Cmp(nn) <= 0 {
			wn := w.dot(n)
			best = min(best, prod(wn, wn).Cmp(prod(reach2, nn)))
		}
	}
	return answer{"relation": []string{"overlaps", "touches", "apart"}[best+1]}
}

func (q *question) nearest() answer {
	h, k, inside := nearest(q.Solids, ray{q.Origin, q.Direction})
	if k < 0 {
		return answer{"object": nil, "t": nil, "normal": nil}
	}
	n := h.normal
	if inside {
		n = n.times(-1)
	}
	return answer{"object": k, "t": num(h.t), "normal": n}
}

func (q *question) camera() answer {
	r := q.Camera.ray(q.Pixel[0]+0.5, q.Pixel[1]+0.5, float64(q.Width), float64(q.Height))
	return answer{"origin": r.o, "direction": r.d}
}

func (q *question) lambert() answer {
	sum := vec{q.Ambient, q.Ambient, q.Ambient}
	for i := range q.Lights {
		dir, _ := q.Lights[i].from(q.Point)
		sum = sum.add(q.Lights[i].strength().times(math.Max(0, q.Normal.dot(dir))))
	}
	c := linear(q.Albedo).mul(sum)
	return answer{"color": c, "srgb": [3]int{toByte(c[0]), toByte(c[1]), toByte(c[2])}}
}

func (q *question) shadow(own int) answer {
	arrives := []bool{}
	for i := range q.Lights {
		dir, dist := q.Lights[i].from(q.Point)
		lit := q.Normal.dot(dir) > 0
		for k := range q.Solids {
			if k == own {
				continue
			}
			if in, _, ok := q.Solids[k].chord(ray{q.Point, dir}); ok && in.t > 0 && in.t < dist {
				lit = false
			}
		}
		arrives = append(arrives, lit)
	}
	return answer{"arrives": arrives}
}

func (q *question) picture() answer {
	w := &q.Scene
	n := w.Antialias
	img := image.NewNRGBA(image.Rect(0, 0, w.Width, w.Height))
	for y := range w.Height {
		for x := range w.Width {
			var sum vec
			for j := range n {
				for i := range n {
					px, py := float64(x)+(float64(i)+0.5)/float64(n), float64(y)+(float64(j)+0.5)/float64(n)
					c := w.see(w.Camera.ray(px, py, float64(w.Width), float64(w.Height)))
					for k := range c {
						sum[k] += math.Min(1, c[k])
					}
				}
			}
			sum = sum.times(1 / float64(n*n))
			img.SetNRGBA(x, y, color.NRGBA{uint8(toByte(sum[0])), uint8(toByte(sum[1])), uint8(toByte(sum[2])), 255})
		}
	}
	f, err := os.Create(q.PNG)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		panic(err)
	}
	return answer{}
}

func (q *question) answer() answer {
	switch q.Stage {
	case "ahead":
		return q.ahead()
	case "segment":
		return q.segment()
	case "overlap":
		return q.overlap()
	case "nearest":
		return q.nearest()
	case "camera":
		return q.camera()
	case "lambert":
		return q.lambert()
	case "shadow":
		return q.shadow(get[int](q.Solid))
	case "mirror":
		return answer{"color": q.Scene.see(ray{q.Origin, q.Direction})}
	case "picture":
		return q.picture()
	}
	return q.crossings()
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		a := q.answer()
		a["id"] = q.ID
		line, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", line)
	}
}
