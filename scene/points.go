package scene

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
)

// DefaultDPI is the number of pixels per inch of a picture without a resolution, as in CSS.
const DefaultDPI = 96

// Sizes of texts in points, of 1/72 inch.
const (
	pointsPerInch = 72
	pointUnit     = "pt"
)

// pointLimits are the limits of the size of a text in points: those in pixels, at 96 pixels per inch.
func pointLimits() keytable.Limits {
	const points = float64(pointsPerInch) / DefaultDPI
	return keytable.Limits{Min: points, Max: points * MaxLettering, Unit: pointUnit}
}

// letteringLimits are the limits of the size of a text in pixels.
func letteringLimits() keytable.Limits { return keytable.Limits{Min: 1, Max: MaxLettering} }

// letteringForm is a form for a Lettering, of which it reads the size: a number of pixels, or a text such as "8pt".
func letteringForm() keytable.Form {
	return keytable.Form{
		Read: func(t keytable.Table, key string, v any, field any) {
			l := field.(*Lettering)
			s, isText := v.(string)
			if !isText {
				l.Size, l.Points = t.Number(key, v, letteringLimits()), 0
				return
			}
			points, ok := parsePoints(s)
			if !ok {
				t.WrongType(key, v, `must be a number of pixels, or a size in points such as "8pt"`)
			} else if t.Within(key, points, pointLimits()) {
				l.Points = points
				*l = l.Printed(DefaultDPI)
			}
		},
		Check: func(key string, field any) error {
			l := field.(*Lettering)
			if l.Points != 0 {
				return keytable.CheckNumber(key, l.Points, pointLimits())
			}
			return keytable.CheckNumber(key, l.Size, letteringLimits())
		},
		Text: func(_ *keytable.Writer, field any) string {
			l := field.(*Lettering)
			if l.Points != 0 {
				return tomltext.Quote(strconv.FormatFloat(l.Points, 'f', -1, 64) + pointUnit)
			}
			return tomltext.Number(l.Size)
		},
	}.Is("Union[float, str]", keytable.MixNumbers, func() *keytable.Schema {
		return keytable.AnyOf(keytable.NumberIn(letteringLimits()), &keytable.Schema{Type: "string", Pattern: `^[0-9]+([.][0-9]+)?pt$`})
	}).Within(letteringLimits())
}

// parsePoints returns the number of points in a text such as "8pt", which has the form of the pattern in letteringForm.
func parsePoints(s string) (points float64, ok bool) {
	number, ok := strings.CutSuffix(s, pointUnit)
	whole, decimals, hasPoint := strings.Cut(number, ".")
	if !ok || !isDigits(whole) || hasPoint && !isDigits(decimals) {
		return 0, false
	}
	points, err := strconv.ParseFloat(number, 64)
	return points, err == nil && !math.IsInf(points, 0)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Printed returns the lettering for a picture with a number of pixels per inch: if its size is in points, with this size in
// pixels.
func (l Lettering) Printed(pixelsPerInch float64) Lettering {
	if l.Points != 0 {
		l.Size = float64(l.Points*pixelsPerInch) / pointsPerInch
	}
	return l
}

// Print sets the sizes of texts in points for a picture that is printed with a number of pixels per inch. These are pixels
// of a picture of the scene's own size. Without Print, the number is 96. The scene at any time, see [Scene.At], has these
// sizes, too. Print returns an error if the number is not positive and finite.
func (s *Scene) Print(pixelsPerInch float64) error {
	if !(pixelsPerInch > 0) || math.IsInf(pixelsPerInch, 0) {
		return fmt.Errorf("pixels per inch must be positive and finite, got %v", pixelsPerInch)
	}
	s.density = pixelsPerInch
	s.printTexts()
	if s.film != nil {
		s.film.print(s, pixelsPerInch)
	}
	return nil
}

// print makes the cameras of a film leave room for texts of other sizes.
func (m *film) print(s *Scene, pixelsPerInch float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cameras = nil
	if m.scene != s {
		m.scene.density = pixelsPerInch
		m.scene.printTexts()
	}
}

// printTexts sets the sizes of all texts in points. Other scenes with the same annotations are not changed.
func (s *Scene) printTexts() {
	if s.density == 0 {
		return
	}
	a := &s.Annotations
	a.Labels, a.Dimensions, a.Angles = slices.Clone(a.Labels), slices.Clone(a.Dimensions), slices.Clone(a.Angles)
	for i := range a.Labels {
		a.Labels[i].Lettering = a.Labels[i].Printed(s.density)
	}
	for i := range a.Dimensions {
		a.Dimensions[i].Lettering = a.Dimensions[i].Printed(s.density)
	}
	for i := range a.Angles {
		a.Angles[i].Lettering = a.Angles[i].Printed(s.density)
	}
	printTable(&a.Title, s.density, func(x *Title) *Lettering { return &x.Lettering })
	printTable(&a.Axes, s.density, func(x *Axes) *Lettering { return &x.Lettering })
	printTable(&a.ScaleBar, s.density, func(x *ScaleBar) *Lettering { return &x.Lettering })
	printTable(&a.Legend, s.density, func(x *Legend) *Lettering { return &x.Lettering })
	printTable(&a.ColorBar, s.density, func(x *ColorBar) *Lettering { return &x.Lettering })
}

// printTable replaces a table by a copy with its size for print. A missing table is nil.
func printTable[T any](table **T, pixelsPerInch float64, lettering func(*T) *Lettering) {
	if *table == nil {
		return
	}
	x := **table
	l := lettering(&x)
	*l = l.Printed(pixelsPerInch)
	*table = &x
}
