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
	whole = whole.moved(l.avoidOverlaps(whole.grown(0.2*size), size))
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

// ticks returns the numbers beside a color bar: the ends of the range, and round numbers between that are at least a
// distance apart from each other and from the ends.
func ticks(r [2]float64, length, distance float64) []tick {
	low, span := r[0], r[1]-r[0]
	if math.IsInf(span, 0) || span <= 0 {
		if span <= 0 {
			return []tick{{0.5, number(low, math.Abs(low))}}
		}
		return []tick{{0, number(low, span)}, {1, number(r[1], span)}}
	}
	all := []tick{{0, number(low, span)}}
	apart := distance / max(length, 1)
	step := roundStep(span, apart)
	for n := math.Ceil(low / step); step > 0; n++ {
		x := float64(n * step)
		at := (x - low) / span
		if !(at < 1-apart) { // also for NaN
			break
		}
		if at >= apart {
			all = append(all, tick{at, number(x, span)})
		}
	}
	return append(all, tick{1, number(r[1], span)})
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

// number writes a value of a color bar whose range has the given span: as it is if it is short, or else with three
// significant digits of the span.
func number(x, span float64) string {
	if x == 0 {
		return "0"
	}
	if short := strconv.FormatFloat(x, 'f', -1, 64); len(short) <= len("-12.34") {
		return short
	}
	digits := strconv.FormatFloat(span, 'e', 2, 64) // such as 1.23e-05
	exponent, _ := strconv.Atoi(digits[strings.IndexByte(digits, 'e')+1:])
	if large := max(math.Abs(x), span); large >= 1e6 || exponent < -4 {
		text := strconv.FormatFloat(x, 'e', 3, 64)
		mantissa, power, _ := strings.Cut(text, "e")
		n, _ := strconv.Atoi(power)
		return trimZeros(mantissa) + "·10^{" + strconv.Itoa(n) + "}"
	}
	text := trimZeros(strconv.FormatFloat(x, 'f', max(0, 2-exponent), 64))
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
