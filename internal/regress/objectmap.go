package regress

import (
	"fmt"
	"image"
	"image/color"
	"pillbox"

	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// ObjectMap is a picture in which every solid has its own flat color and the background
// is dark gray.
type ObjectMap struct {
	Image   *image.NRGBA
	Objects []Visible // the solids that the picture shows, by number
}

// Visible is a solid that a picture shows.
type Visible struct {
	Number int    // in the scene
	Label  string // such as: capsule "arm", sphere[3]
	Color  color.NRGBA
	Bounds image.Rectangle // of the pixels whose center shows the solid
	Pixels int             // their number
}

// MapObjects draws which solid each pixel's center shows, in a picture of the given size.
// A color depends on the solid's number only. The error says that the camera is
// degenerate or the size not positive.
func MapObjects(s *scene.Scene, size image.Point) (ObjectMap, error) {
	return mapObjects(s, size, func(number int) int { return number })
}

// MapBoth is [MapObjects] for two scenes, with the same color for the same solid in both,
// wherever an insertion or deletion moved it in the file.
func MapBoth(accepted, present *scene.Scene, size image.Point) (want, got ObjectMap, err error) {
	if want, err = MapObjects(accepted, size); err != nil {
		return ObjectMap{}, ObjectMap{}, err
	}
	colors := make([]int, present.Objects.Len())
	for i, p := range differ(accepted, present).pairs {
		if p.present != none {
			colors[p.present] = i // the accepted solid's number, if there is one
		}
	}
	got, err = mapObjects(present, size, func(number int) int { return colors[number] })
	return want, got, err
}

func mapObjects(s *scene.Scene, size image.Point, colorOf func(number int) int) (ObjectMap, error) {
	if size.X < 1 || size.Y < 1 {
		return ObjectMap{}, fmt.Errorf("a map needs a size of its own, got %d x %d", size.X, size.Y)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		return ObjectMap{}, err
	}
	st := follow.Of(p)
	m := ObjectMap{Image: image.NewNRGBA(image.Rectangle{Max: size})}
	all := make([]Visible, s.Objects.Len())
	for i, x := range solidsOf(s) {
		all[i] = Visible{Number: i, Label: x.label, Color: chart.Distinct(colorOf(i))}
	}
	hits := make([]accel.Hit, size.X)
	for y := range size.Y {
		row := st.View.Packet(image.Rect(0, y, size.X, y+1), 1)
		st.World.Nearest(&row, hits)
		for x, hit := range hits {
			c := ground()
			if hit.Object != accel.None {
				v := &all[hit.Object]
				v.Pixels++
				v.Bounds = v.Bounds.Union(image.Rect(x, y, x+1, y+1))
				c = v.Color
			}
			m.Image.SetNRGBA(x, y, c)
		}
	}
	for _, v := range all {
		if v.Pixels > 0 {
			m.Objects = append(m.Objects, v)
		}
	}
	return m, nil
}

func ground() color.NRGBA { return color.NRGBA{0x20, 0x20, 0x20, 0xff} }
