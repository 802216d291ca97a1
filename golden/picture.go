package golden

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Lengths in the picture, in its pixels.
const (
	margin      = 20
	columnMin   = 300 // so that the texts fit
	columnMax   = 600
	panelMax    = 450 // height
	insetMax    = 240 // height
	titleHeight = 34
	lineHeight  = 22
	labelHeight = 32
	titleSize   = 20
	textSize    = 14
	checkerTile = 8 // of the board behind transparent pixels
)

const (
	maxZoom    = 32 // times a pixel is enlarged at most
	minInset   = 8  // times an inset enlarges at least
	clusterRim = 4  // pixels of context around a cluster in an inset, at least
	maxBoxes   = 50 // more would hide what they frame
	minBox     = 11 // side of a box around a cluster
	minFrame   = 17 // side of the frame around what an inset shows
)

// Picture draws how got differs from want, d being what [Compare] told of them. Side by side stand
// want, got, and a faded want on which changed pixels glow, the brighter the larger the difference,
// with boxes around the largest clusters; below them an enlargement around the pixel with the
// largest difference, and a legend. Small images are enlarged by a whole number, large ones are
// reduced, and no changed pixel gets lost by it. Images of different sizes are drawn to one scale.
// Neither image may be nil. The picture is at most 1880 x 950 pixels, whatever the images.
func Picture(got, want image.Image, d Diff) image.Image {
	s := newSheet(got, want, d)
	s.heading()
	if got.Bounds().Size() != want.Bounds().Size() {
		s.sizes()
		return s.canvas
	}
	peaks := peaksOf(got, want, d.Tolerance.Masks)
	s.label(s.panels, "want "+dimensions(want), "got "+dimensions(got), "changes"+s.panels.scale.suffix())
	s.triptych(s.panels, peaks)
	items := s.changeItems()
	if !s.inset.region.Empty() {
		s.label(s.inset, fmt.Sprintf("around (%d, %d)%s", d.MaxAt.X, d.MaxAt.Y, s.inset.scale.suffix()))
		s.triptych(s.inset, peaks)
		s.frameInset()
		items = append(items, s.frameItem("enlarged below", insetColor))
	}
	s.legend(items...)
	return s.canvas
}

// A sheet is a picture in the making.
type sheet struct {
	canvas *image.RGBA
	dc     *gg.Context // draws on canvas
	font   *opentype.Font
	got    image.Image
	want   image.Image
	diff   Diff
	column int  // width
	panels view // the whole images
	inset  view // empty if the panels show as much
}

// A view shows a region of the images, in each of the three columns from y = top downwards.
type view struct {
	region image.Rectangle
	scale  ratio
	top    int
}

func newSheet(got, want image.Image, d Diff) *sheet {
	s := &sheet{got: got, want: want, diff: d}
	region := extent(got).Union(extent(want))
	s.panels = view{region: region, scale: fit(region.Size(), image.Pt(columnMax, panelMax))}
	s.panels.top = margin + titleHeight + lineHeight*len(facts(d)) + labelHeight
	s.column = max(columnMin, s.panels.size().X)

	bottom := s.panels.top + s.panels.size().Y
	s.inset = insetView(d, s.column, region.Size())
	if s.inset.scale.exceeds(s.panels.scale) {
		s.inset.top = bottom + margin/2 + labelHeight
		bottom = s.inset.top + s.inset.size().Y
	} else {
		s.inset = view{}
	}
	s.canvas = image.NewRGBA(image.Rect(0, 0, 3*s.column+4*margin, bottom+margin+lineHeight+margin))
	s.dc = gg.NewContextForRGBA(s.canvas)
	s.dc.SetColor(paper)
	s.dc.Clear()
	var err error
	if s.font, err = opentype.Parse(goregular.TTF); err != nil {
		panic(fmt.Sprintf("golden: the built-in font does not parse: %v", err))
	}
	return s
}

// insetView shows the cluster with the largest difference or, if that is too large, what surrounds
// its largest difference. It is empty if nothing changed.
func insetView(d Diff, width int, limit image.Point) view {
	box := image.Pt(width, insetMax)
	for _, c := range d.Clusters {
		if c.MaxAt != d.MaxAt {
			continue
		}
		need := c.Bounds.Inset(-clusterRim)
		zoom := fit(need.Size(), box).num
		if need.Dx() > box.X/minInset || need.Dy() > box.Y/minInset {
			need, zoom = image.Rectangle{c.MaxAt, c.MaxAt}, minInset
		}
		x0, x1 := around(need.Min.X, need.Max.X, box.X/zoom, limit.X)
		y0, y1 := around(need.Min.Y, need.Max.Y, box.Y/zoom, limit.Y)
		return view{region: image.Rect(x0, y0, x1, y1), scale: ratio{zoom, 1}}
	}
	return view{}
}

