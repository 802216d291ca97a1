package diagram

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/internal/text"
	"pillbox/shade"
)

// sight is a diagram of a light with a size, or of the sky, as seen from a point of a surface. Each point of a disc
// represents a direction. The regions of the disc are computed from many rays of their own, not from the samples that
// the renderer took.
type sight struct {
	*canvas
	prepared  *follow.Prepared
	q         *follow.Path
	right, up geom.Vec3 // of the viewer, perpendicular to the direction in the middle of the disc
	plot      *chart.Plot
	below     float64 // where the free part of the column begins

	direction func(geom2.Point) geom.Vec3 // the direction that a point of the disc represents
	reach     func(dir geom.Vec3) float64 // solids closer than this hide what lies in a direction
	weight    func(dir geom.Vec3) float64 // the weight of a direction; 0 below the surface's horizon

	open    color.Color // the color of the part of the light or the sky that no solid hides
	samples []sample
	tints   map[int32]color.Color // colors of the solids in the disc
	share   float64               // the weight of the open directions divided by that of all
}

// sample is a direction that the renderer chose.
type sample struct {
	at     geom2.Point // in the disc
	weight float64
	object int32 // the solid that blocks the ray in this direction, or accel.None
}

// lowered is the label of the directions below the surface's horizon.
const lowered int32 = -2

// sightCells is the number of cells of the grid from which the regions are computed. It is odd, so no point of the grid
// lies on a line through the middle of the disc.
const sightCells = 161

// newSight begins a diagram of a light or the sky as seen from the end of a path. middle is the direction in the
// middle of the disc.
func newSight(prepared *follow.Prepared, q *follow.Path, middle geom.Vec3, opt Options) *sight {
	s := &sight{canvas: newCanvas(opt), prepared: prepared, q: q, tints: map[int32]color.Color{}, below: contentTop}
	up := prepared.View.Up()
	flat, ok := geom.Direction(middle.Cross(up))
	if !ok || middle.Cross(up).Norm() < invisible {
		flat = perpendicularTo(middle)
	}
	s.right, s.up = flat, flat.Cross(middle)
	return s
}

// drawDisc draws a light with a size as seen from the last point of the path q.
func drawDisc(prepared *follow.Prepared, q *follow.Path, x explain.Explanation, opt Options) (*chart.Drawing, error) {
	a := sizedLight(prepared, q)
	name := lightName(prepared, a.Index)
	s := discOf(prepared, q, opt)
	s.title(x.Title(), fmt.Sprintf("what the point p sees of %s: %s", name, discVerdict(a)), s.Muted)
	if err := s.draw(x); err != nil {
		return nil, err
	}
	s.paragraph(fmt.Sprintf("p on %s, looking toward %s: %s.", prepared.Scene.Label(int(q.Hit.Object)), name, sizeOf(&prepared.Emitters[a.Index], &a.Cap)), s.Muted)
	s.tally("point", "visible")
	s.finish("visible points", "Equal areas are equal parts of the light.")
	return s.Drawing, nil
}

// discOf begins the diagram of a light with a size. Areas of the disc are proportional to solid angles, as in
// [sampler.Cap].
func discOf(prepared *follow.Prepared, q *follow.Path, opt Options) *sight {
	a := sizedLight(prepared, q)
	c := a.Cap
	middle := c.Axis
	if middle == (geom.Vec3{}) {
		middle = q.Normal
	}
	s := newSight(prepared, q, middle, opt)
	s.open = s.glow
	oneMinusCos := c.Sin * c.Sin / (1 + c.Cos)
	s.direction = func(p geom2.Point) geom.Vec3 {
		drop := p.Dot(p) * oneMinusCos
		stretch := math.Sqrt(oneMinusCos * (2 - drop))
		return s.right.Scale(p.X*stretch).AddScaled(p.Y*stretch, s.up).AddScaled(1-drop, middle).Unit()
	}
	s.weight = func(dir geom.Vec3) float64 { return max(0, shade.Cosine(q.Normal, dir)) }
	s.reach = c.Reach
	if c.IsInside() || !prepared.Scene.Shading.Shadows {
		s.reach = func(geom.Vec3) float64 { return 0 }
	}
	for _, p := range a.Points {
		// The distance of a sample from the disc's center is proportional to a chord of the unit sphere: from the middle of
		// the light to the direction of the sample. The area of a cap of the sphere is proportional to the square of such a
		// chord. So equal areas of the disc are equal solid angles.
		flat := geom2.Pt(p.Dir.Dot(s.right), p.Dir.Dot(s.up)).Unit(geom2.Point{})
		at := flat.Scale(p.Dir.Sub(middle).Norm() / math.Sqrt(2*oneMinusCos))
		s.samples = append(s.samples, sample{at, p.Weight, p.Object})
	}
	return s
}

