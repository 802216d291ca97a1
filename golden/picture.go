package golden

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
	"pillbox/internal/text"
)

// Lengths in the picture, in its pixels.
const (
	margin      = 20
	columnMin   = 300 // leaves room for the texts
	columnMax   = 600
	panelMax    = 450 // height
	insetMax    = 240 // height
	titleHeight = 34
	lineHeight  = 22
	labelHeight = 32
	titleSize   = 20
	textSize    = 14
)

const (
	maxZoom    = 32 // times a pixel is enlarged at most
	minInset   = 8  // times an inset enlarges at least
	clusterRim = 4  // pixels of context around a cluster in an inset, at least
	maxBoxes   = 50 // more would hide what they frame
	minBox     = 11 // side of a box around a cluster, at least
	minFrame   = 17 // side of the frame around the region of an inset, at least
)

// Picture draws how the image got differs from the image want; d must be the result of [Compare] for these two. Side by
// side, it shows the image want, the image got, and a darkened copy of want. On this copy, changed pixels glow,
// brighter for larger differences, with boxes around the largest clusters. Below are an enlargement of the surroundings
// of the largest difference, and a legend. Small images are enlarged by a whole number. Large ones are reduced, in a
// way that keeps every changed pixel visible. Images of different sizes are drawn at the same scale. Neither image may
// be nil. The picture has at most 1880 x 950 pixels.
func Picture(got, want image.Image, d Diff) image.Image {
	s := newSheet(got, want, d)
	s.heading()
	if got.Bounds().Size() != want.Bounds().Size() {
		s.sizes()
		return s.Image()
	}
	peaks := peaksOf(got, want, d.Tolerance.Masks)
	s.captions(s.panels, "want "+dimensions(want), "got "+dimensions(got), "changes"+s.panels.scale.suffix())
	s.triptych(s.panels, peaks)
	items := s.changeItems()
	if !s.inset.region.Empty() {
		s.captions(s.inset, fmt.Sprintf("around (%d, %d)%s", d.MaxAt.X, d.MaxAt.Y, s.inset.scale.suffix()))
		s.triptych(s.inset, peaks)
		s.frameInset()
		items = append(items, s.frameItem("enlarged below", insetColor))
	}
	s.legend(items...)
	return s.Image()
}

// A sheet is the picture being drawn.
type sheet struct {
	*chart.Drawing
	size   image.Point
	got    image.Image
	want   image.Image
	diff   Diff
	column int  // width of a column
	panels view // the whole images
	inset  view // the enlarged surroundings of the largest difference; empty if the panels already show them as large

	reducer draw.Scaler    // the last one
	reduces [2]image.Point // the sizes of its pictures: to, from
}

// A view shows one region of the images, three times side by side: of the wanted image, of the image that
// the test got, and of their changes. top is the y coordinate of its upper edge in the picture.
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
	s.size = image.Pt(3*s.column+4*margin, bottom+margin+lineHeight+margin)
	s.Drawing = chart.New(float64(s.size.X), float64(s.size.Y), chart.Light())
	return s
}

// insetView returns a view of the cluster with the largest difference or, if the cluster is too large or not listed, of
// the surroundings of the largest difference. The view is empty if nothing changed.
func insetView(d Diff, width int, limit image.Point) view {
	if d.Changed == 0 {
		return view{}
	}
	box := image.Pt(width, insetMax)
	need, zoom := image.Rectangle{d.MaxAt, d.MaxAt}, minInset
	if i := slices.IndexFunc(d.Clusters, func(c Cluster) bool { return c.MaxAt == d.MaxAt }); i >= 0 {
		whole := d.Clusters[i].Bounds.Inset(-clusterRim)
		if whole.Dx() <= box.X/minInset && whole.Dy() <= box.Y/minInset {
			need, zoom = whole, fit(whole.Size(), box).num
		}
	}
	x0, x1 := around(need.Min.X, need.Max.X, box.X/zoom, limit.X)
	y0, y1 := around(need.Min.Y, need.Max.Y, box.Y/zoom, limit.Y)
	return view{region: image.Rect(x0, y0, x1, y1), scale: ratio{zoom, 1}}
}

// around returns an interval of length n centered on [a, b), moved and, if necessary, shortened to lie within
// [0, limit).
func around(a, b, n, limit int) (int, int) {
	n = min(n, limit)
	start := min(max((a+b-n)/2, 0), limit-n)
	return start, start + n
}

// A ratio is a scale: num pixels of the picture show den pixels of the image.
type ratio struct{ num, den int }

// fit returns the largest ratio at which an image of the given size fits into box. To enlarge, it uses only
// whole numbers up to maxZoom.
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

// suffix returns the scale as text for the end of a label.
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

