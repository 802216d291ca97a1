package shapetest

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/shapes"
)

// HardRay is a ray whose intersection with a solid is hard to compute, with the exact answer.
type HardRay struct {
	Name  string // what makes it hard
	Shape shapes.Shape
	Ray   geom.Ray

	// Exact is where the ray's line meets the solid. Shrunk and Grown are where the line meets the
	// solid with its surface moved inward or outward by Slack, the error that [shapes.Slack] allows for
	// this ray.
	Exact, Shrunk, Grown Extent
	Slack                float64
}

// Extent is the part of a line inside a solid, its ends rounded to the nearest float64. If it is empty, Near
// is NaN.
type Extent struct{ Near, Far float64 }

// IsEmpty reports whether the line misses the solid.
func (x Extent) IsEmpty() bool { return math.IsNaN(x.Near) }

// Check returns an error if an answer differs from the exact one by more than rounding explains. The
// answer has the form that [shapes.Shape].Span returns: near and far distance, and whether the line
// meets the solid.
func (h *HardRay) Check(near, far float64, ok bool) error {
	if !ok {
		if !h.Shrunk.IsEmpty() {
			return fmt.Errorf("%s: a miss, want %v", h, h.Exact)
		}
		return nil
	}
	if h.Grown.IsEmpty() {
		return fmt.Errorf("%s: a hit from %v to %v, want a miss", h, near, far)
	}
	inner := h.Shrunk
	if inner.IsEmpty() {
		inner = Extent{h.Grown.Far, h.Grown.Near}
	}
	if !between(near, h.Grown.Near, inner.Near, h.Slack) || !between(far, inner.Far, h.Grown.Far, h.Slack) {
		return fmt.Errorf("%s: a hit from %v to %v, want %v", h, near, far, h.Exact)
	}
	return nil
}

func between(x, lo, hi, slack float64) bool { return lo-slack <= x && x <= hi+slack }

// String returns the beginning of the line that Format returns: the name, the solid and the ray, without the answer.
func (h *HardRay) String() string {
	return fmt.Sprintf("%s: %s: ray %s", h.Name, formatShape(h.Shape), join(h.Ray.Origin, h.Ray.Dir))
}

// Format returns the line of the list of hard rays that describes h, including the exact answer.
func (h *HardRay) Format() string {
	return fmt.Sprintf("%s: exact %v: shrunk %v: grown %v: slack %s", h, h.Exact, h.Shrunk, h.Grown, shortestDecimal(h.Slack))
}

// String returns both ends, or "miss".
func (x Extent) String() string {
	if x.IsEmpty() {
		return "miss"
	}
	return shortestDecimal(x.Near) + " " + shortestDecimal(x.Far)
}

func formatShape(s shapes.Shape) string {
	switch s := s.(type) {
	case *shapes.Sphere:
		return "sphere " + join(s.Center) + " " + shortestDecimal(s.Radius)
	case *shapes.Capsule:
		return "capsule " + join(s.A, s.B) + " " + shortestDecimal(s.Radius)
	case *shapes.Cylinder:
		return "cylinder " + join(s.A, s.B) + " " + shortestDecimal(s.Radius)
	case *shapes.Box:
		return "box " + join(s.Center, s.HalfExtents, s.Rotation.X, s.Rotation.Y, s.Rotation.Z)
	}
	return fmt.Sprintf("%T", s)
}

func join(vs ...geom.Vec3) string {
	var words []string
	for _, v := range vs {
		words = append(words, shortestDecimal(v.X), shortestDecimal(v.Y), shortestDecimal(v.Z))
	}
	return strings.Join(words, " ")
}

// shortestDecimal returns the shortest decimal that reads back to x.
func shortestDecimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

//go:embed testdata/hardrays.txt
var hardRays string

// HardRays returns the list of hard rays. Some are tangent up to a rounding error, run along faces and through edges,
// corners and rims, or have angles to an axis down to 1e-16. Some start on a surface or far away, and some of the solids
// are tiny or huge. The exact answers were computed with 256 bits. Every implementation of the intersections must pass
// [HardRay.Check] on all of them.
func HardRays() ([]HardRay, error) {
	var list []HardRay
	for i, line := range strings.Split(strings.TrimSpace(hardRays), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		h, err := parseHardRay(line)
		if err != nil {
			return nil, fmt.Errorf("hardrays.txt:%d: %w", i+1, err)
		}
		list = append(list, h)
	}
	return list, nil
}

func parseHardRay(line string) (HardRay, error) {
	parts := strings.Split(line, ": ")
	if len(parts) != 7 {
		return HardRay{}, fmt.Errorf("want 7 parts, got %d", len(parts))
	}
	var p parser
	h := HardRay{Name: parts[0]}
	h.Shape = p.shape(parts[1])
	x := p.numbers(parts[2], "ray", 6)
	h.Ray = geom.Ray{Origin: vec(x), Dir: vec(x[3:])}
	h.Exact = p.extent(parts[3], "exact")
	h.Shrunk = p.extent(parts[4], "shrunk")
	h.Grown = p.extent(parts[5], "grown")
	h.Slack = p.numbers(parts[6], "slack", 1)[0]
	return h, p.err
}

// parser reads the parts of a line and keeps the first error.
type parser struct{ err error }

func (p *parser) numbers(part, word string, n int) []float64 {
	list := make([]float64, n)
	fields := strings.Fields(part)
	if len(fields) != n+1 || fields[0] != word {
		p.fail(fmt.Errorf("want %s and %d numbers, got %q", word, n, part))
		return list
	}
	for i, field := range fields[1:] {
		x, err := strconv.ParseFloat(field, 64)
		p.fail(err)
		list[i] = x
	}
	return list
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func vec(x []float64) geom.Vec3 { return geom.Vec3{X: x[0], Y: x[1], Z: x[2]} }

func (p *parser) shape(part string) shapes.Shape {
	switch kind, _, _ := strings.Cut(part, " "); kind {
	case "sphere":
		x := p.numbers(part, kind, 4)
		return &shapes.Sphere{Center: vec(x), Radius: x[3]}
	case "capsule":
		x := p.numbers(part, kind, 7)
		return &shapes.Capsule{A: vec(x), B: vec(x[3:]), Radius: x[6]}
	case "cylinder":
		x := p.numbers(part, kind, 7)
		return &shapes.Cylinder{A: vec(x), B: vec(x[3:]), Radius: x[6]}
	case "box":
		x := p.numbers(part, kind, 15)
		return &shapes.Box{Center: vec(x), HalfExtents: vec(x[3:]), Rotation: geom.Mat3{X: vec(x[6:]), Y: vec(x[9:]), Z: vec(x[12:])}}
	default:
		p.fail(fmt.Errorf("unknown solid %q", kind))
		return nil
	}
}

func (p *parser) extent(part, word string) Extent {
	if part == word+" miss" {
		return Extent{math.NaN(), math.NaN()}
	}
	x := p.numbers(part, word, 2)
	return Extent{x[0], x[1]}
}
