package suite

import (
	"image"
	"image/color"

	"pillbox/accel"
	"pillbox/scene"
)

// lookSide is the side of the square of pixels whose rays are cast at a time.
const lookSide = 16

// look casts n x n rays for each pixel of a scene's picture and calls f with what they hit,
// blocks of pixels after another.
func look(s *scene.Scene, n int, f func(pixel image.Point, object int32)) error {
	whole := image.Rect(0, 0, s.Image.Width, s.Image.Height)
	view, err := s.View(whole.Dx(), whole.Dy())
	if err != nil {
		return err
	}
	world := s.World()
	hits := make([]accel.Hit, lookSide*lookSide*n*n)
	for y := 0; y < whole.Dy(); y += lookSide {
		for x := 0; x < whole.Dx(); x += lookSide {
			block := image.Rect(x, y, x+lookSide, y+lookSide).Intersect(whole)
			packet := view.Packet(block, n)
			world.Nearest(&packet, hits[:packet.Len()])
			for i, hit := range hits[:packet.Len()] {
				f(block.Min.Add(image.Pt(i%packet.NX/n, i/packet.NX/n)), hit.Object)
			}
		}
	}
	return nil
}

// masksOf returns the pixels that a named solid has any part in, in one of the scenes, as
// rectangles, and whether one of them has such a solid. Scenes may be nil.
func masksOf(name string, scenes ...*scene.Scene) (masks []image.Rectangle, found bool, err error) {
	for _, s := range scenes {
		number := numberOf(s, name)
		if number == accel.None {
			continue
		}
		found = true
		seen := image.NewAlpha(image.Rect(0, 0, s.Image.Width, s.Image.Height))
		err := look(s, s.Image.Antialias, func(pixel image.Point, object int32) {
			if object == number {
				seen.SetAlpha(pixel.X, pixel.Y, color.Alpha{A: 1})
			}
		})
		if err != nil {
			return nil, false, err
		}
		masks = append(masks, rectangles(seen)...)
	}
	return masks, found, nil
}

func numberOf(s *scene.Scene, name string) int32 {
	if s == nil {
		return accel.None
	}
	for i := range s.Objects {
		if s.Objects[i].Name == name {
			return int32(i)
		}
	}
	return accel.None
}

// rectangles returns rectangles that together hold exactly the set pixels: the runs of each
// row, those of equal extent in successive rows in one.
func rectangles(set *image.Alpha) []image.Rectangle {
	var done []image.Rectangle
	var open []image.Rectangle // that end at the row above
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

// continued reports whether one of the rectangles has r in it.
func continued(r image.Rectangle, list []image.Rectangle) bool {
	for _, s := range list {
		if r.In(s) {
			return true
		}
	}
	return false
}

// runs returns the runs of set pixels in row y.
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
