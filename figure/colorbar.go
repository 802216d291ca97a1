package figure

import (
	"math"
	"strconv"
	"strings"

	"pillbox/internal/ink"
	"pillbox/scene"
)

// Proportions of color bars, as multiples of the size of their text, and the number of strips of one color.
const (
	barWidth   = 1.1
	tickLength = 0.3
	barStrips  = 128
)

// colorBar arranges a vertical color bar with its numbers to the right and its title above.
func (l *layout) colorBar(b *scene.ColorBar, c *scene.Colormap) {
	size := float64(b.Size * l.scale)
	length := float64(b.Length * l.scale)
	if b.Length == 0 {
		length = float64(0.4 * float64(l.Size.Y))
	}
	length = math.Floor(length + 0.5)
	thick, tick := math.Floor(float64(barWidth*size)+0.5), float64(tickLength*size)
	var numbers []lettered
	width := 0.0
	list := ticks(c.Range, length, 1.5*size)
	for _, x := range list {
		numbers = append(numbers, l.lettered(kindColorBar, x.text, &b.Lettering, false))
		width = max(width, numbers[len(numbers)-1].width)
	}
	half := numbers[0].cap / 2
	width += thick + tick + float64(gap*size)
	above := half
	var title lettered
	if text := b.Title(); text != "" {
		title = l.lettered(kindColorBar, text, &b.Lettering, false)
		width = max(width, title.width)
		above = title.height() + size
	}
	whole := l.corner(b.Corner, width, above+length+half, size)
	whole = whole.moved(l.place(&block{kind: kindColorBar, glyphs: whole, box: whole, room: whole.grown(0.2 * size), size: size}))
	left, top := math.Floor(whole.min.X+0.5), math.Floor(whole.min.Y+above+0.5)
	l.gradient(box{ink.Point{X: left, Y: top}, ink.Point{X: left + thick, Y: top + length}}, c, &b.Lettering)
	p := l.pen(&b.Lettering, scene.HiddenDraw)
	for i := range numbers {
		at := ink.Point{X: left + thick, Y: top + length - float64(list[i].at*length)}
		end := at.Add(ink.Point{X: tick})
		l.line(p, at, end, false)
		anchor := scene.Anchor{X: -1}
		l.write(&numbers[i], numbers[i].boxAt(end.Add(ink.Point{X: float64(gap * size)}), anchor), anchor)
	}
	if title.kind != "" {
		anchor := scene.Anchor{X: -1, Y: -1}
		l.write(&title, title.boxAt(whole.min, anchor), anchor)
	}
}

// gradient fills a box with the colors of a map, the first at the bottom, and draws a line around it.
func (l *layout) gradient(b box, c *scene.Colormap, look *scene.Lettering) {
	height := b.max.Y - b.min.Y
	strips := min(barStrips, max(1, int(height)))
	edge := func(i int) float64 { return b.max.Y - math.Floor(float64(height*float64(i))/float64(strips)+0.5) }
	for i := range strips {
		above := edge(min(i+2, strips)) // strips overlap, so that no gaps show between them in vector graphics
		corners := []ink.Point{{X: b.min.X, Y: edge(i)}, {X: b.max.X, Y: edge(i)}, {X: b.max.X, Y: above}, {X: b.min.X, Y: above}}
		l.lines = append(l.lines, &ink.Fill{Points: corners, Color: inkOf(c.Map.At((float64(i) + 0.5) / float64(strips)))})
	}
	p := l.pen(look, scene.HiddenDraw)
	frame := []ink.Point{b.min, {X: b.max.X, Y: b.min.Y}, b.max, {X: b.min.X, Y: b.max.Y}, b.min}
	l.lines = append(l.lines, &ink.Line{Points: frame, Width: p.width, Round: true, Color: p.color})
}

// tick is a number beside a color bar, at a fraction of its length.
type tick struct {
	at   float64
	text string
}

// mostTicks is more than the largest number of round numbers beside a color bar: see [roundStep].
const mostTicks = 10

// ticks returns the numbers beside a color bar: the ends of the range, and round numbers between that are at least a
// distance apart from each other and from the ends.
func ticks(r [2]float64, length, distance float64) []tick {
	low, span := r[0], r[1]-r[0]
	n := notationOf(r)
	if span <= 0 {
		return []tick{{0.5, n.write(low)}}
	}
	all := []tick{{0, n.write(low)}}
	apart := distance / max(length, 1)
	if step := roundStep(span, apart); step > 0 {
		first := math.Ceil(low / step)
		for i := range mostTicks { // the numbers of a range may be so large that adding 1 to first changes nothing
			x := float64((first + float64(i)) * step)
			if at := (x - low) / span; apart <= at && at < 1-apart {
				all = append(all, tick{at, n.write(x)})
			}
		}
	}
	return append(all, tick{1, n.write(r[1])})
}

// roundStep returns the least 1, 2 or 5 times a power of ten that is at least a share of the span, or 0 if there is none
// that is less than the span.
func roundStep(span, share float64) float64 {
	least := float64(span * max(share, 0.15))
	power := strconv.FormatFloat(least, 'e', 0, 64)[1:] // such as e+02
	for _, by := range []string{"1", "2", "5", "10"} {
		if x, err := strconv.ParseFloat(by+power, 64); err == nil && least <= x && x < span {
			return x
		}
	}
	return 0
}

// notation says how the numbers beside a color bar are written: all in the same way, with three significant digits of the
// range.
type notation struct {
	last       int  // the power of ten of the last digit
	scientific bool // as a mantissa and a power of ten
}

// notationOf returns the notation for a range. Numbers are scientific if they are large or small, unless this would only make
// them longer, because they differ only in late digits.
func notationOf(r [2]float64) notation {
	large := max(math.Abs(r[0]), math.Abs(r[1]))
	first := exponentOf(large)
	if span := r[1] - r[0]; span > 0 && !math.IsInf(span, 0) {
		spread := exponentOf(span)
		isUsual := first < 6 && spread >= -4
		isLong := first-spread > 1 && -5 <= first && first < 17
		return notation{spread - 2, !isUsual && !isLong}
	}
	return notation{first - 2, large != 0 && (first >= 6 || first < -4)}
}

// exponentOf returns the power of ten of the first digit of x, rounded to three digits, or 0 for 0.
func exponentOf(x float64) int {
	text := strconv.FormatFloat(x, 'e', 2, 64)
	n, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return n
}

// write writes a number. A short one that is not scientific is written as it is.
func (n notation) write(x float64) string {
	switch short := strconv.FormatFloat(x, 'f', -1, 64); {
	case x == 0:
		return "0"
	case n.scientific:
		const most = 16 // decimal places of a mantissa that mean something
		decimals := min(max(exponentOf(x)-n.last, 0), most)
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
		exponent, _ := strconv.Atoi(power)
		return trimZeros(mantissa) + "·10^{" + strconv.Itoa(exponent) + "}"
	case len(short) <= len("-12.34"):
		return short
	}
	text := trimZeros(strconv.FormatFloat(x, 'f', max(0, -n.last), 64))
	if text == "-0" {
		return "0"
	}
	return text
}

// trimZeros removes the zeros at the end of the decimal places of a number.
func trimZeros(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	return number
}
