package explain

import (
	"fmt"
	"image"
	"math"
	"math/big"
	"regexp"

	"pillbox/exact"
	"pillbox/geom"
)

// flat is a view of two capsules along the common perpendicular of their axes, in which both
// outlines are true.
type flat struct {
	origin, u, v geom.Vec3
	parallel     bool // for the eye: the plane through both
}

func flatOf(a, b geom.Segment) flat {
	x, ok := geom.Direction(a.B.Sub(a.A))
	other := b.B.Sub(b.A)
	if !ok {
		if x, ok = geom.Direction(other); !ok {
			x = geom.Vec3{X: 1}
		}
	}
	across := other.AddScaled(-other.Dot(x), x)
	parallel := across.Norm() <= 1e-9*other.Norm()
	if parallel {
		w := b.A.Sub(a.A)
		across = w.AddScaled(-w.Dot(x), x)
	}
	y, ok := geom.Direction(across)
	if !ok {
		y = perpendicularTo(x)
	}
	return flat{a.A, x, y, parallel}
}

func (f *flat) on(p geom.Vec3) point {
	q := p.Sub(f.origin)
	return point{q.Dot(f.u), q.Dot(f.v)}
}

// Diagram implements [Explanation]. It draws both capsules; DiagramOptions.Object is ignored.
func (x *Pair) Diagram(opt DiagramOptions) (image.Image, error) { return x.draw(opt).dc.Image(), nil }

func (x *Pair) draw(opt DiagramOptions) *canvas {
	c := newCanvas(opt.Dark)
	c.title(fmt.Sprintf("%s and %s", x.Names[0], x.Names[1]), fmt.Sprintf("They are %s.", x.Relation))
	axes := [2]geom.Segment{axisOf(x.Decimals[0]), axisOf(x.Decimals[1])}
	f := flatOf(axes[0], axes[1])
	seen := nowhere()
	for i, s := range axes {
		seen = seen.include(f.on(s.A), x.Decimals[i].R).include(f.on(s.B), x.Decimals[i].R)
	}
	if seen.x1-seen.x0 == 0 || seen.y1-seen.y0 == 0 { // bare points or segments
		seen = seen.include(seen.middle(), max(seen.x1-seen.x0, seen.y1-seen.y0, 1)/4)
	}
	p := c.plotOf(plotFrame(), seen, 50)
	for i, s := range axes {
		p.pill(f.on(s.A), f.on(s.B), x.Decimals[i].R)
	}
	for i, s := range axes {
		k := i + 1
		p.segment(f.on(s.A), f.on(s.B), stroke{c.muted, 2, true})
		p.spot(fmt.Sprintf("p%d", k), f.on(s.A), f.on(s.A).sub(f.on(s.B)), c.fore)
		p.spot(fmt.Sprintf("q%d", k), f.on(s.B), f.on(s.B).sub(f.on(s.A)), c.fore)
		quarter := f.on(s.A).between(f.on(s.B), 0.25)
		out := f.on(s.B).sub(f.on(s.A)).unit(point{1, 0}).left()
		rim := quarter.add(out.scale(x.Decimals[i].R))
		p.segment(quarter, rim, stroke{c.help, 1.5, false})
		p.label(fmt.Sprintf("r%d = %s", k, short(x.Decimals[i].R)), quarter.between(rim, 0.6), point{1, 0}, c.help)
	}
	x.nearest(p, &f, axes)
	x.column(c, &f)
	c.placeLabels()
	return c
}

func axisOf(c exact.Decimal3) geom.Segment {
	return geom.Segment{
		A: geom.Vec3{X: c.P[0], Y: c.P[1], Z: c.P[2]},
		B: geom.Vec3{X: c.Q[0], Y: c.Q[1], Z: c.Q[2]},
	}
}