// sizedLight selects the light that a diagram shows, among the lights with a size. It prefers a light that solids hide
// in part, then one that they hide entirely, then the first. It returns nil if no light has a size.
func sizedLight(prepared *follow.Prepared, q *follow.Path) *follow.LightSample {
	var best *follow.LightSample
	rank := func(a *follow.LightSample) int {
		switch a.Visibility {
		case follow.Partly:
			return 0
		case follow.Blocked:
			return 1
		}
		return 2
	}
	for i := range q.Lights {
		if a := &q.Lights[i]; prepared.Emitters[a.Index].HasSize() && (best == nil || rank(a) < rank(best)) {
			best = a
		}
	}
	return best
}

// lightName describes a light in a sentence.
func lightName(prepared *follow.Prepared, index int) string {
	if lights := prepared.Scene.Lights; lights[index].Name == "" {
		return fmt.Sprintf("light %d", index)
	}
	return prepared.Scene.LightLabel(index)
}

// sizeOf describes the size of a light as a point sees it.
func sizeOf(e *arealight.Emitter, c *arealight.Cap) string {
	if c.IsInside() {
		return "the point is inside the ball of light"
	}
	degrees := brief(2*math.Atan2(c.Sin, c.Cos)*180/math.Pi) + "°"
	if _, radius := e.Ball(); radius > 0 {
		return fmt.Sprintf("a ball of radius %s at distance %s, %s across", brief(radius), brief(c.Distance), degrees)
	}
	return "a disc in the sky, " + degrees + " across"
}

// discVerdict states how much of the light from a light with a size reaches the point.
func discVerdict(a *follow.LightSample) string {
	switch {
	case a.Visibility == follow.FacesAway:
		return "the surface faces away"
	case a.Visibility == follow.Outside:
		return "the point is outside its cone"
	case a.Visibility == follow.Enclosed:
		return "it is outside the solid, which hides it from inside"
	case len(a.Points) == 0:
		return "nothing hides it"
	}
	return fmt.Sprintf("%d of %s visible, the share %s arrives", visiblePoints(a), text.Count(len(a.Points), "point"), brief(a.Fraction))
}

func visiblePoints(a *follow.LightSample) int {
	n := 0
	for _, p := range a.Points {
		if p.Object == accel.None {
			n++
		}
	}
	return n
}

// drawSky draws the sky as seen from the last point of the path q.
func drawSky(prepared *follow.Prepared, q *follow.Path, x explain.Explanation, opt Options) (*chart.Drawing, error) {
	o := q.Occlusion
	s := skyOf(prepared, q, opt)
	open, all := o.Above.Open+o.Below.Open, o.Above.All+o.Below.All
	s.title(x.Title(), fmt.Sprintf("what the point p sees of the sky: %d of %s open, the share %s", open, text.Count(all, "direction"), brief(float64(open)/float64(all))), s.Muted)
	if err := s.draw(x); err != nil {
		return nil, err
	}
	far := "at any distance"
	if !math.IsInf(o.Reach, 1) {
		far = "closer than " + brief(o.Reach)
	}
	s.paragraph(fmt.Sprintf("p on %s, looking along the normal N: the rim is the surface's horizon. Solids %s hide the sky.", prepared.Scene.Label(int(q.Hit.Object)), far), s.Muted)
	s.tally("direction", "open")
	if !prepared.Scene.Shading.Ambient.IsEven() {
		where := "Dashed: the horizon."
		if !s.horizon() {
			where = "The rim is the horizon."
		}
		s.paragraph(fmt.Sprintf("%s Above it %d of %d directions are open, below it %d of %d.", where, o.Above.Open, o.Above.All, o.Below.Open, o.Below.All), s.Ink)
	}
	s.finish("open directions", "Equal areas have the same weight in Lambert's law: each direction is projected onto the surface.")
	return s.Drawing, nil
}

// skyOf begins the diagram of the sky. Each direction is projected onto the surface (Nusselt, "Graphische Bestimmung des
// Winkelverhältnisses bei der Wärmestrahlung", 1928), as in [sampler.Hemisphere].
func skyOf(prepared *follow.Prepared, q *follow.Path, opt Options) *sight {
	o := q.Occlusion
	s := newSight(prepared, q, q.Normal, opt)
	s.open = s.sky
	s.direction = func(p geom2.Point) geom.Vec3 {
		return s.right.Scale(p.X).AddScaled(p.Y, s.up).AddScaled(math.Sqrt(max(0, 1-p.Dot(p))), q.Normal)
	}
	s.weight = func(geom.Vec3) float64 { return 1 }
	s.reach = func(geom.Vec3) float64 { return o.Reach }
	for _, a := range o.Samples {
		s.samples = append(s.samples, sample{geom2.Pt(a.Dir.Dot(s.right), a.Dir.Dot(s.up)), 1, a.Object})
	}
	return s
}

