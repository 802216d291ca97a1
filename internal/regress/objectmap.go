package regress

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/scene"
)

// ObjectMap is a picture in which every solid has a flat color of its own and the background is dark gray.
type ObjectMap struct {
	Image   *image.NRGBA
	Objects []Visible // the solids that are visible, by number
}

// Visible describes a solid that is visible in a picture.
type Visible struct {
	Number int    // the solid's number in the scene
	Label  string // such as: capsule "arm", sphere[3]
	Color  color.NRGBA
	Bounds image.Rectangle // of the pixels whose center shows the solid
	Pixels int             // number of these pixels
}

// MapObjects draws which solid each pixel's center shows, in a picture of the given size. The color depends only on the
// solid's number. MapObjects returns an error if the camera is degenerate or the size is not positive, and the cause
// of ctx if ctx ends.
func MapObjects(ctx context.Context, s *scene.Scene, size image.Point) (ObjectMap, error) {
	return mapObjects(ctx, s, size, func(number int) int { return number })
}

// MapBoth is [MapObjects] for two versions of a scene. Solids with the same name, and unnamed solids of the same shape,
// have the same color in both pictures, even if insertions or deletions changed their numbers.
func MapBoth(ctx context.Context, accepted, present *scene.Scene, size image.Point) (want, got ObjectMap, err error) {
	if want, err = MapObjects(ctx, accepted, size); err != nil {
		return ObjectMap{}, ObjectMap{}, err
	}
	got, err = mapObjects(ctx, present, size, partners(accepted, present))
	return want, got, err
}

// partners returns a function that maps a solid's number in the present scene to its number in the accepted one. A
// solid that the accepted scene does not contain gets a number above all numbers in the accepted scene.
func partners(accepted, present *scene.Scene) func(number int) int {
	same, named := numbersOf(accepted), make(map[string]int)
	for i := range accepted.Objects.Len() {
		named[accepted.Objects.Name(i)] = i
	}
	delete(named, "")
	return func(number int) int {
		if i, ok := named[present.Objects.Name(number)]; ok {
			return i
		}
		if i, ok := same[solidOf(present, number)]; ok {
			return i
		}
		return accepted.Objects.Len() + number
	}
}

func mapObjects(ctx context.Context, s *scene.Scene, size image.Point, colorOf func(number int) int) (ObjectMap, error) {
	if size.X < 1 || size.Y < 1 {
		return ObjectMap{}, fmt.Errorf("a map needs a size of its own, got %d x %d", size.X, size.Y)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		return ObjectMap{}, err
	}
	m := ObjectMap{Image: image.NewNRGBA(image.Rectangle{Max: size})}
	seen := make(map[int32]*Visible)
	shown, err := centers(ctx, p)
	if err != nil {
		return ObjectMap{}, err
	}
	for i, number := range shown {
		x, y := i%size.X, i/size.X
		if number == accel.None {
			m.Image.SetNRGBA(x, y, color.NRGBA{0x20, 0x20, 0x20, 0xff})
			continue
		}
		v := seen[number]
		if v == nil {
			v = &Visible{Number: int(number), Label: s.Label(int(number)), Color: chart.Distinct(colorOf(int(number)))}
			seen[number] = v
		}
		v.Pixels++
		v.Bounds = v.Bounds.Union(image.Rect(x, y, x+1, y+1))
		m.Image.SetNRGBA(x, y, v.Color)
	}
	for number := range s.Objects.Len() {
		if v := seen[int32(number)]; v != nil {
			m.Objects = append(m.Objects, *v)
		}
	}
	return m, nil
}
