package regress

import (
	"image"
	"image/color"
	"math"

	"pillbox/accel"
	"pillbox/scene"
)

// ObjectMap is a picture in which every solid has its own flat colour and the background
// is dark grey.
type ObjectMap struct {
	Image   *image.NRGBA
	Objects []Visible // the solids that the picture shows, by number
}

// Visible is a solid that a picture shows.
type Visible struct {
	Number int    // in the scene
	Label  string // such as: capsule "arm", sphere[3]
	Color  color.NRGBA
	Bounds image.Rectangle // of the pixels whose centre shows the solid
	Pixels int             // how many they are
}

// MapObjects draws which solid each pixel's centre shows, in a picture of the given size.
// A colour depends on the solid's number only. The error says that the camera is
// degenerate or the size not positive.
func MapObjects(s *scene.Scene, size image.Point) (ObjectMap, error) {
	return mapObjects(s, size, func(number int) int { return number })
}

// MapBoth is [MapObjects] for two scenes, with the same colour for the same solid in both,
// wherever an insertion or deletion moved it in the file.
func MapBoth(accepted, present *scene.Scene, size image.Point) (want, got ObjectMap, err error) {
	if want, err = MapObjects(accepted, size); err != nil {
		return ObjectMap{}, ObjectMap{}, err
	}
	colors := make([]int, len(present.Objects))
	for i, p := range differ(accepted, present).pairs {
		if p.present != none {
			colors[p.present] = i // the accepted solid's number, if there is one
		}
	}
	got, err = mapObjects(present, size, func(number int) int { return colors[number] })
	return want, got, err
}

func mapObjects(s *scene.Scene, size image.Point, colorOf func(number int) int) (ObjectMap, error) {
	view, err := s.View(size.X, size.Y)
	if err != nil {
		return ObjectMap{}, err
	}
	m := ObjectMap{Image: image.NewNRGBA(image.Rectangle{Max: size})}
	all := make([]Visible, len(s.Objects))
	for i, x := range solidsOf(s) {
		all[i] = Visible{Number: i, Label: x.label(), Color: ObjectColor(colorOf(i))}
	}
	world, hits := s.World(), make([]accel.Hit, size.X)
	for y := range size.Y {
		row := view.Packet(image.Rect(0, y, size.X, y+1), 1)
		world.Nearest(&row, hits)
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

// ObjectColor returns the colour that object maps give the solid with the given number: one of
// a sequence in which neighbours are far apart. Hues advance by the golden section, whose
// multiples fill the circle most evenly, and brightness and saturation take turns.
func ObjectColor(number int) color.NRGBA {
	hue := math.Mod(float64(number)*(math.Sqrt(5)-1)/2, 1) * 6
	value := []float64{255, 200, 150}[number%3]
	lowest := value * []float64{0.15, 0.5}[number/3%2]
	channel := func(shift float64) uint8 {
		// HSV to RGB: a trapezoid over the hue, 0 to 6, the same for each channel but shifted.
		h := math.Mod(hue+shift, 6)
		f := max(0, min(h, 4-h, 1))
		return uint8(lowest + float64((value-lowest)*f) + 0.5)
	}
	return color.NRGBA{channel(2), channel(0), channel(4), 0xff}
}
