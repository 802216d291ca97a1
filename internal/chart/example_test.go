package chart_test

import (
	"fmt"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// Example draws a circle and a tangent.
func Example() {
	d := chart.New(400, 300, chart.Light())
	p := d.PlotOf(d.Bounds(), geom2.Rect(-2, -1.5, 2, 1.5), 0)
	p.Disc(geom2.Point{}, 1, d.Faint, d.Ink)
	p.Segment(geom2.Point{X: -2, Y: 1}, geom2.Point{X: 2, Y: 1}, chart.Solid(d.Ink, 2))
	p.Spot("c", geom2.Point{}, geom2.Point{Y: -1}, d.Ink)
	p.Spot("touches", geom2.Point{Y: 1}, geom2.Point{Y: 1}, d.Ink)
	d.PlaceLabels()

	texts, lines := d.Collisions()
	fmt.Println(d.Image().Rect.Size(), d.Texts(), texts, lines)
	// Output: (400,300) [c touches] 0 0
}