// draw draws the regions of the disc and the samples.
func (s *sight) draw(x explain.Explanation) error {
	if x, ok := x.(*explain.Pixel); ok {
		var err error
		if s.below, err = s.inset(x); err != nil {
			return err
		}
	}
	s.plot = s.PlotOf(s.plotFrame, geom2.Rect(-1, -1, 1, 1), 24)
	g := newLabelGrid(sightCells, s.label)
	sums := g.sums(func(p geom2.Point) float64 { return s.weight(s.direction(p)) })
	all := 0.0
	for _, sum := range sums {
		all += sum
	}
	if all > 0 {
		s.share = sums[accel.None] / all
	}
	found := g.regions()
	s.tint(found)
	for _, r := range found {
		outline := s.plot.AllOn(r.outline)
		s.Fill(outline, s.fill(r.label))
		if r.label >= 0 {
			s.Edge(outline, chart.Solid(s.colors.outline, 1.5))
		}
	}
	s.Circle(s.plot.On(geom2.Point{}), s.plot.Scale, chart.Solid(s.Ink, 2))
	s.dots()
	s.names(found)
	return nil
}

// label returns the number of the solid that is seen in the direction of a point of the disc, or accel.None if the
// light or the sky is seen there. For a point outside of the disc it returns [beyond], and for a direction below the
// horizon [lowered].
func (s *sight) label(p geom2.Point) int32 {
	if p.Dot(p) > 1 {
		return beyond
	}
	dir := s.direction(p)
	if !(s.weight(dir) > 0) {
		return lowered
	}
	d := s.q.SpawnRay(dir)
	object, _ := s.prepared.Hides(&d, s.reach(dir), nil)
	return object
}

// tint chooses a color for each solid that the disc shows. The solids get the colors of a sequence in the order of
// their first regions.
func (s *sight) tint(found []region) {
	for _, r := range found {
		if _, ok := s.tints[r.label]; r.label >= 0 && !ok {
			s.tints[r.label] = tinted(len(s.tints), s.Paper)
		}
	}
}

// tinted returns color n of a sequence, mixed with the background. The sequence has no green and no red, which are the
// colors of the samples.
func tinted(n int, paper chart.Hex) color.Color {
	strong := [...]chart.Hex{0x2f6db5, 0x8a3bd1, 0x0f8a86, 0x9a5b13, 0x5b6878, 0xb0307f}
	return paper.Between(strong[n%len(strong)], 0.45)
}

func (s *sight) fill(label int32) color.Color {
	switch label {
	case accel.None:
		return s.open
	case lowered:
		return s.Faint
	}
	return s.tints[label]
}

// dots draws the samples. The area of a dot is proportional to the weight, except that no dot is smaller than a
// minimum.
func (s *sight) dots() {
	heaviest := 0.0
	for _, p := range s.samples {
		heaviest = max(heaviest, p.weight)
	}
	const largest, smallest = 9.0, 1.5
	size := min(largest, 60/math.Sqrt(float64(len(s.samples))))
	for _, p := range s.samples {
		at := s.plot.On(p.at)
		radius := max(smallest, size*math.Sqrt(p.weight/heaviest))
		if p.object == accel.None {
			s.Dot(at, radius+1.5, s.Paper)
			s.Dot(at, radius, s.accepted)
		} else {
			s.Ring(at, radius, s.colors.axes[0])
		}
	}
}

// mostNames is the largest number of solids that are named in the disc.
const mostNames = 6

// names labels the largest regions that show a solid or lie below the surface's horizon.
func (s *sight) names(found []region) {
	named := map[int32]bool{}
	for _, r := range found {
		if len(named) == mostNames || named[r.label] || r.area < 0.01 || r.label == accel.None {
			continue
		}
		named[r.label] = true
		name := "below the surface's horizon"
		if r.label >= 0 {
			name = s.prepared.Scene.Label(int(r.label))
		}
		s.plot.Name(name, middle(r.outline), geom2.Pt(0, -1), s.Ink)
	}
}

// middle returns the mean of the points of an outline.
func middle(outline []geom2.Point) geom2.Point {
	var sum geom2.Point
	for _, p := range outline {
		sum = sum.Add(p)
	}
	return sum.Scale(1 / float64(len(outline)))
}