// around returns an interval of length n with [a, b) in its middle, moved and if need be shortened
// to lie in [0, limit).
func around(a, b, n, limit int) (int, int) {
	n = min(n, limit)
	start := min(max((a+b-n)/2, 0), limit-n)
	return start, start + n
}

// A ratio is how many pixels of the picture stand for how many of the image.
type ratio struct{ num, den int }

// fit returns the largest ratio that fits size into box, a whole number if it enlarges.
func fit(size, box image.Point) ratio {
	if size.X <= box.X && size.Y <= box.Y {
		return ratio{min(maxZoom, box.X/max(size.X, 1), box.Y/max(size.Y, 1)), 1}
	}
	if size.X*box.Y > size.Y*box.X {
		return ratio{box.X, size.X}
	}
	return ratio{box.Y, size.Y}
}

func (r ratio) exceeds(s ratio) bool { return r.num*s.den > s.num*r.den }

// suffix tells the ratio at the end of a label.
func (r ratio) suffix() string {
	switch {
	case r.num == r.den:
		return ""
	case r.den == 1:
		return fmt.Sprintf(", enlarged %d times", r.num)
	default:
		return fmt.Sprintf(", reduced to %.3g %%", 100*float64(r.num)/float64(r.den))
	}
}

// size returns the size of the view in the picture: at least a pixel wide and high, if not empty.
func (v view) size() image.Point {
	return v.cells(v.region).Size()
}

// cells returns the pixels of the picture that stand for r, relative to the corner of the view. No
// pixel of the image gets lost: each has at least one.
func (v view) cells(r image.Rectangle) image.Rectangle {
	r = r.Intersect(v.region).Sub(v.region.Min)
	down := func(n int) int { return n * v.scale.num / v.scale.den }
	up := func(n int) int { return (n*v.scale.num + v.scale.den - 1) / v.scale.den }
	if r.Empty() {
		return image.Rectangle{}
	}
	return image.Rect(down(r.Min.X), down(r.Min.Y), up(r.Max.X), up(r.Max.Y))
}

// corner returns the top left of a view in a column.
func (s *sheet) corner(v view, column int) image.Point {
	return image.Pt(margin+column*(s.column+margin), v.top)
}

// A hex is an opaque colour, 0xrrggbb.
type hex uint32

const (
	paper      hex = 0xf7f7f5
	ink        hex = 0x1c1c1c
	passColor  hex = 0x1a7f37
	failColor  hex = 0xb42318
	wantColor  hex = 0x4fb3ff
	gotColor   hex = 0xff9a2e
	boxColor   hex = 0x35d0ff
	insetColor hex = 0xffffff
	mildColor  hex = 0x4a90d9
	maskColor  hex = 0x9a9a9a
	lightTile  hex = 0xffffff
	darkTile   hex = 0xcfcfcf
	rimColor   hex = 0xa8a8a8
)

// RGBA implements [color.Color].
func (h hex) RGBA() (r, g, b, a uint32) {
	return uint32(h>>16&0xff) * 0x101, uint32(h>>8&0xff) * 0x101, uint32(h&0xff) * 0x101, 0xffff
}

// glow is the colour of a difference of 1 to 255: dark magenta over orange to pale yellow. The root
// sets small differences apart, of which there are most.
func glow(difference int) color.RGBA {
	t := 2 * math.Sqrt(float64(difference)/255)
	if t < 1 {
		return mix(0xd81b8c, 0xff8c1a, t)
	}
	return mix(0xff8c1a, 0xfff6b0, t-1)
}

func mix(a, b hex, t float64) color.RGBA {
	channel := func(shift int) uint8 {
		v, w := float64(a>>shift&0xff), float64(b>>shift&0xff)
		return uint8(v + t*(w-v) + 0.5)
	}
	return color.RGBA{channel(16), channel(8), channel(0), 0xff}
}

// heading writes the verdict and the figures.
func (s *sheet) heading() {
	verdict, c := "different", failColor
	switch d := s.diff; {
	case d.Passes() && d.Differing == 0:
		verdict, c = "equal", passColor
	case d.Passes():
		verdict, c = "different, within tolerance", passColor
	}
	s.text(verdict, titleSize, c, margin, margin+titleSize)
	for i, line := range facts(s.diff) {
		s.text(line, textSize, ink, margin, margin+titleHeight+lineHeight*i+textSize)
	}
}

