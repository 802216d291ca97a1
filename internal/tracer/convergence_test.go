package tracer_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

var convergence = flag.String("convergence", "", "write the chart of errors in docs/performance.md to this SVG `file`; use with -long")

// writeConvergence draws a chart of errors over the number of samples, with one line for each scene. The errors of
// the scene all[i] are of[i].
func writeConvergence(t *testing.T, all []oracle, of []noise) {
	const (
		size      = 15
		low, high = -4, -0.5 // the decimal logarithms of errors
		few, many = 1, 13    // the binary logarithms of numbers of samples
		across    = 20 / 66. // the width of a factor of two in samples, divided by the height of a factor of ten in error
	)
	d := chart.New(840, 520, chart.Light())
	frame := geom2.Rect(80, 40, 520, 470)
	p := d.PlotOf(frame, geom2.Rect(few*across, low, many*across, high), 0)
	at := func(samples, rms float64) geom2.Point { return geom2.Pt(math.Log2(samples)*across, math.Log10(rms)) }
	grid := chart.Solid(d.Faint, 1)
	label := func(s string, where geom2.Point) {
		d.Text(s, geom2.Pt(where.X-d.Fonts.Width(s, chart.Regular(size))/2, where.Y), chart.Regular(size), d.Muted)
	}
	for k := 2; k <= 12; k += 2 {
		n := math.Exp2(float64(k))
		p.Segment(at(n, 1e-4), at(n, math.Pow(10, high)), grid)
		label(fmt.Sprint(n), p.On(at(n, 1e-4)).Add(geom2.Pt(0, 22)))
	}
	for k := low; k < 0; k++ {
		rms := math.Pow(10, float64(k))
		p.Segment(at(2, rms), at(8192, rms), grid)
		label(fmt.Sprint(rms), p.On(at(2, rms)).Add(geom2.Pt(-36, 5)))
	}
	d.Text("Root mean square error of pixels by the number of samples", geom2.Pt(20, 30), chart.Bold(size+2), d.Ink)
	label("samples", p.On(at(128, 1e-4)).Add(geom2.Pt(0, 46)))
	for _, law := range []struct {
		exponent float64
		text     string
	}{{-0.5, "n^-1/2, independent samples"}, {-0.75, "n^-3/4"}} {
		end := at(4096, 0.25*math.Pow(1024, law.exponent))
		p.Segment(at(4, 0.25), end, chart.Dashed(d.Muted, 1.5))
		d.Text(law.text, p.On(end).Add(geom2.Pt(10, 5)), chart.Regular(size), d.Muted)
	}
	for i, e := range of {
		color := chart.Distinct(i)
		for k := range e.samples {
			if k > 0 {
				p.Segment(at(e.samples[k-1], e.rms[k-1]), at(e.samples[k], e.rms[k]), chart.Solid(color, 2))
			}
			d.Dot(p.On(at(e.samples[k], e.rms[k])), 3, color)
		}
		y := 66 + 26*float64(i)
		d.Dot(geom2.Pt(540, y-5), 5, color)
		d.Text(fmt.Sprintf("%s: n^%.2f", all[i].name, e.exponent()), geom2.Pt(553, y), chart.Regular(size), d.Ink)
	}
	var b bytes.Buffer
	if err := d.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*convergence, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
