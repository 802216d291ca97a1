package tracer_test

import (
	"context"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/internal/outline"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestPacketsEqualFollower compares the linear color of every pixel of random scenes with that of package follow,
// bit for bit. Package follow traces each ray singly, with the BVH in some scenes and with brute force in others.
func TestPacketsEqualFollower(t *testing.T) {
	seen := sights{}
	for i := range effort.Of(60, 1000, 5000) {
		s := randomScene(rand.New(rand.NewPCG(11, uint64(i))))
		opt := options{Work: pillbox.Work{Linear: true}, tileSize: 9}
		film := render(t, s, opt)
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		st := follow.Of(prepared)
		if i%2 == 0 {
			st = st.Brute()
		}
		for k := range film.Linear {
			p := image.Pt(k%film.Region.Dx(), k/film.Region.Dx())
			side := st.Antialias
			if film.Refined != nil && !film.Refined[k] {
				side = 1
			}
			want, pixel := followed(st, p, side, seen)
			if film.Linear[k] != want {
				t.Fatalf("scene %d, pixel %v is %v, want %v", i, p, film.Linear[k], want)
			}
			if got := [4]uint8(film.Image.Pix[4*k:]); got != pixel {
				t.Fatalf("scene %d, pixel %v is %v, want %v", i, p, got, pixel)
			}
		}
	}
	seen.check(t)
}

// followed returns the linear color and the 8-bit value of the pixel at the position p. Package follow traces side x
// side rays through the pixel, and package outline computes how much of it lines cover. followed counts in seen the
// events on the paths and lines, such as a mirror in a mirror.
func followed(st *follow.Prepared, p image.Point, side int, seen sights) (shade.Color, [4]uint8) {
	var sum shade.Color
	weight, n := st.Antialias*st.Antialias/(side*side), 0.0
	packet := st.PixelRays(p, side)
	for i := range packet.Len() {
		path := st.Follow(st.CameraRay(packet.At(i)), follow.PositionOf(&packet, i), nil)
		seen.path(st, path)
		sum = sum.AddTimes(path.Color.ClampTo(path.Alpha), weight)
		n += path.Alpha * float64(weight)
	}
	if n > 0 {
		sum = sum.Div(n)
	}
	all := st.Antialias * st.Antialias
	if lines := outline.New(st); lines != nil {
		lines.Trace(context.Background(), image.Rectangle{p, p.Add(image.Pt(1, 1))})
		coverage := lines.Coverage(p.X, p.Y)
		seen.line(coverage, n, all)
		sum, n, all = outline.Over(lines.Ink(p.X, p.Y), coverage, sum, n, all)
	}
	if n == 0 {
		return sum, [4]uint8{}
	}
	return sum, [4]uint8{shade.EncodeSRGB8(sum.R), shade.EncodeSRGB8(sum.G), shade.EncodeSRGB8(sum.B), uint8((2*255*n + float64(all)) / float64(2*all))}
}

// line counts how an outline covers a pixel: wholly, partly, over a transparent background, or not at all. seen is
// the number of the pixel's samples that have a color, and all is the number of its samples.
func (n sights) line(coverage int, seen float64, all int) {
	n["a part of a pixel covered by a line"] += bit(0 < coverage && coverage < outline.Whole)
	n["a whole pixel covered by a line"] += bit(coverage == outline.Whole)
	n["a line before a transparent background"] += bit(coverage > 0 && seen < float64(all))
	n["a pixel without lines"] += bit(coverage == 0)
}

func bit(happens bool) int {
	if happens {
		return 1
	}
	return 0
}

// sights maps the name of an event, such as "a pixel without lines", to the number of times that it occurred. The
// method check reports events that occurred too rarely.
type sights map[string]int

func (n sights) path(st *follow.Prepared, p *follow.Path) {
	note := func(what string, happened bool) {
		if happened {
			n[what]++
		} else {
			n[what] += 0
		}
	}
	note("a transparent background", !p.Seen)
	note("adaptive antialiasing", st.Adaptive())
	note("an eye inside a solid", len(p.Eye) > 0 && !st.View.Parallel())
	note("an orthographic ray from inside a solid", len(p.Eye) > 0 && st.View.Parallel())
	note("ghosts before a transparent background", !p.Seen && len(p.Ghosts) > 0)
	for ; p != nil; p = p.Mirror {
		note("a light in a mirror", p.Light > 0)
		n.ghosts(p, note)
		note("a surface seen from inside", p.IsSolid() && p.Hit.Inside)
		note("a mirror in a mirror", p.Depth > 1 && p.IsSolid())
		note("a mirror seen from inside", p.Mirror != nil && p.Hit.Inside)
		cell, isChecked := cellOf(st, p)
		_, isCut := p.Hit.Section()
		isCut = isCut && p.IsSolid()
		note("a cut face", isCut)
		note("a cut face seen from inside", isCut && p.Hit.Inside)
		note("a cut face in a mirror", isCut && p.Depth > 0)
		note("a line of a hatch", isCut && st.OnHatch(&p.Hit))
		note("a cut face, lit as if whole", isCut && st.Shadows != nil)
		note("an odd square", isChecked && cell.IsOdd())
		note("an even square", isChecked && !cell.IsOdd())
		note("an odd square in a mirror", isChecked && cell.IsOdd() && p.Depth > 0)
		note("an odd square of a mirror", isChecked && cell.IsOdd() && p.Mirror != nil)
		note("an odd square seen from inside", isChecked && cell.IsOdd() && p.Hit.Inside)
		note("a checker on no box", p.IsSolid() && p.Material.Checker != nil && !isChecked)
		note("hemispheres", p.IsSolid() && !st.Scene.Shading.Ambient.IsEven())
		note("a mirror without a bounce left", p.IsSolid() && p.Material.Mirror > 0 && p.Mirror == nil)
		if o := p.Occlusion; o != nil {
			n.occlusion(st, p, o, note)
		}
		for _, a := range p.Lights {
			note("a light attached to the camera", len(st.Scene.Lights) > 0 && st.Scene.Lights[a.Index].Attached && a.Visibility == follow.Visible)
			note("the edge of a spot light", a.Visibility == follow.Visible && a.Share < 1)
			note("no shadows", !st.Scene.Shading.Shadows)
			note("a light whose fate is: "+a.Visibility.String(), true)
			note("a light below the horizon in part", a.Fraction > 0 && a.Received > 0 && !a.Cap.IsWhole(p.Normal))
			note("a penumbra in a mirror", a.Visibility == follow.Partly && p.Depth > 0)
			note("a penumbra of a spot light", a.Visibility == follow.Partly && a.Share < 1)
			note("a penumbra seen from inside", a.Visibility == follow.Partly && p.Hit.Inside)
			note("a point inside a ball of light", a.Visibility == follow.Visible && a.Cap.IsInside() && a.Received > 0)
			note("a light with a size that no solid hides", a.Visibility == follow.Visible && len(a.Points) > 0)
			note("a light with a size that solids hide", a.Visibility == follow.Blocked && len(a.Points) > 0)
			note("a light inside a solid", a.Visibility == follow.Visible && !st.Lights[a.Index].Directional && len(st.World.Enclosing(st.Lights[a.Index].Position)) > 0)
			note("a light inside the solid it shines on", a.Visibility == follow.Visible && p.Hit.Inside && st.Scene.Shading.Shadows)
		}
	}
}

// ghosts counts the ghosts before the end of the path p.
func (n sights) ghosts(p *follow.Path, note func(string, bool)) {
	note("a ghost before a solid", len(p.Ghosts) > 0 && p.IsSolid())
	note("a ghost before the background", len(p.Ghosts) > 0 && !p.IsSolid())
	note("a ghost before a ghost", len(p.Ghosts) > 1)
	note("a ghost in a mirror", len(p.Ghosts) > 0 && p.Depth > 0)
	for _, g := range p.Ghosts {
		_, isCut := g.Hit.Section()
		note("a cut face of a ghost", isCut)
		note("a checkered ghost", g.Albedo != g.Material.Albedo)
		for _, a := range g.Lights {
			note("a shadow on a ghost", a.Visibility == follow.Blocked)
			note("a penumbra on a ghost", a.Visibility == follow.Partly)
		}
		note("a sky that is partly hidden from a ghost", g.Occlusion != nil && g.Occlusion.Share() < 1)
	}
}

// occlusion counts the events of the ambient occlusion o at the end of the path p.
func (n sights) occlusion(st *follow.Prepared, p *follow.Path, o *follow.Occlusion, note func(string, bool)) {
	share, isNear := o.Share(), st.Scene.Shading.Occlusion.Distance > 0
	note("an open sky", share == 1)
	note("a sky that is partly hidden", 0 < share && share < 1)
	note("a hidden sky", share == 0)
	note("a sky that is partly hidden, in a mirror", 0 < share && share < 1 && p.Depth > 0)
	note("a sky that is partly hidden by near solids", 0 < share && share < 1 && isNear)
	note("a sky that is partly hidden, seen from inside", 0 < share && share < 1 && p.Hit.Inside)
	note("one part of the sky without directions", o.Below.All == 0 && share < 1 && !st.Scene.Shading.Ambient.IsEven())
	for _, a := range o.Samples {
		note("a direction that the solid itself hides", a.Object == p.Hit.Object)
		note("a direction that the solid around the eye hides", a.Object >= 0 && slices.Contains(p.Eye, a.Object))
	}
}

// cellOf returns the square of a checker on which the path p ends. The result is false if p ends anywhere else.
func cellOf(st *follow.Prepared, p *follow.Path) (shade.Cell, bool) {
	if !p.IsSolid() {
		return shade.Cell{}, false
	}
	return st.Cell(&p.Hit)
}

// check reports an error for each event that occurred too rarely.
func (n sights) check(t *testing.T) {
	enough := effort.Of(4, 60, 300)
	for what, times := range n {
		if times < enough {
			t.Errorf("%s was seen %d times only", what, times)
		}
	}
	if len(n) < 48 {
		t.Errorf("only %d things were looked for", len(n))
	}
}

// randomScene returns a random scene with a small picture. Its solids overlap, coincide and touch. Some contain the
// camera or lights, and some are mirrors.
func randomScene(rng *rand.Rand) *scene.Scene {
	color := func() shade.Color { return shade.Color{R: rng.Float64(), G: rng.Float64(), B: rng.Float64()} }
	s := &scene.Scene{Name: "random"}
	s.Image = scene.Image{Width: 1 + rng.IntN(20), Height: 1 + rng.IntN(14), Antialias: 1 + rng.IntN(3), Adaptive: rng.IntN(3) == 0}
	s.Image.Background = scene.Background{Transparent: rng.IntN(3) == 0, Gradient: shade.Gradient{Top: color(), Bottom: color()}}
	if rng.IntN(3) == 0 {
		s.Image.Background.Top = s.Image.Background.Bottom
	}
	if rng.IntN(8) > 0 {
		s.Camera = &camera.Camera{
			Projection: camera.Projection(rng.IntN(2)),
			Position:   shapetest.Cube(rng, []float64{2, 10}[rng.IntN(2)]),
			Up:         shapetest.Direction(rng),
			FOV:        geom.Angle(shapetest.Uniform(rng, 20, 100)),
			ViewHeight: shapetest.Uniform(rng, 2, 9),
		}
	}
	ambient := func() shade.Color { return shade.Gray(shapetest.Uniform(rng, 0, 0.2)) }
	s.Shading = scene.Shading{Ambient: shade.Even(ambient()), Shadows: rng.IntN(5) > 0, Bounces: rng.IntN(5), Samples: 1 << (1 + rng.IntN(4))}
	if rng.IntN(2) == 0 {
		s.Shading.Occlusion = scene.Occlusion{Enabled: true, Distance: max(0, shapetest.Uniform(rng, -1, 3))}
	}
	if rng.IntN(2) == 0 {
		s.Shading.Ambient.Bottom = ambient()
	}
	for range rng.IntN(6) {
		s.Lights = append(s.Lights, scene.Light{Attached: rng.IntN(3) == 0, Light: shade.Light{
			Directional: rng.IntN(2) == 0,
			Position:    shapetest.Cube(rng, 4),
			Direction:   shapetest.Direction(rng),
			Color:       color(),
			Intensity:   shapetest.Uniform(rng, 0, 3),
		}})
		if l := &s.Lights[len(s.Lights)-1]; rng.IntN(2) == 0 {
			l.Direction = l.Position.Neg().Unit()
			l.Cone.Angle = geom.Angle(shapetest.Uniform(rng, 20, 180))
			l.Cone.Edge = geom.Angle(max(0, shapetest.Uniform(rng, -0.2, 0.5))) * l.Cone.Angle
		}
		if l := &s.Lights[len(s.Lights)-1]; rng.IntN(3) > 0 {
			l.Radius = shapetest.LogUniform(rng, 0.05, 4)
			l.Angle = geom.Angle(shapetest.LogUniform(rng, 0.1, 180))
			l.Visible = rng.IntN(2) == 0
		}
	}
	for range rng.IntN(25) {
		p, r := shapetest.Cube(rng, 3), shapetest.Uniform(rng, 0.1, 1.5)
		switch rng.IntN(4) {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: r})
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: p, B: shapetest.Cube(rng, 3), Radius: r / 2})
		case 2:
			h := geom.Vec3{X: r, Y: shapetest.Uniform(rng, 0.05, 3), Z: r / 2}
			s.Boxes = append(s.Boxes, shapes.Box{Center: p, HalfExtents: h, Rotation: shapetest.Rotation(rng)})
		case 3:
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: p, B: p.AddScaled(shapetest.LogUniform(rng, 0.01, 3), shapetest.Direction(rng)), Radius: r})
		}
	}
	if n := len(s.Capsules); n > 1 { // a joint of a chain, and two equal solids
		s.Capsules[n-1].A = s.Capsules[0].B
		s.Capsules = append(s.Capsules, s.Capsules[0])
	}
	objects := make([]scene.Object, len(s.Spheres)+len(s.Capsules)+len(s.Boxes)+len(s.Cylinders))
	for i := range objects {
		m := shade.Material{Albedo: color(), Mirror: max(0, min(shapetest.Uniform(rng, -0.5, 1.2), 1))}
		if rng.IntN(2) == 0 {
			m.Checker = &shade.Checker{Albedo: color(), Size: shapetest.LogUniform(rng, 0.01, 1)}
		}
		objects[i].Material = m
	}
	s.Objects = scene.NewObjects(objects...)
	if rng.IntN(3) == 0 {
		s.Outline = &scene.Outline{Width: shapetest.LogUniform(rng, 0.2, 9), Color: color(), Silhouettes: rng.IntN(4) > 0, Creases: rng.IntN(4) > 0, Contacts: rng.IntN(4) > 0}
		s.Outline.HiddenDashed = s.Outline.Width > 1.5
		s.Shading.Flat = rng.IntN(9) == 0
	}
	if rng.IntN(3) == 0 {
		s.Fog = randomFog(rng, color())
	}
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(3) {
			s.Sections = append(s.Sections, randomSection(rng, s.Objects.Len(), color))
		}
	}
	if rng.IntN(3) == 0 {
		haunt(rng, s)
	}
	return s
}