// pill draws a stadium in any direction.
func (p *plot) pill(a, b point, radius float64) {
	x := b.sub(a).unit(point{1, 0})
	angle := math.Atan2(x.y, x.x)
	outline := append(arc(b, radius, angle-math.Pi/2, angle+math.Pi/2), arc(a, radius, angle+math.Pi/2, angle+3*math.Pi/2)...)
	on := p.onAll(outline)
	p.fill(on, p.theme.solid)
	p.outlined(on, stroke{p.outline, 2, false})
}

// nearest draws the shortest way between the axes, which for the drawing is found in floats.
func (x *Pair) nearest(p *plot, f *flat, axes [2]geom.Segment) {
	a, b := axes[0].Nearest(axes[1])
	from, to := f.on(a), f.on(b)
	distance := a.Sub(b).Norm()
	p.segment(from, to, stroke{p.theme.ray, 2.5, false})
	p.dot(p.on(from), 5, p.theme.ray, true)
	p.dot(p.on(to), 5, p.theme.ray, true)
	p.label("distance "+short(distance), from.between(to, 0.5), to.sub(from).unit(point{1, 0}).left(), p.theme.ray)
}

// where says what the plane of the drawing is.
func (x *Pair) where(f *flat) string {
	switch gap, apart := x.gap(); {
	case !apart:
		return "Both axes lie in this plane."
	case f.parallel:
		return "The axes are nearly parallel and lie nearly in this plane."
	default:
		return "Seen along the common perpendicular of the axes, whose planes are " + brief(gap) + " apart."
	}
}

// gap returns how far the lines of the axes are apart along their common perpendicular,
// |h| / √D, rounded, and whether that is anything: the integers decide it.
func (x *Pair) gap() (gap float64, apart bool) {
	d := newDerivation[whole]()
	d.silent = true
	relate(d, x.Whole[0], x.Whole[1])
	h := acrossBoth(d)
	if h.Sign() == 0 { // so it is if they are parallel: only then is D zero
		return 0, false
	}
	length := new(big.Float).SetInt(d.scalar("D").Int)
	length.Sqrt(length)
	unit, _ := new(big.Float).SetString(fmt.Sprintf("1e%d", x.Exponent))
	whole := new(big.Float).SetInt(h.Abs(h))
	gap, _ = whole.Quo(whole, length).Mul(whole, unit).Float64()
	return gap, true
}

// column writes the numbers that decide.
func (x *Pair) column(c *canvas, f *flat) {
	const wide = columnRight - columnLeft
	y := c.paragraph(x.where(f), point{columnLeft, contentTop + 1.45*sizeSmall}, wide, c.muted, sizeSmall)
	y = c.paragraph("In multiples of "+powerOfTen(x.Exponent)+":", point{columnLeft, y + 8}, wide, c.muted, sizeSmall)
	tall := func(s Step) float64 {
		return float64(len(c.lines(s.columnText(), wide, sizeSmall))) * leading * sizeSmall
	}
	room := contentBottom - y
	for _, s := range x.steps() {
		room -= tall(s)
	}
	for _, s := range x.steps() {
		switch isNumber := s.Symbol != ""; {
		case s.columnText() == "":
		case isNumber && room < 0: // gives way to relations, which decide
			room += tall(s)
		case isNumber:
			y = c.paragraph(s.columnText(), point{columnLeft, y}, wide, c.fore, sizeSmall)
		default:
			y = c.paragraph(s.columnText(), point{columnLeft, y}, wide, c.accepted, sizeSmall)
		}
	}
}

// columnText writes a number or a relation of integers, those that are longer than a line
// shortened; other steps give "".
func (s Step) columnText() string {
	text := ""
	if _, isNumber := s.Value.(*big.Int); isNumber {
		text = s.Symbol + " = " + s.Result
	} else if s.Symbol == "" && s.Formula != "" {
		text = s.Formula + ": " + s.Result
	}
	const most, first, last = 24, 10, 6
	return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(text, func(digits string) string {
		if len(digits) <= most {
			return digits
		}
		return fmt.Sprintf("%s…%s (%d digits)", digits[:first], digits[len(digits)-last:], len(digits))
	})
}
