package diagram

import (
	"cmp"
	"math"

	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/geom2"
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

// slabChart shows on a number line where a line is inside each slab of a box, or on the kept side of each section, and where
// it is inside all of them.
type slabChart struct {
	*sketch
	numberLine
}

// slabRow is a row of a slabChart: the interval in which a line is inside. If it never is, in > out.
type slabRow struct {
	name    string
	look    chart.Hex
	in, out float64
}

// rowHeight is the height of a row of a slabChart.
const rowHeight = 34.0

// slabsHeight returns the height of a slabChart.
func slabsHeight(rows int) float64 { return float64(rows)*rowHeight + 64 }

// slabs draws a slabChart into a frame.
func (k *sketch) slabs(frame geom2.Box, rows []slabRow) {
	first, last := k.slabEnds()
	n := &slabChart{k, k.slabRange(first.t, last.t)}
	n.left = frame.Min.X + 34
	name := chart.Bold(sizeLabel)
	for _, r := range rows {
		n.left = max(n.left, frame.Min.X+k.Fonts.Width(r.name, name)+23)
	}
	n.right = frame.Max.X
	top := frame.Min.Y + 26
	bottom := top + float64(len(rows))*rowHeight + 8
	if first.t <= last.t && !k.missesCut() {
		from := n.within(first.t)
		k.FillBox(geom2.Rect(from, top-4, max(from+2, n.within(last.t)), bottom-4), k.slice)
	}
	k.Line(geom2.Pt(n.left, bottom), geom2.Pt(n.right, bottom), chart.Solid(k.Muted, 1.5))
	end := k.slabUnit()
	marks := []string{"o, t = 0"}
	if k.isSegment() {
		marks = []string{"P, 0", "Q, " + brief(end)}
		if k.Fonts.Width(marks[1], chart.Regular(sizeSmall)) > n.x(end)-n.x(0) {
			marks = []string{"P, Q"} // too close to each other for separate marks
		}
	}
	for i, name := range marks {
		if t := float64(i) * end; n.shows(t) {
			k.Line(geom2.Pt(n.x(t), top-4), geom2.Pt(n.x(t), bottom+5), chart.Dashed(k.colors.ray, 1.5))
			n.centered(name, n.x(t), bottom+22)
		}
	}
	for i, r := range rows {
		y := top + rowHeight*(float64(i)+0.5)
		k.Text(r.name, geom2.Pt(frame.Min.X+6, y+6), name, r.look)
		n.bar(r, y)
	}
	if !k.missesCut() || first.t > last.t {
		n.labels(first, last, top-12)
	}
}

// missesCut reports whether a line misses what sections leave of a solid.
func (k *sketch) missesCut() bool { return k.cut != nil && !k.chord.OK }

// slabUnit returns where the end Q of a segment lies on the number line, which shows distances along rays and cut solids and
// shares of segments through boxes. For a ray, it returns 1 or, for a cut solid, the distance to its center.
func (k *sketch) slabUnit() float64 {
	switch {
	case k.cut == nil:
		return 1
	case k.isSegment():
		return k.length
	}
	return cmp.Or(k.cut.Whole.Bounds().Center().Sub(k.ray.Origin).Norm(), 1)
}

// slabRows returns the rows for the slabs of a box.
func (k *sketch) slabRows() (rows []slabRow) {
	for axis := range axisNames {
		r := slabRow{name: axisNames[axis : axis+1], look: k.colors.axes[axis]}
		r.in, r.out = k.bound("in_"+r.name, math.Inf(-1)), k.bound("out_"+r.name, math.Inf(1))
		if k.isOutside(axis) {
			r.in, r.out = math.Inf(1), math.Inf(-1)
		}
		rows = append(rows, r)
	}
	return rows
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
	if k.isSegment() && k.cut == nil {
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
	if k.has(symbol) && !math.IsNaN(k.scalar(symbol)) {
		return k.scalar(symbol)
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
		lo, hi = 0, k.slabUnit()
	}
	wide := hi - lo
	if k.isSegment() || lo <= 8*wide && hi >= -8*wide {
		lo, hi = min(lo, 0), max(hi, 0)
		if k.isSegment() {
			hi = max(hi, k.slabUnit())
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
	n.Text(texts[0], geom2.Pt(x0, y), font, two[0].look)
	n.Text(texts[1], geom2.Pt(x1, y), font, two[1].look)
}

// bar draws the interval of one row.
func (n *slabChart) bar(r slabRow, y float64) {
	font, start := chart.Regular(sizeSmall), geom2.Pt(n.left+18, y+5.5)
	if r.in > r.out {
		n.Text("never inside", start, font, r.look)
		return
	}
	n.Fill(n.interval(r.in, r.out, y), r.look)
	if math.IsInf(r.in, -1) && math.IsInf(r.out, 1) {
		n.Text("always inside", start, font, n.Paper)
		return
	}
	n.ends(r.in, r.out, start.Y, r.look)
}

// isOutside reports whether a segment lies outside of the axis's slab and does not move across it. The derivation of
// a segment ends at the first such slab. For later slabs, isOutside treats the segment as if it did not move.
func (k *sketch) isOutside(axis int) bool {
	return k.isSegment() && k.bound("e_"+axisNames[axis:axis+1], 0) == 0 &&
		math.Abs(float64(k.derivation.Of("P'").Part(axis))) > float64(k.derivation.Of("h").Part(axis))
}

// interval returns the outline of a bar. An end of the bar that lies beyond the number line is pointed.
func (n *numberLine) interval(in, out, y float64) []geom2.Point {
	const half, point, least = 8, 11, 2
	x0, x1 := n.within(in), n.within(out)
	x1 = max(x1, x0+least)
	var outline []geom2.Point
	if in < n.lo {
		outline = append(outline, geom2.Pt(x0+point, y+half), geom2.Pt(x0, y), geom2.Pt(x0+point, y-half))
	} else {
		outline = append(outline, geom2.Pt(x0, y+half), geom2.Pt(x0, y-half))
	}
	if out > n.hi {
		return append(outline, geom2.Pt(x1-point, y-half), geom2.Pt(x1, y), geom2.Pt(x1-point, y+half))
	}
	return append(outline, geom2.Pt(x1, y-half), geom2.Pt(x1, y+half))
}

// ends writes the numbers at which a bar begins and ends, if they are finite. The first is left of the bar and the second right of
// it. A number without room beside a wide bar is written inside the bar. If there is no room beside a narrow bar,
// both numbers are on its other side.
func (n *slabChart) ends(in, out, y float64, look chart.Hex) {
	const beside, inside = 6, 18
	font := chart.Regular(sizeSmall)
	at := formula.Apart(4, in, out)
	entry, exit := "in "+at[0], "out "+at[1]
	both := entry + ", " + exit
	if math.IsInf(in, -1) {
		entry, both = "", exit
	}
	if math.IsInf(out, 1) {
		exit, both = "", entry
	}
	w0, w1 := n.Fonts.Width(entry, font), n.Fonts.Width(exit, font)
	x0, x1 := n.within(in), n.within(out)
	fits0, fits1 := x0-beside-w0 >= n.left, x1+beside+w1 <= n.right
	switch isNarrow := x1-x0 < w0+w1+3*inside; {
	case isNarrow && !fits0:
		n.TextOver(both, geom2.Pt(x1+beside, y), font, look)
		return
	case isNarrow && !fits1:
		n.TextOver(both, geom2.Pt(x0-beside-n.Fonts.Width(both, font), y), font, look)
		return
	}
	if fits0 {
		n.TextOver(entry, geom2.Pt(x0-beside-w0, y), font, look)
	} else {
		n.Text(entry, geom2.Pt(x0+inside, y), font, n.Paper)
	}
	if fits1 {
		n.TextOver(exit, geom2.Pt(x1+beside, y), font, look)
	} else {
		n.Text(exit, geom2.Pt(x1-inside-w1, y), font, n.Paper)
	}
}

// centered writes text around x, moved so that it stays within the number line.
func (n *slabChart) centered(s string, x, y float64) {
	font := chart.Regular(sizeSmall)
	w := n.Fonts.Width(s, font)
	n.Text(s, geom2.Pt(min(max(x-w/2, n.left), n.right-w), y), font, n.colors.ray)
}