// size returns the size of the view in the picture. A view that is not empty is at least one pixel wide and
// high.
func (v view) size() image.Point {
	return v.cells(v.region).Size()
}

// cells returns the pixels of the picture that show the image region r, relative to the corner of the view. A
// region that is not empty gets at least one pixel.
func (v view) cells(r image.Rectangle) image.Rectangle {
	r = r.Intersect(v.region).Sub(v.region.Min)
	down := func(n int) int { return n * v.scale.num / v.scale.den }
	up := func(n int) int { return (n*v.scale.num + v.scale.den - 1) / v.scale.den }
	if r.Empty() {
		return image.Rectangle{}
	}
	return image.Rect(down(r.Min.X), down(r.Min.Y), up(r.Max.X), up(r.Max.Y))
}

// corner returns the top left corner of a view in a column.
func (s *sheet) corner(v view, column int) image.Point {
	return image.Pt(margin+column*(s.column+margin), v.top)
}

// Colors of the picture.
const (
	passColor  chart.Hex = 0x1a7f37
	failColor  chart.Hex = 0xb42318
	wantColor  chart.Hex = 0x4fb3ff
	gotColor   chart.Hex = 0xff9a2e
	boxColor   chart.Hex = 0x35d0ff
	insetColor chart.Hex = 0xffffff
	mildColor  chart.Hex = 0x4a90d9
	maskColor  chart.Hex = 0x9a9a9a
	itemGround chart.Hex = 0x303030
)

// heading writes the verdict and, below it, the numbers of the comparison.
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
		s.text(line, textSize, s.Ink, margin, margin+titleHeight+lineHeight*i+textSize)
	}
}

// facts returns the lines of text under the verdict.
func facts(d Diff) []string {
	lines := []string{d.String()}
	if d.Differing > 0 {
		lines = append(lines, fmt.Sprintf("mean channel difference %.3g", d.Mean))
	}
	if t := d.Tolerance; d.Got == d.Want && (t.MaxChannel > 0 || t.MaxPixels > 0 || len(t.Masks) > 0) {
		lines = append(lines, fmt.Sprintf("tolerance: %d in a channel, %s, %s; pixels that differ at all: %d",
			t.MaxChannel, text.Count(t.MaxPixels, "changed pixel"), text.Count(len(t.Masks), "mask"), d.Differing))
	}
	return lines
}

// text writes a line with its baseline at y and returns its width.
func (s *sheet) text(line string, size float64, c chart.Hex, x, y int) int {
	return int(s.Text(line, geom2.Point{X: float64(x), Y: float64(y)}, chart.Regular(size), c))
}

// captions writes a line above each column of a view.
func (s *sheet) captions(v view, lines ...string) {
	for column, line := range lines {
		p := s.corner(v, column)
		s.text(line, textSize, s.Ink, p.X, p.Y-14)
	}
}

// extent returns the bounds of m, moved to start at (0, 0).
func extent(m image.Image) image.Rectangle {
	return image.Rectangle{Max: m.Bounds().Size()}
}

func dimensions(m image.Image) string {
	return fmt.Sprintf("%d x %d", m.Bounds().Dx(), m.Bounds().Dy())
}

// panel returns the region of the image m that the view shows, in front of a checkerboard.
func (s *sheet) panel(v view, m image.Image) *image.RGBA {
	region := v.region.Intersect(extent(m))
	scaled := image.NewRGBA(image.Rectangle{Max: v.cells(region).Size()})
	s.scaler(v, scaled.Rect.Size(), region.Size()).Scale(scaled, scaled.Rect, m, region.Add(m.Bounds().Min), draw.Src, nil)
	return chart.OnCheckerboard(scaled)
}

// scaler returns a scaler for pictures of a view. One that reduces is used for all pictures of the same size, because it
// keeps its memory, which may be larger than a picture.
func (s *sheet) scaler(v view, to, from image.Point) draw.Scaler {
	if v.scale.num >= v.scale.den {
		return draw.NearestNeighbor
	}
	if s.reducer == nil || s.reduces != [2]image.Point{to, from} {
		s.reducer = draw.BiLinear.NewScaler(to.X, to.Y, from.X, from.Y) // its kernel widens, so every pixel counts
		s.reduces = [2]image.Point{to, from}
	}
	return s.reducer
}