// randomSection returns a section of a scene of n solids.
func randomSection(rng *rand.Rand, n int, color func() shade.Color) scene.Section {
	x := scene.Section{Point: shapetest.Cube(rng, 2), Normal: shapetest.Direction(rng), HasColor: rng.IntN(2) == 0, Color: color(), LightWhole: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		x.Normal = geom.Vec3{Y: 1}
	}
	if rng.IntN(2) == 0 {
		distance := shapetest.LogUniform(rng, 0.05, 1)
		x.Hatch = scene.Hatch{Enabled: true, Width: distance * shapetest.Uniform(rng, 0.1, 0.9), Distance: distance, Angle: geom.Angle(shapetest.Uniform(rng, 0, 180)), Color: color()}
	}
	if x.Limited = rng.IntN(4) == 0; x.Limited && n > 0 {
		first := rng.IntN(n)
		x.Solids = []scene.Range{{First: first, Count: 1 + rng.IntN(n-first)}}
	}
	return x
}

// haunt makes random solids ghosts, some of which have equal materials.
func haunt(rng *rand.Rand, s *scene.Scene) {
	list := s.Objects.List()
	shared := shade.Material{Albedo: shade.Gray(0.7), Ghost: &shade.Ghost{Share: 0.4, Hull: 3}}
	for i := range list {
		switch m := &list[i].Material; rng.IntN(5) {
		case 0:
			*m = shared
		case 1, 2:
			m.Mirror, m.Ghost = 0, &shade.Ghost{Share: shapetest.Uniform(rng, 0.05, 0.95), Hull: rng.Int64N(3)}
		}
	}
	s.Objects = scene.NewObjects(list...)
}