// facts are the lines under the verdict.
func facts(d Diff) []string {
	lines := []string{d.String()}
	if d.Differing > 0 {
		lines = append(lines, fmt.Sprintf("mean channel difference %.3g", d.Mean))
	}
	if t := d.Tolerance; d.Got == d.Want && (t.MaxChannel > 0 || t.MaxPixels > 0 || len(t.Masks) > 0) {
		lines = append(lines, fmt.Sprintf("tolerance: %d in a channel, %s, %s; pixels that differ at all: %d",
			t.MaxChannel, plural(t.MaxPixels, "changed pixel"), plural(len(t.Masks), "mask"), d.Differing))
	}
	return lines
}

// text writes a line whose letters stand on y and returns its width.
func (s *sheet) text(line string, size float64, c hex, x, y int) int {
	face, err := opentype.NewFace(s.font, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(fmt.Sprintf("golden: no face of the built-in font: %v", err))
	}
	s.dc.SetFontFace(face)
	s.dc.SetColor(c)
	s.dc.DrawString(line, float64(x), float64(y))
	width, _ := s.dc.MeasureString(line)
	return int(width)
}

// label writes a line above each column of a view.
func (s *sheet) label(v view, lines ...string) {
	for column, line := range lines {
		p := s.corner(v, column)
		s.text(line, textSize, ink, p.X, p.Y-14)
	}
}

// extent is the bounds of m counted from its top left pixel.
func extent(m image.Image) image.Rectangle {
	return image.Rectangle{Max: m.Bounds().Size()}
}

func dimensions(m image.Image) string {
	return fmt.Sprintf("%d x %d", m.Bounds().Dx(), m.Bounds().Dy())
}

// image draws the region of m that v shows, over a checkerboard, with a thin rim.
func (s *sheet) image(v view, column int, m image.Image) {
	region := v.region.Intersect(extent(m))
	on := v.cells(region).Add(s.corner(v, column))
	draw.Draw(s.canvas, on.Inset(-1), image.NewUniform(rimColor), image.Point{}, draw.Src)
	for y := on.Min.Y; y < on.Max.Y; y++ {
		for x := on.Min.X; x < on.Max.X; x++ {
			c := lightTile
			if ((x-on.Min.X)/checkerTile+(y-on.Min.Y)/checkerTile)%2 != 0 {
				c = darkTile
			}
			s.canvas.Set(x, y, c)
		}
	}
	var scaler draw.Scaler = draw.NearestNeighbor
	if v.scale.num < v.scale.den {
		scaler = draw.BiLinear // widens when it reduces, so every pixel counts
	}
	scaler.Scale(s.canvas, on, m, region.Add(m.Bounds().Min), draw.Over, nil)
}

// peaksOf returns the largest difference in a channel of each pixel.
func peaksOf(got, want image.Image, masks []image.Rectangle) *image.Gray {
	m := image.NewGray(extent(got))
	parallel(m.Rect.Dy(), func(y int) {
		newComparer(got, want, masks).row(y, func(x, peak int, _ uint64) {
			m.Pix[m.PixOffset(x, y)] = uint8(peak)
		})
	})
	return m
}

// triptych draws want, got and the changes in a view.
func (s *sheet) triptych(v view, peaks *image.Gray) {
	s.image(v, 0, s.want)
	s.image(v, 1, s.got)
	s.image(v, 2, s.want)
	corner := s.corner(v, 2)
	on := v.cells(v.region).Add(corner)
	s.fade(on)
	for _, r := range s.diff.Tolerance.Masks {
		s.hatch(v.cells(r).Add(corner), on.Min)
	}
	boxes := 0
	for _, c := range s.diff.Clusters {
		if r := v.cells(c.Bounds); !r.Empty() && boxes < maxBoxes {
			s.frame(atLeast(r.Add(corner).Inset(-2), minBox), boxColor)
			boxes++
		}
	}
	s.glow(v, peaks, corner)
}

// fade turns r into dark greys.
func (s *sheet) fade(r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := 24 + color.GrayModel.Convert(s.canvas.RGBAAt(x, y)).(color.Gray).Y/4
			s.canvas.SetRGBA(x, y, color.RGBA{v, v, v, 0xff})
		}
	}
}

// hatch draws diagonal lines over r that run on from one rectangle to the next.
func (s *sheet) hatch(r image.Rectangle, origin image.Point) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if (x-origin.X+y-origin.Y)%8 < 2 {
				s.canvas.Set(x, y, maskColor)
			}
		}
	}
}