// copied returns a copy of a panel. To scale it again would take more time and memory.
func copied(m *image.RGBA) *image.RGBA {
	return &image.RGBA{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
}

// triptych draws a view of three pictures side by side: the image want, the image got, and the changes.
func (s *sheet) triptych(v view, peaks *image.Gray) {
	want := s.panel(v, s.want)
	s.Picture(want, s.corner(v, 0))
	s.Picture(s.panel(v, s.got), s.corner(v, 1))
	faded, corner := copied(want), s.corner(v, 2)
	fade(faded)
	for _, r := range s.diff.Tolerance.Masks {
		hatch(faded, v.cells(r))
	}
	s.Picture(faded, corner)
	boxes := 0
	for _, c := range s.diff.Clusters {
		if r := v.cells(c.Bounds); !r.Empty() && boxes < maxBoxes {
			s.frame(atLeast(r.Add(corner).Inset(-2), minBox), boxColor)
			boxes++
		}
	}
	// Draw the changed pixels last, so that the boxes do not hide any.
	s.Overlay(v.glowing(peaks, s.diff.Tolerance.MaxChannel), corner)
}

// frame draws a line around r. The line has dark edges, so that it is visible on any background.
func (s *sheet) frame(r image.Rectangle, c chart.Hex) {
	b := boxOf(r)
	s.EdgeBox(b, chart.Solid(color.NRGBA{A: 0xa0}, 4))
	s.EdgeBox(b, chart.Solid(c, 2))
}

func boxOf(r image.Rectangle) geom2.Box {
	return geom2.Rect(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y))
}

// atLeast grows r on all sides until it is n wide and high.
func atLeast(r image.Rectangle, n int) image.Rectangle {
	dx, dy := max(0, n-r.Dx()), max(0, n-r.Dy())
	return image.Rect(r.Min.X-dx/2, r.Min.Y-dy/2, r.Max.X+(dx+1)/2, r.Max.Y+(dy+1)/2)
}

// frameInset marks the region of the inset in all columns.
func (s *sheet) frameInset() {
	on := s.panels.cells(s.inset.region)
	for column := range 3 {
		s.frame(atLeast(on.Add(s.corner(s.panels, column)), minFrame), insetColor)
	}
}

// sizes draws the three columns for two images of different sizes: the wanted image, the image that the test
// got, and the outlines of both.
func (s *sheet) sizes() {
	s.captions(s.panels, "want "+dimensions(s.want), "got "+dimensions(s.got), "both sizes"+s.panels.scale.suffix())
	want := s.panel(s.panels, s.want)
	faded := copied(want)
	fade(faded)
	for column, m := range []image.Image{want, s.panel(s.panels, s.got), faded} {
		s.Picture(m, s.corner(s.panels, column))
	}
	corner := s.corner(s.panels, 2)
	s.frame(s.panels.cells(extent(s.want)).Add(corner), wantColor)
	s.frame(s.panels.cells(extent(s.got)).Add(corner), gotColor)
	s.legend(s.frameItem("want", wantColor), s.frameItem("got", gotColor))
}

// An item explains a mark in the legend: it paints a sample and describes what it means.
type item struct {
	text  string
	width int
	paint func(r image.Rectangle)
}

const (
	itemWidth  = 28
	itemHeight = 16
)

func (s *sheet) frameItem(text string, c chart.Hex) item {
	return item{text, itemWidth, func(r image.Rectangle) { s.frame(r.Inset(4), c) }}
}

// changeItems explains what the third column shows.
func (s *sheet) changeItems() []item {
	var items []item
	d := s.diff
	if d.Changed > 0 {
		items = append(items, item{"difference 1 to 255", 128, func(r image.Rectangle) {
			scale := image.NewRGBA(image.Rectangle{Max: r.Size()})
			for x := range r.Dx() {
				column := image.Rect(x, 0, x+1, r.Dy())
				draw.Draw(scale, column, image.NewUniform(glow(1+2*x)), image.Point{}, draw.Src)
			}
			s.Overlay(scale, r.Min)
		}})
	}
	if d.Differing > d.Changed {
		items = append(items, item{"within tolerance", itemWidth, func(r image.Rectangle) { s.FillBox(boxOf(r), mildColor) }})
	}
	if len(d.Tolerance.Masks) > 0 {
		items = append(items, item{"masked", itemWidth, func(r image.Rectangle) {
			hatched := image.NewRGBA(image.Rectangle{Max: r.Size()})
			hatch(hatched, hatched.Rect)
			s.Overlay(hatched, r.Min)
		}})
	}
	switch n := len(d.Clusters) + d.More; {
	case n > maxBoxes:
		items = append(items, s.frameItem(fmt.Sprintf("largest %d clusters of %d", maxBoxes, n), boxColor))
	case n > 0:
		items = append(items, s.frameItem("cluster", boxColor))
	}
	return items
}

// legend draws the items at the bottom.
func (s *sheet) legend(items ...item) {
	x, y := margin, s.size.Y-margin-itemHeight
	for _, it := range items {
		r := image.Rect(x, y, x+it.width, y+itemHeight)
		s.FillBox(boxOf(r), itemGround)
		it.paint(r)
		x = r.Max.X + 8
		x += s.text(it.text, textSize, s.Ink, x, y+itemHeight-3) + 24
	}
}
