package suite

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"pillbox"

	"pillbox/golden"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// masksOf returns rectangles that together contain exactly the pixels that show one of the named solids in at least one
// of the scenes. Where requested, pixels with the solid's shadow or mirror image count, too. Lines of outlines and
// annotations do not count. Scenes after the first may be nil. masksOf returns an error if no scene has a solid of a
// given name.
func masksOf(ctx context.Context, solids []golden.Object, scenes ...*scene.Scene) ([]image.Rectangle, error) {
	known := make(map[string]bool)
	var masks []image.Rectangle
	for _, s := range scenes {
		wanted := make(map[int32]golden.Object)
		for _, o := range solids {
			if number := numberOf(s, o.Name); number != accel.None {
				wanted[number] = merge(o, wanted[number])
				known[o.Name] = true
			}
		}
		if len(wanted) == 0 {
			continue
		}
		seen, err := affectedPixels(ctx, s, wanted)
		if err != nil {
			return nil, err
		}
		masks = append(masks, rectangles(seen)...)
	}
	for _, o := range solids {
		if !known[o.Name] {
			return nil, fmt.Errorf("no solid of %s is called %q", scenes[0].Name, o.Name)
		}
	}
	return masks, nil
}

// merge returns the union of two masks of a solid: it includes shadows if either does, and mirror images if either
// does.
func merge(a, b golden.Object) golden.Object {
	return golden.Object{Name: a.Name, Shadow: a.Shadow || b.Shadow, Mirror: a.Mirror || b.Mirror}
}

// A search finds the pixels that given solids affect.
type search struct {
	*follow.Prepared
	solids          map[int32]golden.Object // by the solid's number
	shadows, mirror bool                    // whether any of the solids requests this
}

// squareSide is the side, in pixels, of the squares that are searched at a time.
const squareSide = 16

// affectedPixels finds the pixels that the given solids affect. It traces every sample of every pixel,
// because a pixel may change even if only one of its samples shows the solid.
func affectedPixels(ctx context.Context, s *scene.Scene, solids map[int32]golden.Object) (*image.Alpha, error) {
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		return nil, err
	}
	st := follow.Of(p)
	f := search{Prepared: st, solids: solids}
	for _, o := range solids {
		f.shadows, f.mirror = f.shadows || o.Shadow, f.mirror || o.Mirror
	}
	whole := image.Rectangle{Max: st.Size}
	seen := image.NewAlpha(whole)
	parallel.For((st.Size.Y+squareSide-1)/squareSide, func(row int) {
		y := row * squareSide
		for x := 0; x < st.Size.X && ctx.Err() == nil; x += squareSide {
			f.square(image.Rect(x, y, x+squareSide, y+squareSide).Intersect(whole), seen)
		}
	})
	return seen, ctx.Err()
}

// square searches the pixels of a square. In the image seen, it marks those whose colors the searched solids affect.
func (f *search) square(pixels image.Rectangle, seen *image.Alpha) {
	n := f.Antialias
	packet := f.View.Packet(pixels, n)
	hits := make([]accel.Hit, packet.Len())
	f.World.Nearest(&packet, hits)
	for i, hit := range hits {
		at := pixels.Min.Add(image.Pt(i%packet.NX/n, i/packet.NX/n))
		if seen.AlphaAt(at.X, at.Y).A > 0 || hit.Object == accel.None {
			continue
		}
		q := f.InteractionOf(f.CameraRay(packet.At(i)), follow.PositionOf(&packet, i), hit)
		if f.found(&q) {
			seen.SetAlpha(at.X, at.Y, color.Alpha{A: 1})
		}
	}
}

// found reports whether one of the searched solids affects the color of a ray whose hit is q. This is so if the ray
// hits the solid. It is also so if the ray hits a place in the solid's shadow, or a mirror that shows the solid there,
// and the search includes shadows or mirror images of this solid.
func (f *search) found(q *follow.Interaction) bool {
	if !q.IsSolid() {
		return false
	}
	asked := func(number int32) (golden.Object, bool) {
		o, ok := f.solids[number]
		return o, ok && (q.Depth == 0 || o.Mirror)
	}
	if _, ok := asked(q.Hit.Object); ok {
		return true
	}
	for i := 0; f.shadows && i < len(f.Lights); i++ {
		a := f.SampleLight(q, i, nil)
		if o, ok := asked(a.Object); ok && o.Shadow {
			return true
		}
		for _, p := range a.Points {
			if o, ok := asked(p.Object); ok && o.Shadow {
				return true
			}
		}
	}
	if f.shadows && f.Scene.Shading.Occlusion.Enabled && f.MayOcclude(&q.Hit, q.Normal) {
		for _, a := range f.SampleOcclusion(q).Samples {
			if o, ok := asked(a.Object); ok && o.Shadow {
				return true
			}
		}
	}
	if !f.mirror || !f.Mirrors(q) {
		return false
	}
	next := f.Reflect(q, nil)
	return f.found(&next)
}

func numberOf(s *scene.Scene, name string) int32 {
	if s == nil {
		return accel.None
	}
	for i := range s.Objects.Len() {
		if s.Objects.Name(i) == name {
			return int32(i)
		}
	}
	return accel.None
}

// rectangles returns disjoint rectangles that together contain exactly the marked pixels, which are not zero in the
// image. Each rectangle is a run of marked pixels in a row, extended downward as long as the next rows have a run with
// the same ends.
func rectangles(set *image.Alpha) []image.Rectangle {
	var done []image.Rectangle
	var open []image.Rectangle // rectangles that end at the row above
	for y := set.Rect.Min.Y; y < set.Rect.Max.Y; y++ {
		var here []image.Rectangle
		for _, run := range runs(set, y) {
			for _, above := range open {
				if above.Min.X == run.Min.X && above.Max.X == run.Max.X {
					run.Min.Y = above.Min.Y
				}
			}
			here = append(here, run)
		}
		for _, above := range open {
			if !continued(above, here) {
				done = append(done, above)
			}
		}
		open = here
	}
	return append(done, open...)
}

// continued reports whether r is part of one of the rectangles.
func continued(r image.Rectangle, list []image.Rectangle) bool {
	for _, s := range list {
		if r.In(s) {
			return true
		}
	}
	return false
}

// runs returns the runs of marked pixels in row y.
func runs(set *image.Alpha, y int) []image.Rectangle {
	var found []image.Rectangle
	start := -1
	for x := set.Rect.Min.X; x <= set.Rect.Max.X; x++ {
		on := x < set.Rect.Max.X && set.AlphaAt(x, y).A > 0
		switch {
		case on && start < 0:
			start = x
		case !on && start >= 0:
			found = append(found, image.Rect(start, y, x, y+1))
			start = -1
		}
	}
	return found
}