// glow draws the differing pixels of a view; where several share a pixel of the picture, the one
// with the largest difference.
func (s *sheet) glow(v view, peaks *image.Gray, corner image.Point) {
	most := image.NewGray(image.Rectangle{Max: v.size()})
	for y := v.region.Min.Y; y < v.region.Max.Y; y++ {
		for x := v.region.Min.X; x < v.region.Max.X; x++ {
			if peak := peaks.GrayAt(x, y).Y; peak > 0 {
				raise(most, v.cells(image.Rect(x, y, x+1, y+1)), peak)
			}
		}
	}
	for y := range most.Rect.Max.Y {
		for x := range most.Rect.Max.X {
			switch peak := int(most.GrayAt(x, y).Y); {
			case peak > s.diff.Tolerance.MaxChannel:
				s.canvas.SetRGBA(corner.X+x, corner.Y+y, glow(peak))
			case peak > 0:
				s.canvas.Set(corner.X+x, corner.Y+y, mildColor)
			}
		}
	}
}

func raise(m *image.Gray, r image.Rectangle, to uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i := m.PixOffset(x, y)
			m.Pix[i] = max(m.Pix[i], to)
		}
	}
}

// frame draws a line around r, dark at its sides so that it shows on any ground.
func (s *sheet) frame(r image.Rectangle, c hex) {
	for _, stroke := range []struct {
		color color.Color
		width float64
	}{{color.NRGBA{A: 0xa0}, 4}, {c, 2}} {
		s.dc.SetColor(stroke.color)
		s.dc.SetLineWidth(stroke.width)
		s.dc.DrawRectangle(float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy()))
		s.dc.Stroke()
	}
}

// atLeast grows r on all sides until it is n wide and high.
func atLeast(r image.Rectangle, n int) image.Rectangle {
	dx, dy := max(0, n-r.Dx()), max(0, n-r.Dy())
	return image.Rect(r.Min.X-dx/2, r.Min.Y-dy/2, r.Max.X+(dx+1)/2, r.Max.Y+(dy+1)/2)
}

// frameInset marks in all columns what the inset shows.
func (s *sheet) frameInset() {
	on := s.panels.cells(s.inset.region)
	for column := range 3 {
		s.frame(atLeast(on.Add(s.corner(s.panels, column)), minFrame), insetColor)
	}
}

// sizes draws images of different sizes, with both outlines in the third column.
func (s *sheet) sizes() {
	s.label(s.panels, "want "+dimensions(s.want), "got "+dimensions(s.got), "both sizes"+s.panels.scale.suffix())
	s.image(s.panels, 0, s.want)
	s.image(s.panels, 1, s.got)
	s.image(s.panels, 2, s.want)
	corner := s.corner(s.panels, 2)
	want, got := s.panels.cells(extent(s.want)).Add(corner), s.panels.cells(extent(s.got)).Add(corner)
	s.fade(want)
	s.frame(want, wantColor)
	s.frame(got, gotColor)
	s.legend(s.frameItem("want", wantColor), s.frameItem("got", gotColor))
}

// An item explains a mark in the legend: it paints a sample and says what it means.
type item struct {
	text  string
	width int
	paint func(r image.Rectangle)
}

const (
	itemWidth  = 28
	itemHeight = 16
)

func (s *sheet) frameItem(text string, c hex) item {
	return item{text, itemWidth, func(r image.Rectangle) { s.frame(r.Inset(4), c) }}
}

// changeItems explains what the third column shows.
func (s *sheet) changeItems() []item {
	var items []item
	d := s.diff
	if d.Changed > 0 {
		items = append(items, item{"difference 1 to 255", 128, func(r image.Rectangle) {
			for x := range r.Dx() {
				column := image.Rect(r.Min.X+x, r.Min.Y, r.Min.X+x+1, r.Max.Y)
				draw.Draw(s.canvas, column, image.NewUniform(glow(1+2*x)), image.Point{}, draw.Src)
			}
		}})
	}
	if d.Differing > d.Changed {
		items = append(items, item{"within tolerance", itemWidth, func(r image.Rectangle) {
			draw.Draw(s.canvas, r, image.NewUniform(mildColor), image.Point{}, draw.Src)
		}})
	}
	if len(d.Tolerance.Masks) > 0 {
		items = append(items, item{"masked", itemWidth, func(r image.Rectangle) { s.hatch(r, r.Min) }})
	}
	switch n := len(d.Clusters); {
	case n > maxBoxes:
		items = append(items, s.frameItem(fmt.Sprintf("largest %d clusters of %d", maxBoxes, n), boxColor))
	case n > 0:
		items = append(items, s.frameItem("cluster", boxColor))
	}
	return items
}

// legend draws the items at the bottom.
func (s *sheet) legend(items ...item) {
	x, y := margin, s.canvas.Rect.Max.Y-margin-itemHeight
	for _, it := range items {
		r := image.Rect(x, y, x+it.width, y+itemHeight)
		draw.Draw(s.canvas, r, image.NewUniform(hex(0x303030)), image.Point{}, draw.Src)
		it.paint(r)
		x = r.Max.X + 8
		x += s.text(it.text, textSize, ink, x, y+itemHeight-3) + 24
	}
}
