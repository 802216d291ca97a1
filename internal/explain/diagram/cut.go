package diagram

import (
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/explain/derive"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// cutting is what a sketch knows of a solid that sections cut.
type cutting struct {
	*shapes.Cut
	whole derive.Chord           // the line's part in the whole solid
	name  func(index int) string // of a section, in a sentence
}

// cutRoots derives where the line of a sketch crosses what sections leave of a solid.
func (k *sketch) cutRoots(c *shapes.Cut, name func(index int) string) {
	k.cut = &cutting{Cut: c, name: name}
	k.derivation, k.cut.whole = derive.Roots(k.ray, c.Whole)
	if k.cut.whole.OK && derive.Clip(k.derivation, c, name) {
		k.chord = derive.Chord{OK: true, Near: k.scalar("t_near"), Far: k.scalar("t_far")}
	}
}

// sheet is a plane through a line, with the line as the x axis of the plot.
type sheet struct {
	ray geom.Ray
	v   geom.Vec3 // the direction of the plot's y
}

// sheetOf returns the plane through the line of a sketch that is perpendicular to the first section that decides where the
// line enters or leaves the solid. If there is none, or it is perpendicular to the line, the plane contains the solid's center.
func (k *sketch) sheetOf(c *cutting) sheet {
	s := sheet{ray: k.ray}
	toward := []geom.Vec3{c.Whole.Bounds().Center().Sub(k.ray.Origin), perpendicularTo(k.ray.Dir)}
	if list := k.deciding(); len(list) > 0 {
		toward = slices.Insert(toward, 0, c.By[list[0]].Normal)
	}
	for _, v := range toward {
		across := v.AddScaled(-v.Dot(k.ray.Dir), k.ray.Dir)
		if across.Norm() > invisible*v.Norm() {
			s.v = across.Unit()
			break
		}
	}
	return s
}

// on returns the position in the plot of the projection of p.
func (s *sheet) on(p geom.Vec3) geom2.Point {
	f := p.Sub(s.ray.Origin)
	return geom2.Pt(f.Dot(s.ray.Dir), f.Dot(s.v))
}

// slice returns the convex outline of the part of a solid that lies in the plane, or nil if the plane misses the solid.
func (s *sheet) slice(solid shapes.Shape) []geom2.Point {
	const rows = 192
	low, high := math.Inf(1), math.Inf(-1)
	for _, corner := range solid.Bounds().Corners() {
		y := s.on(corner).Y
		low, high = min(low, y), max(high, y)
	}
	hits := func(y float64) bool { _, ok := s.row(solid, y); return ok }
	first, last := math.NaN(), math.NaN()
	step := (high - low) / rows
	for i := range rows {
		if y := low + step*(float64(i)+0.5); hits(y) {
			if first != first {
				first = y
			}
			last = y
		}
	}
	if first != first {
		return nil
	}
	low, high = edgeOf(hits, first, first-step), edgeOf(hits, last, last+step)
	var points []geom2.Point
	for i := range rows + 1 {
		y := (low+high)/2 - (high-low)/2*math.Cos(math.Pi*float64(i)/rows)
		if span, ok := s.row(solid, y); ok {
			points = append(points, geom2.Pt(span[0], y), geom2.Pt(span[1], y))
		}
	}
	return geom2.Hull(points)
}

// row returns where the parallel of the line at the height y in the plot enters and leaves a solid.
func (s *sheet) row(solid shapes.Shape, y float64) (span [2]float64, ok bool) {
	x, ok := solid.Span(geom.Ray{Origin: s.ray.Origin.AddScaled(y, s.v), Dir: s.ray.Dir})
	return [2]float64{x.Near.T, x.Far.T}, ok
}

// edgeOf returns the last height between in, where hits is true, and out, up to which it is.
func edgeOf(hits func(y float64) bool, in, out float64) float64 {
	for range 50 {
		if y := (in + out) / 2; hits(y) {
			in = y
		} else {
			out = y
		}
	}
	return in
}

// halfPlane is the trace of a section in a plot: points with height(p) > 0 are taken away.
type halfPlane struct {
	normal geom2.Point
	offset float64
}

func (s *sheet) trace(x *shapes.Section) halfPlane {
	return halfPlane{geom2.Pt(x.Normal.Dot(s.ray.Dir), x.Normal.Dot(s.v)), x.Beyond(s.ray.Origin)}
}

func (h halfPlane) height(p geom2.Point) float64 { return h.normal.Dot(p) + h.offset }

// drawCut draws the plane of a sheet: the solid's slice, the sections as lines, and the ray or segment. Below, a number line
// shows where the line is inside the whole solid and on the kept side of each section.
func (k *sketch) drawCut() {
	s := k.sheetOf(k.cut)
	at := func(t float64) geom2.Point { return geom2.Pt(t, 0) }
	whole := s.slice(k.cut.Whole)
	frame, line := k.plotFrame, k.plotFrame
	rows := k.intervals(int((frame.Height()/2 - slabsHeight(0)) / rowHeight))
	line.Min.Y = line.Max.Y - slabsHeight(len(rows))
	frame.Max.Y = line.Min.Y - 20
	p := k.PlotOf(frame, k.withEnds(s.seen(k.cut.Whole, whole), at, k.cut.Whole.Bounds().Size().Norm()), 52)
	k.slices(p, &s, whole)
	k.rayLine(p, at)
	k.roots(p, at, func(t float64) geom2.Point { return k.cutNormal(&s, t) })
	k.slabs(line, rows)
	k.triad(func(v geom.Vec3) geom2.Point { return geom2.Pt(v.Dot(s.ray.Dir), v.Dot(s.v)) })
	k.caption("A plane through the " + k.what() + ". Dashed: the whole solid; filled: what is left of it. A thick line is the plane of a section, and " +
		"its arrow points to the side that is taken away. The line is in what is left where it is inside the solid and on all kept sides. A pointed bar goes on. " +
		k.cutKey())
	k.numbers(k.cutSymbols()...)
}

// seen returns the visible part of the plot: the slice of a solid or, if the plane misses the solid, its bounds. The point of
// the line that is nearest to the slice belongs to it, unless the slice would be a dot then.
func (s *sheet) seen(solid shapes.Shape, slice []geom2.Point) geom2.Box {
	if slice == nil {
		for _, corner := range solid.Bounds().Corners() {
			slice = append(slice, s.on(corner))
		}
	}
	box := geom2.Nowhere()
	for _, p := range slice {
		box = box.Include(p, 0)
	}
	size := max(box.Width(), box.Height())
	if nearest := geom2.Pt(box.Middle().X, 0); box.Inset(-3 * size).Contains(nearest) {
		box = box.Include(nearest, 0)
	}
	return box.Include(box.Middle(), 0.3*size)
}

// slices draws the slice of the whole solid, what is left of it, and the traces of the sections.
func (k *sketch) slices(p *chart.Plot, s *sheet, whole []geom2.Point) {
	left := whole
	for i := range k.cut.By {
		left = geom2.Clip(left, s.trace(&k.cut.By[i]).height)
	}
	p.Clipped(p.Frame, func() {
		if len(whole) > 0 {
			p.Fill(p.AllOn(whole), k.solid)
			p.Edge(p.AllOn(whole), chart.Dashed(k.outline, 1.2))
		}
		if len(left) > 0 {
			p.Fill(p.AllOn(left), k.slice)
			p.Edge(p.AllOn(left), chart.Solid(k.outline, 2.2))
		}
	})
	for i := range k.cut.By {
		k.trace(p, s, i)
	}
}

// trace draws the line in which the plane of a section meets that of the plot, with the part of the section's normal
// there. It draws nothing if the planes are nearly parallel, or the line lies outside the plot.
func (k *sketch) trace(p *chart.Plot, s *sheet, i int) {
	const arrow, least = 40, 0.05
	section, look := &k.cut.By[i], k.colors.axes[i%3]
	h := s.trace(section)
	slope := h.normal.Norm()
	if slope < least {
		return
	}
	n := h.normal.Scale(1 / slope)
	seen := p.Seen()
	foot := seen.Middle().Sub(n.Scale(h.height(seen.Middle()) / slope))
	from, to, ok := seen.Clip(foot, foot.Add(n.Left()))
	if !ok {
		return
	}
	a, b := foot.Add(n.Left().Scale(from)), foot.Add(n.Left().Scale(to))
	p.Segment(a, b, chart.Solid(look, 2.5).Crossable())
	end := a.Between(b, 0.12)
	if b.Y > a.Y {
		end = a.Between(b, 0.88)
	}
	p.Arrow(p.On(end), p.On(end.Add(n.Scale(arrow/p.Scale))), chart.Solid(look, 2))
	p.Name(k.cut.name(section.Index), end, n.Scale(-1), look)
}

// cutNormal returns the outward normal, in the plot, at an end of the chord.
func (k *sketch) cutNormal(s *sheet, t float64) geom2.Point {
	span, _ := k.cut.Span(k.ray)
	n := span.Near.Normal
	if t != k.chord.Near {
		n = span.Far.Normal
	}
	return geom2.Pt(n.Dot(s.ray.Dir), n.Dot(s.v))
}

// intervals returns the rows of the number line: the whole solid, and the kept side of each section. If these are more than
// most, it omits sections that do not decide where the line enters or leaves what is left.
func (k *sketch) intervals(most int) []slabRow {
	solid := slabRow{name: "solid", look: k.outline, in: math.Inf(1), out: math.Inf(-1)}
	if whole := k.cut.whole; whole.OK {
		solid.in, solid.out = whole.Near, whole.Far
	}
	rows := []slabRow{solid}
	decides := k.deciding()
	spare := max(most-1-len(decides), 0)
	for i := range k.cut.By {
		switch {
		case slices.Contains(decides, i):
		case spare > 0:
			spare--
		default:
			continue
		}
		r := slabRow{name: k.shortName(i), look: k.colors.axes[i%3]}
		r.in, r.out = k.cut.By[i].KeptSide(k.ray)
		rows = append(rows, r)
	}
	return rows
}

// deciding returns the sections at which the line enters or leaves what is left of the solid.
func (k *sketch) deciding() (list []int) {
	x, ok := k.cut.Ends(k.ray)
	if !ok {
		return nil
	}
	for _, i := range []int{x.In, x.Out} {
		if i >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// shortName returns the name of a section or, if there is no room for it, its index.
func (k *sketch) shortName(i int) string {
	index := k.cut.By[i].Index
	name := k.cut.name(index)
	if k.Fonts.Width(name, chart.Bold(sizeLabel)) > k.plotFrame.Width()/4 {
		return fmt.Sprintf("section %d", index)
	}
	return name
}

// cutKey describes what the letters represent.
func (k *sketch) cutKey() string {
	section := []meaning{{"m", "the normal of a section"}, {"t", "where the line crosses its plane"}}
	if len(k.cut.By) <= 2 {
		section = append(section, meaning{"a", "a point of it"}, meaning{"left", "the way to it along m"}, meaning{"rise", "d · m"})
	}
	if k.isSegment() {
		return key(append([]meaning{{"P, Q", "the ends of the segment"}, {"n", "normals"}}, section...)...)
	}
	return key(append(k.rayKey(), section...)...)
}

// cutSymbols returns the symbols whose values a diagram of a cut solid lists. The more sections there are, the fewer it lists
// of each.
func (k *sketch) cutSymbols() []string {
	list := []string{"t_near", "t_far", "o", "P", "Q", "d"}
	for i := range k.cut.By {
		switch p := derive.PlaneOf(&k.cut.By[i]); {
		case len(k.cut.By) <= 2:
			list = append(list, p.Symbols()...)
		case len(k.cut.By) <= 4:
			list = append(list, p.Normal, p.At)
		default:
			list = append(list, p.At)
		}
	}
	return append(list, "c", "r", "A", "B")
}
