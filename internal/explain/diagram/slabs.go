package diagram

import (
	"math"

	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
)

// numberLine maps distances along a ray, or parameters of a segment, to horizontal positions on the
// canvas in pixels.
type numberLine struct {
	lo, hi      float64 // the distances that it shows
	left, right float64 // their positions
}

func (n *numberLine) x(t float64) float64 { return n.left + (t-n.lo)/(n.hi-n.lo)*(n.right-n.left) }

// within returns x(t), clamped to the ends of the number line.
func (n *numberLine) within(t float64) float64 { return min(max(n.x(t), n.left), n.right) }

// shows reports whether t lies within the number line.
func (n *numberLine) shows(t float64) bool { return n.lo <= t && t <= n.hi }

// slabChart shows on a number line where a line is inside each slab and inside the box.
type slabChart struct {
	*sketch
	numberLine
}

// slabs draws a slabChart into a frame.
func (k *sketch) slabs(frame chart.Box) {
	const names, row = 34.0, 34.0
	first, last := k.slabEnds()
	n := &slabChart{k, k.slabRange(first.t, last.t)}
	n.left, n.right = frame.Min.X+names, frame.Max.X
	top := frame.Min.Y + 26
	bottom := top + 3*row + 8
	if first.t <= last.t {
		from := n.within(first.t)
		k.FillBox(chart.Rect(from, top-4, max(from+2, n.within(last.t)), top+3*row+4), k.slice)
	}
	k.Line(chart.Pt(n.left, bottom), chart.Pt(n.right, bottom), chart.Solid(k.Muted, 1.5))
	marks := []string{"o, t = 0"}
	switch {
	case k.isSegment() && n.x(1)-n.x(0) < 40:
		marks = []string{"P, Q"} // too close to each other for separate marks
	case k.isSegment():
		marks = []string{"P, 0", "Q, 1"}
	}
	for i, name := range marks {
		if t := float64(i); n.shows(t) {
			k.Line(chart.Pt(n.x(t), top-4), chart.Pt(n.x(t), bottom+5), chart.Dashed(k.colors.ray, 1.5))
			n.centered(name, n.x(t), bottom+22)
		}
	}
	for axis := range axisNames {
		y := top + row*(float64(axis)+0.5)
		k.Text(axisNames[axis:axis+1], chart.Pt(frame.Min.X+6, y+6), chart.Bold(sizeLabel), k.colors.axes[axis])
		n.bar(axis, y)
	}
	n.labels(first, last, top-12)
}

// slabEnd is the last entry or the first exit.
type slabEnd struct {
	symbol string
	t      float64
	look   chart.Hex
}

func (k *sketch) slabEnds() (first, last slabEnd) {
	first = slabEnd{"t_near", 0, k.colors.ray}
	last = slabEnd{"t_far", 0, k.colors.ray}
	if k.isSegment() {
		first.symbol, last.symbol = "first", "last"
	}
	if k.hit && k.inside {
		last.look = k.accepted
	} else if k.hit {
		first.look = k.accepted
	}
	// If the segment misses a slab altogether, the derivation ends at this slab and does not contain the two values.
	first.t, last.t = k.bound(first.symbol, math.Inf(1)), k.bound(last.symbol, math.Inf(-1))
	return first, last
}

// bound returns the value of a symbol in the derivation. If the derivation does not have the symbol, or the value is
// NaN, it returns the argument otherwise.
func (k *sketch) bound(symbol string, otherwise float64) float64 {
	if k.has(symbol) && !math.IsNaN(k.number(symbol)) {
		return k.number(symbol)
	}
	return otherwise
}

