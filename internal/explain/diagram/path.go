package diagram

import (
	"fmt"
	"image"
	"math"
	"slices"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// profile is a diagram of a path, a tree, a light or a camera. Paths and trees are seen from the side:
// projected onto the plane of the first ray and the up direction.
type profile struct {
	*canvas
	prepared  *follow.Prepared
	right, up geom.Vec3
	plot      *chart.Plot
	solids    []int32 // that the path hits, that block lights or, for a tree, that are tested
	spots     []geom.Vec3
}

// drawPath draws the path of a ray: what it hits, the shadow rays and the mirror rays.
func drawPath(prepared *follow.Prepared, q *follow.Path, title string, opt Options) *profile {
	s := newProfile(prepared, q.Ray, opt)
	for at := q; at != nil; at = at.Mirror {
		s.addPath(at)
	}
	s.title(title, "the whole path, seen from the side", s.Muted)
	s.frame(s.spots, 0.6)
	s.Clipped(s.plotFrame, func() { s.drawSolids() })
	n := 0
	for at := q; at != nil; at = at.Mirror {
		s.drawRay(at, n)
		n++
	}
	s.explainPath(q)
	s.triad(s.project)
	s.finish()
	return s
}

// newProfile begins a diagram that shows the ray r from the side.
func newProfile(prepared *follow.Prepared, r geom.Ray, opt Options) *profile {
	s := &profile{canvas: newCanvas(opt), prepared: prepared, up: prepared.View.Up()}
	flat, ok := geom.Direction(r.Dir.AddScaled(-r.Dir.Dot(s.up), s.up))
	if !ok {
		flat = perpendicularTo(s.up)
	}
	s.right = flat
	s.up = s.up.AddScaled(-s.up.Dot(flat), flat).Unit()
	return s
}

func (s *profile) project(v geom.Vec3) geom2.Point { return geom2.Pt(v.Dot(s.right), v.Dot(s.up)) }

// addPath records the points and solids of one ray of the path.
func (s *profile) addPath(q *follow.Path) {
	s.spots = append(s.spots, q.Ray.Origin)
	if !q.IsSolid() {
		return
	}
	s.spots = append(s.spots, q.Hit.Point)
	s.note(q.Hit.Object)
	for _, a := range q.Lights {
		if a.Object != accel.None {
			s.note(a.Object)
		}
		if stop, ok := a.Stop(q.Hit.Point); ok && !a.Visibility.Arrives() {
			s.spots = append(s.spots, stop)
		}
	}
}

func (s *profile) note(object int32) {
	if !slices.Contains(s.solids, object) {
		s.solids = append(s.solids, object)
	}
}

// frame chooses the visible area. The area contains all spots, and the solids that are not much larger than the path.
// Its height is at least share times its larger side.
func (s *profile) frame(spots []geom.Vec3, share float64) {
	seen := geom2.Nowhere()
	for _, p := range spots {
		seen = seen.Include(s.project(p), 0)
	}
	size := max(seen.Width(), seen.Height())
	for _, object := range s.solids {
		b := s.prepared.Scene.Solid(int(object)).Bounds()
		if reach := b.Size().Norm(); reach < 2*size || size == 0 {
			for _, corner := range b.Corners() {
				seen = seen.Include(s.project(corner), 0)
			}
		}
	}
	if size = max(seen.Width(), seen.Height()); size == 0 {
		size = 1
	}
	seen = seen.Include(seen.Middle(), share*size/2)
	s.show(seen)
}

// show makes a box of the view visible. If the box is wide, it reduces the height of the drawing.
func (s *profile) show(seen geom2.Box) {
	const margin = 60
	f := &s.plotFrame
	f.Max.Y = min(f.Max.Y, f.Min.Y+2*margin+seen.Height()*(f.Width()-2*margin)/seen.Width())
	s.plot = s.PlotOf(s.plotFrame, seen, margin)
}

// finish places the labels, and cuts off the empty part of the drawing below the plot and the column.
func (s *profile) finish() {
	s.Cut(max(s.plotFrame.Max.Y, s.lowest) + height - contentBottom)
	s.PlaceLabels()
}

// drawSolids draws the outlines of the recorded solids, and their names.
func (s *profile) drawSolids() {
	for _, object := range s.solids {
		outline := s.outline(s.prepared.Scene.Solid(int(object)))
		s.Fill(outline, s.solid)
		s.Edge(outline, chart.Solid(s.colors.outline, 1.5))
	}
	for _, object := range s.solids {
		middle := s.prepared.Scene.Solid(int(object)).Bounds().Center()
		s.plot.Name(s.prepared.Scene.Label(int(object)), s.project(middle), geom2.Pt(0, -1), s.colors.outline)
	}
}

// outline returns a solid's outline on the drawing.
func (s *profile) outline(shape shapes.Shape) []geom2.Point {
	return s.plot.AllOn(figureOf(shape).outline(s))
}

// drawRay draws one ray of the path, and at its end the rays to the lights.
func (s *profile) drawRay(q *follow.Path, number int) {
	look := s.colors.ray
	if number > 0 {
		look = s.colors.normal
	}
	from := s.project(q.Ray.Origin)
	if number == 0 {
		s.plot.Spot("o", from, geom2.Pt(0, 1), look)
	}
	if !q.IsSolid() {
		s.away(from, q.Ray.Dir, chart.Solid(look, 2.5), "background")
		return
	}
	to := s.project(q.Hit.Point)
	s.plot.Arrow(s.plot.On(from), s.plot.On(to), chart.Solid(look, 2.5))
	for i := range q.Lights {
		s.drawShadowRay(q, &q.Lights[i])
	}
	s.plot.Spot(fmt.Sprintf("p%d", number+1), to, geom2.Pt(-1, 1), look)
	s.directionAt(to, q.Normal)
}

// directionAt draws a normal or the axis of a spot light. It draws nothing if the direction points toward the viewer or
// away.
func (s *profile) directionAt(at geom2.Point, dir geom.Vec3) {
	const arrow, least = 44, 0.25
	if v := s.project(dir); v.Norm() > least {
		s.plot.Arrow(s.plot.On(at), s.plot.On(at.Add(v.Scale(arrow/s.plot.Scale))), chart.Solid(s.Muted, 1.5))
	}
}

// drawShadowRay draws the shadow ray to a light. A ray to a visible light leads to the light, and a ray to a hidden
// light ends at the solid that blocks it, even if this solid contains the point. For a light that is partly hidden, both rays are drawn. If the point is
// outside the cone of a spot light, only the light is drawn. In all other cases nothing is drawn.
func (s *profile) drawShadowRay(q *follow.Path, a *follow.LightSample) {
	from := s.project(q.Hit.Point)
	switch a.Visibility {
	case follow.Visible:
		s.toLight(from, a, chart.Solid(s.accepted, 1.8))
	case follow.Partly:
		s.toBlocker(q, a)
		s.toLight(from, a, chart.Dashed(s.accepted, 1.8))
	case follow.Outside:
		if s.plot.Shows(s.project(a.Light.Position)) {
			s.lightAt(a, s.Muted)
		}
	case follow.Blocked, follow.Enclosed:
		s.toBlocker(q, a)
	}
}

// toLight draws a line to a light or, if the light lies outside the drawing, an arrow toward it.
func (s *profile) toLight(from geom2.Point, a *follow.LightSample, stroke chart.Stroke) {
	if a.Light.Directional || !s.plot.Shows(s.project(a.Light.Position)) {
		s.away(from, a.Dir, stroke, fmt.Sprintf("light %d", a.Index))
		return
	}
	s.plot.Segment(from, s.project(a.Light.Position), stroke)
	s.lightAt(a, s.accepted)
}

// toBlocker draws the shadow ray up to the solid that blocks it. For a light with a size, this is the ray to its first
// hidden point.
func (s *profile) toBlocker(q *follow.Path, a *follow.LightSample) {
	point, ok := a.Stop(q.Hit.Point)
	if !ok {
		return
	}
	stop := s.project(point)
	s.plot.Segment(s.project(q.Hit.Point), stop, chart.Dashed(s.colors.axes[0], 1.8))
	s.plot.Ring(s.plot.On(stop), 5, s.colors.axes[0])
}

// lightAt draws a point light or a spot light, if it is inside the drawing. For a spot light, it also draws the axis.
func (s *profile) lightAt(a *follow.LightSample, look chart.Hex) {
	at := s.project(a.Light.Position)
	s.plot.Spot(fmt.Sprintf("light %d", a.Index), at, geom2.Pt(0, 1), look)
	if a.Light.IsSpot() {
		s.directionAt(at, a.Light.Direction)
	}
}

// away draws an arrow of fixed length for a ray that does not end inside the drawing.
func (s *profile) away(from geom2.Point, dir geom.Vec3, stroke chart.Stroke, name string) {
	const length = 150
	tip := from.Add(s.project(dir).Scale(length / s.plot.Scale))
	s.plot.Arrow(s.plot.On(from), s.plot.On(tip), stroke)
	if c, ok := stroke.Color.(chart.Hex); ok {
		s.plot.Name(name, tip, s.project(dir), c)
	}
}

// explainPath describes the path in the column.
func (s *profile) explainPath(q *follow.Path) {
	y := s.small("Seen from the side: the plane of the first ray and the camera's up direction. Everything is projected onto this plane.", contentTop+sizeSmall, s.Muted)
	n := 1
	for at := q; at != nil; at = at.Mirror {
		y += 6
		if !at.IsSolid() {
			s.small(fmt.Sprintf("Ray %d hits nothing and sees the background.", n), y, s.Ink)
			return
		}
		y = s.small(fmt.Sprintf("p%d on %s, at t = %s.", n, s.prepared.Scene.Label(int(at.Hit.Object)), brief(at.Hit.T)), y, s.Ink)
		for _, a := range at.Lights {
			text, look := fmt.Sprintf("light %d: %v", a.Index, a.Visibility), s.Muted
			switch a.Visibility {
			case follow.FacesAway:
				text = fmt.Sprintf("light %d: the surface faces away", a.Index)
			case follow.Outside:
				text = fmt.Sprintf("light %d: the point is outside its cone", a.Index)
			case follow.Visible:
				look = s.accepted
				if a.Share < 1 {
					text += fmt.Sprintf(", %s of its strength", brief(a.Share))
				}
			case follow.Partly:
				text = fmt.Sprintf("light %d: %d of %d points arrive; %s hides some", a.Index, visiblePoints(&a), len(a.Points), s.prepared.Scene.Label(int(a.Object)))
				look = s.accepted
			case follow.Enclosed:
				text = fmt.Sprintf("light %d: blocked from inside by %s", a.Index, s.prepared.Scene.Label(int(a.Object)))
				look = s.colors.axes[0]
			case follow.Blocked:
				text += " by " + s.prepared.Scene.Label(int(a.Object))
				look = s.colors.axes[0]
			}
			y = s.small(text, y, look)
		}
		if at.Mirror != nil {
			y = s.small(fmt.Sprintf("Its mirror, %s, reflects the ray.", brief(at.Material.Mirror)), y, s.colors.normal)
		}
		n++
		if y > contentBottom-60 {
			s.small("...", y, s.Muted)
			return
		}
	}
}

// mostPale is the largest number of solids in a scene for which a diagram of the tree also draws the
// solids that are not tested.
const mostPale = 2000

// drawTree draws the boxes of the search tree that a ray enters and those that it skips.
func drawTree(prepared *follow.Prepared, q *follow.Path, title string, opt Options) *profile {
	s := newProfile(prepared, q.Ray, opt)
	s.spots = []geom.Vec3{q.Ray.Origin}
	for _, step := range q.Traversal.Steps {
		if step.Solid != nil {
			s.note(step.Solid.Object)
			continue
		}
		s.spots = append(s.spots, step.Node.Bounds.Min, step.Node.Bounds.Max)
	}
	n := q.Traversal.Tally()
	tally := fmt.Sprintf("nodes entered: %d, missed: %d, skipped: %d; solids tested: %d", n.Entered, n.Missed, n.Farther+n.Beyond, n.Solids)
	if !q.IsSolid() {
		tally = "The ray hits no solid; " + tally
	}
	s.title(title, tally, s.Muted)
	s.frame(s.spots, 0.3)
	s.Clipped(s.plotFrame, func() {
		for object := range prepared.Scene.Objects.Len() {
			isTested := slices.Contains(s.solids, int32(object))
			if !isTested && prepared.Scene.Objects.Len() > mostPale {
				continue
			}
			outline := s.outline(prepared.Scene.Solid(object))
			fill := s.solid
			if isTested {
				fill = s.slice
			}
			s.Fill(outline, fill)
			s.Edge(outline, chart.Solid(s.colors.outline, 1))
		}
	})
	for _, step := range q.Traversal.Steps {
		if step.Node != nil {
			s.drawNode(step.Node)
		}
	}
	from := s.project(q.Ray.Origin)
	s.plot.Spot("o", from, geom2.Pt(0, 1), s.colors.ray)
	if q.IsSolid() {
		to := s.project(q.Hit.Point)
		s.plot.Arrow(s.plot.On(from), s.plot.On(to), chart.Solid(s.colors.ray, 2.5))
		s.plot.Spot("p", to, geom2.Pt(0, 1), s.colors.ray)
	} else {
		s.away(from, q.Ray.Dir, chart.Solid(s.colors.ray, 2.5), "d")
	}
	y := s.small("Seen from the side: a ray that passes in front of or behind a box seems to cross it.", contentTop+sizeSmall, s.Muted)
	y = s.small("Gray: the box of the root, which contains all solids. It is not tested.", y+8, s.Muted)
	y = s.small("Green: boxes that the ray enters.", y+4, s.accepted)
	y = s.small("Red, dashed: boxes that it misses, or skips because it enters them beyond a hit. Nothing inside them is tested.", y+4, s.colors.axes[0])
	if prepared.Scene.Objects.Len() > mostPale {
		s.small("Only the solids that are tested are drawn.", y+4, s.Ink)
	} else {
		s.small("Darker solids are tested, pale ones are not.", y+4, s.Ink)
	}
	s.triad(s.project)
	s.finish()
	return s
}

// drawNode draws the box of a node.
func (s *profile) drawNode(n *accel.NodeStep) {
	stroke := chart.Dashed(s.colors.axes[0], 1.8)
	switch {
	case n.Depth == 0:
		stroke = chart.Solid(s.Muted, 1.2)
	case n.Outcome == accel.Entered:
		stroke = chart.Solid(s.accepted, 1.8)
	}
	var points []geom2.Point
	for _, corner := range n.Bounds.Corners() {
		points = append(points, s.project(corner))
	}
	outline := geom2.Hull(points)
	for i, p := range outline {
		s.plot.Segment(p, outline[(i+1)%len(outline)], stroke.Crossable())
	}
}

// drawLight draws, at the first point where a path hits a solid, the normal, the direction to light 0 and the angle
// between them, in the plane of both.
func drawLight(prepared *follow.Prepared, q *follow.Path, title string, opt Options) *profile {
	s := &profile{canvas: newCanvas(opt), prepared: prepared}
	a := &q.Lights[0]
	s.up = q.Normal
	across, ok := geom.Direction(a.Dir.AddScaled(-a.Cos, q.Normal))
	if !ok {
		across = perpendicularTo(q.Normal)
	}
	s.right = across
	s.title(title, fmt.Sprintf("N, L and the angle between them: N · L = %s", formula.Short(a.Cos)), s.Muted)
	s.plot = s.PlotOf(s.plotFrame, geom2.Rect(-1.1, -0.7, 1.1, 1.1), 30)
	ground := geom2.Rect(-1.1, -0.7, 1.1, 0)
	surface := []geom2.Point{ground.Min, {X: ground.Max.X, Y: ground.Min.Y}, ground.Max, {X: ground.Min.X, Y: ground.Max.Y}}
	s.Fill(s.plot.AllOn(surface), s.solid)
	s.plot.Segment(geom2.Pt(-1.1, 0), geom2.Pt(1.1, 0), chart.Solid(s.colors.outline, 2))
	n, l := geom2.Pt(0, 1), s.project(a.Dir)
	s.arrow(n, "N", s.colors.normal)
	s.arrow(l, "L", s.accepted)
	s.plot.Segment(l, geom2.Pt(0, l.Y), chart.Dashed(s.Muted, 1.5))
	s.plot.Segment(geom2.Pt(0.02, 0), geom2.Pt(0.02, l.Y), chart.Solid(s.colors.help, 4))
	s.plot.Name("cos = "+formula.Short(a.Cos), geom2.Pt(0, l.Y/2), geom2.Pt(-1, 0), s.colors.help)
	angle := math.Acos(min(1, max(-1, a.Cos)))
	var last geom2.Point
	for i := range 41 {
		turn := angle * float64(i) / 40
		p := geom2.Pt(math.Sin(turn), math.Cos(turn)).Scale(0.35)
		if i > 0 {
			s.plot.Segment(last, p, chart.Solid(s.Ink, 1.5))
		}
		last = p
	}
	s.plot.Name(fmt.Sprintf("%.1f°", angle*180/math.Pi), geom2.Pt(math.Sin(angle/2), math.Cos(angle/2)).Scale(0.35), geom2.Pt(math.Sin(angle/2), math.Cos(angle/2)), s.Ink)
	s.plot.Spot("p", geom2.Point{}, geom2.Pt(0, -1), s.Ink)
	s.small("The plane of N and L at the point p. "+key(meaning{"N", "the normal that faces the ray, length 1"}, meaning{"L", "toward light 0, length 1"},
		meaning{"cos", "N · L, the part of L along N: below 0 the light is behind the surface"}), contentTop+sizeSmall, s.Muted)
	s.PlaceLabels()
	return s
}

func (s *profile) arrow(to geom2.Point, name string, look chart.Hex) {
	s.plot.Arrow(s.plot.On(geom2.Point{}), s.plot.On(to), chart.Solid(look, 3))
	s.plot.Name(name, to, to, look)
}

// drawCamera draws the picture in front of the eye, with the directions forward, right and up.
func drawCamera(x *explain.Pixel, opt Options) *profile {
	prepared := follow.Of(x.Prepared())
	s := &profile{canvas: newCanvas(opt), prepared: prepared}
	axes := prepared.View.Axes()
	forward := axes.Z.Neg()
	// Seen from behind, from the left and from above.
	turn := geom.RotationXYZ(0, -36, 0)
	tilt := geom.RotationXYZ(14, 0, 0)
	view := func(v geom.Vec3) geom2.Point {
		own := tilt.MulVec(turn.MulVec(axes.TransposeMulVec(v)))
		return geom2.Pt(own.X, own.Y)
	}
	c := prepared.Scene.CameraFor(prepared.Size.X, prepared.Size.Y)
	eye := c.Position
	corner := func(px, py int) geom.Vec3 {
		return through(prepared, x, px, py).At(1 / through(prepared, x, px, py).Dir.Dot(forward))
	}
	w, h := prepared.Size.X, prepared.Size.Y
	at := func(v geom.Vec3) geom2.Point { return view(v.Sub(eye)) }
	ends := []geom.Vec3{corner(0, 0), corner(w, 0), corner(w, h), corner(0, h)}
	seen := geom2.Nowhere().Include(at(eye), 0.1)
	for _, p := range ends {
		seen = seen.Include(at(p), 0.1)
	}
	s.title(x.Title(), fmt.Sprintf("the picture of %d x %d pixels, one unit in front of the eye", w, h), s.Muted)
	s.show(seen)
	var outline []geom2.Point
	for _, p := range ends {
		outline = append(outline, s.plot.On(at(p)))
	}
	s.Fill(outline, s.solid)
	const most = 24 // lines that can be told apart
	if w <= most && h <= most {
		for i := range w + 1 {
			s.plot.Segment(at(corner(i, 0)), at(corner(i, h)), chart.Solid(s.Faint, 1).Crossable())
		}
		for i := range h + 1 {
			s.plot.Segment(at(corner(0, i)), at(corner(w, i)), chart.Solid(s.Faint, 1).Crossable())
		}
	}
	s.Edge(outline, chart.Solid(s.colors.outline, 1.5))
	for _, p := range ends {
		s.plot.Segment(at(eye), at(p), chart.Dashed(s.Muted, 1).Crossable())
	}
	for i, v := range []geom.Vec3{forward, axes.X, axes.Y} {
		name := [...]string{"F", "right", "up"}[i]
		length := [...]float64{1, 0.6, 0.6}[i]
		tip := at(eye.AddScaled(length, v))
		s.plot.Arrow(s.plot.On(at(eye)), s.plot.On(tip), chart.Solid(s.colors.axes[(i+2)%3], 2.5))
		s.plot.Name(name, tip, tip.Sub(at(eye)), s.colors.axes[(i+2)%3])
	}
	d := x.Samples[0].Ray.Dir
	point := eye.AddScaled(1/d.Dot(forward), d)
	s.plot.Arrow(s.plot.On(at(eye)), s.plot.On(at(point)), chart.Solid(s.colors.ray, 2.5))
	s.plot.Spot(fmt.Sprintf("pixel %d,%d", x.At.X, x.At.Y), at(point), geom2.Pt(1, 1), s.colors.ray)
	s.plot.Spot("o", at(eye), geom2.Pt(-1, -1), s.Ink)
	s.small("The camera and the picture, seen from behind, from the left and from above. "+key(meaning{"o", "the eye"}, meaning{"F", "forward, length 1"},
		meaning{"right, up", "along the picture, drawn shortened"}), contentTop+sizeSmall, s.Muted)
	s.finish()
	return s
}

// through returns the ray through the upper left corner of a pixel.
func through(prepared *follow.Prepared, x *explain.Pixel, px, py int) geom.Ray {
	const fine = 1024 // samples across a pixel, so many that the first one practically lies in the corner
	p := prepared.View.Packet(image.Rect(px, py, px+1, py+1), fine)
	return p.SampleRay(0, 0)
}