// randomFog returns a fog that often begins or ends among the solids.
func randomFog(rng *rand.Rand, c shade.Color) *scene.Fog {
	depth := func() scene.FogDepth {
		return scene.FogDepth{Auto: rng.IntN(2) == 0, Depth: shapetest.Uniform(rng, 0, 10)}
	}
	f := &scene.Fog{Near: depth(), Far: depth(), Color: c, Strength: rng.Float64(), Background: rng.IntN(2) == 0}
	if !f.Near.Auto && !f.Far.Auto {
		f.Far.Depth += f.Near.Depth + 0.1
	}
	return f
}

// TestFlatShowsAlbedo checks that flat colors show the albedo of each surface, without the effects of lights,
// shadows and mirrors.
func TestFlatShowsAlbedo(t *testing.T) {
	solids := 0
	for i := range 60 {
		s := randomScene(rand.New(rand.NewPCG(12, uint64(i))))
		s.Shading.Flat, s.Outline, s.Fog, s.Sections, s.Image.Antialias = true, nil, nil, nil, 1
		if s.Objects.HasGhosts() {
			continue
		}
		film := render(t, s, options{Work: pillbox.Work{Linear: true}})
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		st := follow.Of(prepared)
		for k, got := range film.Linear {
			rays := st.PixelRays(image.Pt(k%film.Region.Dx(), k/film.Region.Dx()), 1)
			hit := st.World.TraverseNearest(rays.At(0), nil)
			if hit.Object < 0 {
				continue
			}
			solids++
			m := s.Objects.Material(int(hit.Object))
			if got != m.Albedo && (m.Checker == nil || got != m.Checker.Albedo) {
				t.Fatalf("scene %d, pixel %d is %v, want the color of %+v", i, k, got, m)
			}
		}
		if film.Rays.Shadow != 0 || film.Rays.Mirror != 0 {
			t.Errorf("scene %d: flat colors cast %+v", i, film.Rays)
		}
	}
	if solids < 500 {
		t.Errorf("only %d pixels show solids", solids)
	}
}