// slabRange returns the part of the number line that is shown. It contains first and last. It also contains the origin,
// unless the origin is so far away that the interval would be a dot.
func (k *sketch) slabRange(first, last float64) numberLine {
	lo, hi := min(first, last), max(first, last)
	if lo == hi { // a touch
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || lo == hi {
		lo, hi = 0, 1
	}
	wide := hi - lo
	if k.isSegment() || lo <= 8*wide && hi >= -8*wide {
		lo, hi = min(lo, 0), max(hi, 0)
		if k.isSegment() {
			hi = max(hi, 1)
		}
		wide = 0.35 * (hi - lo)
	}
	return numberLine{lo: lo - wide, hi: hi + wide}
}

// labels writes the last entry and the first exit above the number line. The left label ends near its position, and
// the right label begins near its position, so that they do not overlap.
func (n *slabChart) labels(first, last slabEnd, y float64) {
	if math.IsInf(first.t, 0) || math.IsInf(last.t, 0) {
		return
	}
	at := formula.Apart(formula.Readable, first.t, last.t)
	texts := [2]string{first.symbol + " = " + at[0], last.symbol + " = " + at[1]}
	two := [2]slabEnd{first, last}
	if first.t > last.t {
		texts = [2]string{texts[1], "only then " + texts[0]}
		two = [2]slabEnd{last, first}
	}
	font := chart.Regular(sizeLabel)
	w0, w1 := n.Fonts.Width(texts[0], font), n.Fonts.Width(texts[1], font)
	const gap = 24
	x0 := min(max(n.x(two[0].t)-w0+12, n.left), n.right-w0-w1-gap)
	x1 := min(max(n.x(two[1].t)-12, x0+w0+gap), n.right-w1)
	n.Text(texts[0], chart.Pt(x0, y), font, two[0].look)
	n.Text(texts[1], chart.Pt(x1, y), font, two[1].look)
}

// bar draws the interval of one slab.
func (n *slabChart) bar(axis int, y float64) {
	name, look := axisNames[axis:axis+1], n.colors.axes[axis]
	in, out := n.bound("in_"+name, math.Inf(-1)), n.bound("out_"+name, math.Inf(1))
	if n.isOutside(axis) {
		in, out = math.Inf(1), math.Inf(-1)
	}
	font, start := chart.Regular(sizeSmall), chart.Pt(n.left+18, y+5.5)
	if in > out {
		n.Text("never inside", start, font, look)
		return
	}
	n.Fill(n.interval(in, out, y), look)
	if math.IsInf(in, -1) && math.IsInf(out, 1) {
		n.Text("always inside", start, font, n.Paper)
		return
	}
	n.ends(in, out, start.Y, look)
}

// isOutside reports whether a segment lies outside of the axis's slab and does not move across it. The derivation of
// a segment ends at the first such slab. For later slabs, isOutside treats the segment as if it did not move.
func (n *slabChart) isOutside(axis int) bool {
	return n.isSegment() && n.bound("e_"+axisNames[axis:axis+1], 0) == 0 &&
		math.Abs(float64(n.derivation.Of("P'").Part(axis))) > float64(n.derivation.Of("h").Part(axis))
}

// interval returns the outline of a bar. An end of the bar that lies beyond the number line is pointed.
func (n *numberLine) interval(in, out, y float64) []chart.Point {
	const half, point, least = 8, 11, 2
	x0, x1 := n.within(in), n.within(out)
	x1 = max(x1, x0+least)
	var outline []chart.Point
	if in < n.lo {
		outline = append(outline, chart.Pt(x0+point, y+half), chart.Pt(x0, y), chart.Pt(x0+point, y-half))
	} else {
		outline = append(outline, chart.Pt(x0, y+half), chart.Pt(x0, y-half))
	}
	if out > n.hi {
		return append(outline, chart.Pt(x1-point, y-half), chart.Pt(x1, y), chart.Pt(x1-point, y+half))
	}
	return append(outline, chart.Pt(x1, y-half), chart.Pt(x1, y+half))
}

// ends writes the two numbers at which a bar begins and ends. The first is left of the bar and the second right of
// it. A number without room beside a wide bar is written inside the bar. If there is no room beside a narrow bar,
// both numbers are on its other side.
func (n *slabChart) ends(in, out, y float64, look chart.Hex) {
	const beside, inside = 6, 18
	font := chart.Regular(sizeSmall)
	at := formula.Apart(4, in, out)
	entry, exit := "in "+at[0], "out "+at[1]
	w0, w1 := n.Fonts.Width(entry, font), n.Fonts.Width(exit, font)
	x0, x1 := n.within(in), n.within(out)
	fits0, fits1 := x0-beside-w0 >= n.left, x1+beside+w1 <= n.right
	both := entry + ", " + exit
	switch isNarrow := x1-x0 < w0+w1+3*inside; {
	case isNarrow && !fits0:
		n.TextOver(both, chart.Pt(x1+beside, y), font, look)
		return
	case isNarrow && !fits1:
		n.TextOver(both, chart.Pt(x0-beside-n.Fonts.Width(both, font), y), font, look)
		return
	}
	if fits0 {
		n.TextOver(entry, chart.Pt(x0-beside-w0, y), font, look)
	} else {
		n.Text(entry, chart.Pt(x0+inside, y), font, n.Paper)
	}
	if fits1 {
		n.TextOver(exit, chart.Pt(x1+beside, y), font, look)
	} else {
		n.Text(exit, chart.Pt(x1-inside-w1, y), font, n.Paper)
	}
}

// centered writes text around x, moved so that it stays within the number line.
func (n *slabChart) centered(s string, x, y float64) {
	font := chart.Regular(sizeSmall)
	w := n.Fonts.Width(s, font)
	n.Text(s, chart.Pt(min(max(x-w/2, n.left), n.right-w), y), font, n.colors.ray)
}
