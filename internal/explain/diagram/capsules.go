package diagram

import (
	"fmt"
	"math/big"
	"strings"

	"pillbox/exact"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/geom2"
)

// flat is a view of two capsules along the common perpendicular of their axes. In this view, the outlines of both
// capsules have their true shapes.
type flat struct {
	origin, u, v geom.Vec3
	parallel     bool // whether the axes are visibly parallel: then the view is of the plane through both
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
	parallel := across.Norm() <= invisible*other.Norm()
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

func (f *flat) on(p geom.Vec3) geom2.Point {
	q := p.Sub(f.origin)
	return geom2.Pt(q.Dot(f.u), q.Dot(f.v))
}

// pairSketch is an unfinished diagram of two capsules.
type pairSketch struct {
	*canvas
	pair *explain.Pair
	axes [2]geom.Segment
	view flat
}

// ofPair draws two capsules.
func ofPair(x *explain.Pair, opt Options) *pairSketch {
	k := &pairSketch{canvas: newCanvas(opt), pair: x, axes: [2]geom.Segment{axisOf(x.Decimals[0]), axisOf(x.Decimals[1])}}
	k.view = flatOf(k.axes[0], k.axes[1])
	k.title(fmt.Sprintf("%s and %s", x.Names[0], x.Names[1]), fmt.Sprintf("They are %s.", x.Relation), k.relations[x.Relation])
	seen := geom2.Nowhere()
	for i, s := range k.axes {
		seen = seen.Include(k.view.on(s.A), x.Decimals[i].R).Include(k.view.on(s.B), x.Decimals[i].R)
	}
	if seen.Width() == 0 || seen.Height() == 0 { // bare points or segments
		seen = seen.Include(seen.Middle(), max(seen.Width(), seen.Height(), 1)/4)
	}
	p := k.PlotOf(k.plotFrame, seen, 50)
	for i := range k.axes {
		k.pill(p, i)
	}
	for i := range k.axes {
		k.axis(p, i)
	}
	k.nearest(p)
	k.triad(func(v geom.Vec3) geom2.Point { return geom2.Pt(v.Dot(k.view.u), v.Dot(k.view.v)) })
	k.column()
	k.PlaceLabels()
	return k
}

func axisOf(c exact.Decimal3) geom.Segment {
	return geom.Segment{
		A: geom.Vec3{X: c.P[0], Y: c.P[1], Z: c.P[2]},
		B: geom.Vec3{X: c.Q[0], Y: c.Q[1], Z: c.Q[2]},
	}
}

// ends returns the ends of an axis in the plot.
func (k *pairSketch) ends(i int) (a, b geom2.Point) {
	return k.view.on(k.axes[i].A), k.view.on(k.axes[i].B)
}

// pill draws the outline of a capsule.
func (k *pairSketch) pill(p *chart.Plot, i int) {
	a, b := k.ends(i)
	outline := p.AllOn(geom2.Stadium(a, b, k.pair.Decimals[i].R))
	p.Fill(outline, k.solid)
	p.Edge(outline, chart.Solid(k.outline, 2))
	seam := b.Sub(a).Unit(geom2.Pt(1, 0)).Left().Scale(k.pair.Decimals[i].R)
	for _, end := range []geom2.Point{a, b} {
		p.Segment(end.Sub(seam), end.Add(seam), chart.Solid(k.outline, 1.2).Crossable())
	}
}

// axis draws the axis of a capsule with its ends and the radius.
func (k *pairSketch) axis(p *chart.Plot, i int) {
	a, b := k.ends(i)
	number, radius := i+1, k.pair.Decimals[i].R
	p.Segment(a, b, chart.Dashed(k.Muted, 2))
	p.Spot(fmt.Sprintf("p%d", number), a, a.Sub(b), k.Ink)
	p.Spot(fmt.Sprintf("q%d", number), b, b.Sub(a), k.Ink)
	quarter := a.Between(b, 0.25)
	rim := quarter.Add(b.Sub(a).Unit(geom2.Pt(1, 0)).Left().Scale(radius))
	p.Segment(quarter, rim, chart.Solid(k.help, 1.5))
	p.Name(fmt.Sprintf("r%d = %s", number, formula.Short(radius)), quarter.Between(rim, 0.6), geom2.Pt(1, 0), k.help)
}

// nearest draws the shortest line between the axes, computed in floats.
func (k *pairSketch) nearest(p *chart.Plot) {
	a, b := k.axes[0].Nearest(k.axes[1])
	from, to, look := k.view.on(a), k.view.on(b), k.colors.ray
	p.Segment(from, to, chart.Solid(look, 2.5))
	p.Dot(p.On(from), 5, look)
	p.Dot(p.On(to), 5, look)
	side := to.Sub(from).Unit(geom2.Pt(1, 0)).Left()
	p.Name("distance "+formula.Short(a.Sub(b).Norm()), from.Between(to, 0.5), side, look)
}

// where describes the plane of the drawing in relation to the axes.
func (k *pairSketch) where() string {
	switch gap, apart := k.pair.Gap(); {
	case !apart:
		return "Both axes lie in this plane."
	case k.view.parallel:
		return "The axes are nearly parallel and nearly in this plane."
	default:
		return "Seen along the common perpendicular of the axes, which are in planes " + brief(gap) + " apart."
	}
}

// column writes into the column of the diagram the numbers that decide whether the capsules overlap.
func (k *pairSketch) column() {
	y := k.small(k.where()+" "+key(meaning{"p, q", "the ends of an axis"}, meaning{"r", "radius"}, meaning{"u, v", "along the axes"},
		meaning{"w", "from p2 to p1"}), contentTop+1.45*sizeSmall, k.Muted)
	y = k.small("In multiples of "+k.pair.Unit()+":", y+8, k.Muted)
	tall := func(text string) float64 {
		return float64(len(k.Fonts.Wrap(text, columnRight-columnLeft, chart.Regular(sizeSmall)))) * chart.Leading * sizeSmall
	}
	steps := k.pair.Steps()
	room := contentBottom - y
	for _, s := range steps {
		if text := columnText(s); text != "" {
			room -= tall(text)
		}
	}
	for _, s := range steps {
		text := columnText(s)
		switch isNumber := s.Symbol != ""; {
		case text == "":
		case isNumber && room < 0: // omitted, so that all relations fit
			room += tall(text)
		case isNumber:
			y = k.small(text, y, k.Ink)
		default:
			y = k.small(text, y, k.verdict(s))
		}
	}
}

// verdict returns the color of a step in the column. If the step decides the capsules' relation, such as overlapping,
// it is the color of this relation. Otherwise, the color is muted.
func (k *pairSketch) verdict(s explain.Step) chart.Hex {
	for relation, look := range k.relations {
		if strings.HasSuffix(s.Note, ": "+relation.String()) {
			return look
		}
	}
	return k.Muted
}

// columnText returns the text of a step that computes an integer or compares two integers. Long numbers are
// shortened. For other steps, the text is empty.
func columnText(s explain.Step) string {
	text := ""
	if _, isNumber := s.Value.(*big.Int); isNumber {
		text = s.Symbol + " = " + s.Result
	} else if s.Symbol == "" && s.Formula != "" {
		text = s.Formula + ": " + s.Result
	}
	return shortened(text)
}

// shortened replaces the digits in the middle of long numbers in a text.
func shortened(text string) string {
	const (
		most, first, last = 24, 10, 6
		decimals          = "0123456789"
	)
	var short strings.Builder
	for text != "" {
		rest := strings.TrimLeft(text, decimals)
		digits := text[:len(text)-len(rest)]
		if len(digits) > most {
			digits = fmt.Sprintf("%s…%s (%d digits)", digits[:first], digits[len(digits)-last:], len(digits))
		}
		next := strings.IndexAny(rest, decimals)
		if next < 0 {
			next = len(rest)
		}
		short.WriteString(digits + rest[:next])
		text = rest[next:]
	}
	return short.String()
}