// horizon draws the directions that are perpendicular to the camera's up direction. If these directions are the edge of
// the disc, it draws nothing and returns false.
func (s *sight) horizon() bool {
	up := s.prepared.View.Up()
	a, ok := geom.Direction(up.Cross(s.q.Normal))
	if !ok || up.Cross(s.q.Normal).Norm() < invisible {
		return false
	}
	b := a.Cross(up)
	if b.Dot(s.q.Normal) < 0 {
		b = b.Neg()
	}
	const parts = 60
	var last geom2.Point
	for i := range parts + 1 {
		sin, cos := math.Sincos(math.Pi * float64(i) / parts)
		dir := a.Scale(cos).AddScaled(sin, b)
		p := geom2.Pt(dir.Dot(s.right), dir.Dot(s.up))
		if i > 0 {
			s.plot.Segment(last, p, chart.Dashed(s.Ink, 1.5))
		}
		last = p
	}
	return true
}

// tally lists in the column how many samples are visible, with what weight, and which solids hide the others.
func (s *sight) tally(what, visible string) {
	type hider struct {
		object int32
		count  int
		weight float64
	}
	var hiders []hider
	count, seen, all := 0, 0.0, 0.0
	least, most := math.Inf(1), 0.0
	for _, p := range s.samples {
		all += p.weight
		least, most = min(least, p.weight), max(most, p.weight)
		if p.object == accel.None {
			count++
			seen += p.weight
			continue
		}
		i := slices.IndexFunc(hiders, func(h hider) bool { return h.object == p.object })
		if i < 0 {
			i = len(hiders)
			hiders = append(hiders, hider{object: p.object})
		}
		hiders[i].count++
		hiders[i].weight += p.weight
	}
	if len(s.samples) == 0 {
		return
	}
	weight := func(w float64) string {
		if least == most {
			return ""
		}
		return ", weight " + brief(w)
	}
	s.paragraph(fmt.Sprintf("%d of %s %s%s", count, text.Count(len(s.samples), what), visible, weight(seen)), s.accepted)
	slices.SortStableFunc(hiders, func(a, b hider) int { return cmp.Or(-cmp.Compare(a.count, b.count), cmp.Compare(a.object, b.object)) })
	const mostHiders = 6
	for i, h := range hiders {
		if i == mostHiders {
			s.paragraph(fmt.Sprintf("and %d more solids", len(hiders)-i), s.Muted)
			break
		}
		s.entry(h.object, fmt.Sprintf("%s hides %d%s", s.prepared.Scene.Label(int(h.object)), h.count, weight(h.weight)))
	}
	s.paragraph(fmt.Sprintf("Share: %s / %s = %s", brief(seen), brief(all), brief(seen/all)), s.Ink)
	s.paragraph(fmt.Sprintf("Summed over the whole disc: %s", formula.Float(s.share).Text(3)), s.Ink)
	if least < most {
		s.paragraph(fmt.Sprintf("The weight of a point, and the area of its dot, is its N · L: %s to %s.", brief(least), brief(most)), s.Muted)
	}
}

// entry writes a paragraph about a solid, next to a square in the solid's color if the solid has one.
func (s *sight) entry(object int32, words string) {
	const indent, box = 22.0, 13.0
	if s.plotOnly || s.isFull() {
		return
	}
	y := s.below + 1.3*sizeSmall
	if c, ok := s.tints[object]; ok {
		swatch := geom2.Rect(columnLeft, y-box+1, columnLeft+box, y+1)
		s.FillBox(swatch, c)
		s.EdgeBox(swatch, chart.Solid(s.colors.outline, 1))
	}
	s.below = s.Paragraph(words, geom2.Pt(columnLeft+indent, y), columnRight-columnLeft-indent, chart.Regular(sizeSmall), s.colors.axes[0]) - sizeSmall + 2
}

func (s *sight) isFull() bool { return s.below > contentBottom-2*sizeSmall }

// paragraph writes a paragraph into the free part of the column, unless the column is full.
func (s *sight) paragraph(words string, look chart.Hex) {
	if !s.isFull() {
		s.below = s.small(words, s.below+1.3*sizeSmall, look) - sizeSmall + 2
	}
}

// finish writes the key and the labels.
func (s *sight) finish(what, areas string) {
	if len(s.samples) > 0 {
		s.paragraph("Dots: "+what+"; rings: hidden ones.", s.Muted)
	}
	s.paragraph(areas, s.Muted)
	s.triad(func(v geom.Vec3) geom2.Point { return geom2.Pt(v.Dot(s.right), v.Dot(s.up)) })
	s.PlaceLabels()
}
