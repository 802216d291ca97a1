package golden

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"sync"

	"pillbox/internal/parallel"
)

// PixelsPerDegree is the number of pixels that [CompareFLIP] assumes per degree of the visual field. It
// describes a screen 3840 pixels and 0.7 m wide, seen from 0.7 m: 67.02, the default of the reference
// implementation.
const PixelsPerDegree = 0.7 * (3840 / 0.7) * math.Pi / 180

// FLIP measures how visible the difference between two images is to a person who flips between them: 0 is
// invisible, 1 is the maximum.
type FLIP struct {
	Mean float64 // over all pixels
	P99  float64 // 99th percentile by nearest rank: the least value that 99 % of the pixels do not exceed
	Max  float64 // of any pixel
}

// MaxFLIPPixels is the largest number of pixels whose errors [CompareFLIP] and [MapFLIP] compute: those in blocks of 64 x
// 64 pixels that differ, or with a difference close by. A picture of 3840 x 2160 pixels may differ everywhere. This takes
// about a quarter of a minute of processor time.
const MaxFLIPPixels = 1 << 23

// ErrFLIPTooLarge is the error of [CompareFLIP] and [MapFLIP] for more than [MaxFLIPPixels] pixels.
var ErrFLIPTooLarge = errors.New("golden: the images differ in too many pixels for FLIP")

// CompareFLIP returns the LDR-FLIP error of got against want, at [PixelsPerDegree]. Pixels under masks are treated as
// equal. Exchanging got and want does not change the result. It is 0 if all pixels are equal. CompareFLIP returns an
// error if an image is nil, if the sizes differ, or if there are more than [MaxFLIPPixels] pixels to compute.
//
// FLIP is defined for opaque images, so images with alpha are first composited over mid-gray (sRGB 128 of 255)
// in linear light. Use the result to inform people, not to pass or fail a test: its last digits may differ
// between processor architectures.
//
// Source: Andersson, Nilsson, Akenine-Moeller, Oskarsson, Astrom, Fairchild, "FLIP: A Difference Evaluator for
// Alternating Images", Proc. ACM Comput. Graph. Interact. Tech. 3(2), 2020.
func CompareFLIP(got, want image.Image, masks ...image.Rectangle) (FLIP, error) {
	return CompareFLIPContext(context.Background(), got, want, masks...)
}

// CompareFLIPContext is [CompareFLIP], but if ctx ends first, it returns the cause of ctx.
func CompareFLIPContext(ctx context.Context, got, want image.Image, masks ...image.Rectangle) (FLIP, error) {
	return measureFLIP(ctx, got, want, masks, MaxFLIPPixels, nil)
}

// MapFLIP returns the result of [CompareFLIP], and the error of each pixel as an image, from black (0) to white
// (1).
func MapFLIP(got, want image.Image, masks ...image.Rectangle) (FLIP, *image.Gray16, error) {
	var picture *image.Gray16
	flip, err := measureFLIP(context.Background(), got, want, masks, MaxFLIPPixels, func(tile image.Rectangle, values plane) {
		if picture == nil {
			picture = image.NewGray16(extent(want))
		}
		for k, v := range values {
			level := uint16(math.Round(min(v, 1) * math.MaxUint16))
			picture.SetGray16(tile.Min.X+k%tile.Dx(), tile.Min.Y+k/tile.Dx(), color.Gray16{Y: level})
		}
	})
	if err == nil && picture == nil {
		picture = image.NewGray16(extent(want))
	}
	return flip, picture, err
}

// measureFLIP computes the errors of at most the given number of pixels. If show is set, measureFLIP calls it with the errors
// of each tile that may differ from 0. In memory it has a band of the images and the largest 1 % of the errors.
func measureFLIP(ctx context.Context, got, want image.Image, masks []image.Rectangle, most int, show func(tile image.Rectangle, values plane)) (FLIP, error) {
	if err := checkImages(got, want); err != nil {
		return FLIP{}, err
	}
	if g, w := got.Bounds().Size(), want.Bounds().Size(); g != w {
		return FLIP{}, fmt.Errorf("golden: FLIP needs images of one size, want %v, got %v", w, g)
	}
	// Where no pixel within reach of the filters differs, the error is exactly 0. So only tiles near a difference are
	// computed.
	b := bands{got: got, want: want, masks: masks, deep: isDeep(got) || isDeep(want)}
	b.each(func(_, _ pixels, tiles []image.Rectangle) {
		for _, tile := range tiles {
			most -= tile.Dx() * tile.Dy()
		}
	})
	if most < 0 {
		return FLIP{}, ErrFLIPTooLarge
	}
	size := extent(want).Size()
	all := newErrorPool(size.X * size.Y)
	f := newFlipFilters()
	b.each(func(g, w pixels, tiles []image.Rectangle) {
		values := make([]plane, len(tiles))
		parallel.For(len(tiles), func(i int) {
			if ctx.Err() == nil {
				values[i] = f.errors(g, w, tiles[i])
			}
		})
		for i, tile := range tiles {
			all.addErrors(values[i])
			if show != nil {
				show(tile, values[i])
			}
		}
	})
	if ctx.Err() != nil {
		return FLIP{}, context.Cause(ctx)
	}
	return all.figures(), nil
}

// bands divides two images of one size into bands of tiles.
type bands struct {
	got, want image.Image
	masks     []image.Rectangle
	deep      bool
}

// bandTiles is the least number of tiles of a band, unless the image has fewer. They are computed at the same time.
const bandTiles = 256

// each calls the function f with those tiles of each band whose errors may differ from 0, and with the pixels around them,
// which are valid until f returns.
func (b *bands) each(f func(g, w pixels, tiles []image.Rectangle)) {
	size := extent(b.want).Size()
	across := (size.X + tileSize - 1) / tileSize
	rows := tileSize * max(1, bandTiles/max(1, across))
	var memory [2][]uint8 // of the pixels of a band
	for y := 0; y < size.Y; y += rows {
		from, to := max(0, y-reach), min(size.Y, y+rows+reach)
		g, w := readPixels(b.got, b.deep, from, to, memory[0]), readPixels(b.want, b.deep, from, to, memory[1])
		memory = [2][]uint8{g.data, w.data}
		g.copyMasked(w, b.masks)
		if tiles := w.tilesNear(g, y, min(size.Y, y+rows)); len(tiles) > 0 {
			f(g, w, tiles)
		}
	}
}

// An errorPool summarizes the errors of an image of n pixels: those that are added, and 0 for all others. It keeps only the
// largest ones.
type errorPool struct {
	n       int
	sum     float64 // in the order of the tiles, so that it does not depend on the number of goroutines
	most    int     // errors to keep, enough for the percentile
	largest []float64
}

func newErrorPool(n int) *errorPool { return &errorPool{n: n, most: n - (99*n+99)/100 + 1} }

func (p *errorPool) addErrors(values plane) {
	for _, v := range values {
		p.sum += v
	}
	if p.largest = append(p.largest, values...); len(p.largest) > 2*p.most+tileSize*tileSize {
		p.cut()
	}
}

// cut sorts the errors, the largest first, and drops those that are not needed.
func (p *errorPool) cut() {
	slices.SortFunc(p.largest, func(a, b float64) int { return cmp.Compare(b, a) })
	p.largest = p.largest[:min(len(p.largest), p.most)]
}

func (p *errorPool) figures() FLIP {
	if len(p.largest) == 0 {
		return FLIP{}
	}
	p.cut()
	flip := FLIP{Mean: p.sum / float64(p.n), Max: p.largest[0]}
	if len(p.largest) == p.most {
		flip.P99 = p.largest[p.most-1]
	}
	return flip
}

// pixels holds rows of an image in the format that [reader] returns.
type pixels struct {
	size  image.Point // of the whole image
	first int         // the first row that data holds
	deep  bool
	data  []uint8
}

// readPixels reads the rows from <= y < to into the given memory, or into new memory if it is too small.
func readPixels(m image.Image, deep bool, from, to int, memory []uint8) pixels {
	p := pixels{size: m.Bounds().Size(), first: from, deep: deep}
	p.data = slices.Grow(memory[:0], p.size.X*(to-from)*pixelSize(deep))
	r := newReader(m, deep)
	for y := from; y < to; y++ {
		p.data = append(p.data, r.row(y)...)
	}
	return p
}

// rows returns the range of the rows that p holds, over the width of the image.
func (p pixels) rows() image.Rectangle {
	n := len(p.data) / max(1, p.size.X*pixelSize(p.deep))
	return image.Rect(0, p.first, p.size.X, p.first+n)
}

func (p pixels) pixelAt(x, y int) []uint8 {
	size := pixelSize(p.deep)
	return p.data[((y-p.first)*p.size.X+x)*size:][:size]
}

// copyMasked replaces the pixels under the masks by those of q.
func (p pixels) copyMasked(q pixels, masks []image.Rectangle) {
	for _, r := range masks {
		r = r.Intersect(p.rows())
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				copy(p.pixelAt(x, y), q.pixelAt(x, y))
			}
		}
	}
}

// tileSize is the side length of tiles, in pixels. Large tiles save computation: around each tile, a border
// whose width is the constant reach is computed again for its neighbors. Small tiles fit into the caches.
const tileSize = 64

// tilesNear returns the tiles in the rows from <= y < to whose errors may differ from 0: those with a pixel at most reach
// pixels away, along each axis, from one that differs between p and q.
func (p pixels) tilesNear(q pixels, from, to int) []image.Rectangle {
	var tiles []image.Rectangle
	for y := from; y < to; y += tileSize {
		for x := 0; x < p.size.X; x += tileSize {
			tile := image.Rect(x, y, x+tileSize, y+tileSize)
			if !p.equal(q, tile.Inset(-reach).Intersect(p.rows())) {
				tiles = append(tiles, tile.Intersect(image.Rect(0, from, p.size.X, to)))
			}
		}
	}
	return tiles
}

func (p pixels) equal(q pixels, r image.Rectangle) bool {
	size := pixelSize(p.deep)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i, n := ((y-p.first)*p.size.X+r.Min.X)*size, r.Dx()*size
		if !slices.Equal(p.data[i:i+n], q.data[i:i+n]) {
			return false
		}
	}
	return true
}

// A plane is one quantity over a rectangle of pixels, in row-major order.
type plane []float64

// reach is the radius of all filters in pixels. It is the radius of the widest filter, blue-yellow, cut off at
// three standard deviations as in the reference implementation: ceil(3 * sqrt(0.04 / (2 pi^2)) * ppd).
const reach = 10

// A filter is a separable filter: it filters one plane, first horizontally and then vertically, and adds the result to
// another plane. A filter of the paper that is not separable is a sum of several of these.
type filter struct {
	in, out    int       // indices of the planes
	horizontal []float64 // 2 reach + 1 weights
	vertical   []float64
}

// The inputs of the filters: the channels of the opponent color space YCxCz, which is linear in light.
const (
	luminance = iota
	redGreen
	blueYellow
	inputs
)

// The outputs of the filters: the three input channels blurred as the eye blurs them from afar, and the
// responses of edge and point detectors to luminance.
const (
	edgeX = inputs + iota
	edgeY
	pointX
	pointY
	outputs
)

// flipFilters holds the filters and tables for computing the error. It is safe for concurrent use.
type flipFilters struct {
	filters  []filter
	linear   [256]float64 // sRGB to linear light
	farthest float64      // the largest color difference: green against blue
	scratch  sync.Pool    // of *[2]sight
}

func newFlipFilters() *flipFilters {
	f := &flipFilters{scratch: sync.Pool{New: func() any { return new([2]sight) }}}
	for v := range f.linear {
		f.linear[v] = linear(float64(v) / 255)
	}
	f.farthest = colorDistance(huntLab(rgb{0, 1, 0}), huntLab(rgb{0, 0, 1}))

	// Contrast sensitivity: a sum of two Gaussians for blue-yellow, one Gaussian for the others. The sum is not
	// separable, but each of its terms is.
	a, rg := contrast(1, 0.0047), contrast(1, 0.0053)
	by1, by2 := contrast(34.1, 0.04), contrast(13.5, 0.025)
	normalize(a)
	normalize(rg)
	normalize(by1, by2)

	// Detectors: derivatives of a Gaussian, whose width models how human vision detects edges.
	gauss, edge, point := detectors()
	f.filters = []filter{
		{luminance, luminance, a, a},
		{redGreen, redGreen, rg, rg},
		{blueYellow, blueYellow, by1, by1},
		{blueYellow, blueYellow, by2, by2},
		{luminance, edgeX, edge, gauss},
		{luminance, edgeY, gauss, edge},
		{luminance, pointX, point, gauss},
		{luminance, pointY, gauss, point},
	}
	return f
}

// contrast returns one axis of the separable kernel a * sqrt(pi/b) * exp(-pi^2 d^2 / b), d being the distance
// in degrees.
func contrast(a, b float64) []float64 {
	k := make([]float64, 2*reach+1)
	for i := range k {
		d := float64(i-reach) / PixelsPerDegree
		k[i] = math.Sqrt(a*math.Sqrt(math.Pi/b)) * math.Exp(-math.Pi*math.Pi*d*d/b)
	}
	return k
}

// normalize scales the terms so that the weights of their two-dimensional sum add up to 1.
func normalize(terms ...[]float64) {
	var total float64
	for _, k := range terms {
		s := sum(k)
		total += s * s
	}
	for _, k := range terms {
		scale(k, 1/math.Sqrt(total))
	}
}

// detectors returns a Gaussian and its first two derivatives along one axis. The weights of the Gaussian add up to 1.
// In each derivative, the positive weights add up to 1/lumaRange and the negative ones to -1/lumaRange. The paper
// instead maps luminance, which ranges from -16 to 100, to [0, 1] before it applies the derivatives. The effect is the
// same, because the weights of a derivative add up to 0.
func detectors() (gauss, edge, point []float64) {
	const sd = 0.5 * 0.082 * PixelsPerDegree
	radius := int(math.Ceil(3 * sd))
	gauss, edge, point = make([]float64, 2*reach+1), make([]float64, 2*reach+1), make([]float64, 2*reach+1)
	for i := -radius; i <= radius; i++ {
		x := float64(i)
		g := math.Exp(-x * x / (2 * sd * sd))
		gauss[i+reach], edge[i+reach], point[i+reach] = g, -x*g, (x*x/(sd*sd)-1)*g
	}
	scale(gauss, 1/sum(gauss))
	balance(edge)
	balance(point)
	return gauss, edge, point
}

func balance(k []float64) {
	var positive, negative float64
	for _, v := range k {
		positive += math.Max(v, 0)
		negative += math.Max(-v, 0)
	}
	for i, v := range k {
		if v > 0 {
			k[i] = v / positive / lumaRange
		} else {
			k[i] = v / negative / lumaRange
		}
	}
}

func sum(k []float64) float64 {
	var s float64
	for _, v := range k {
		s += v
	}
	return s
}

func scale(k []float64, by float64) {
	for i := range k {
		k[i] *= by
	}
}

// errors returns the error of each pixel of a tile.
func (f *flipFilters) errors(got, want pixels, tile image.Rectangle) plane {
	s := f.scratch.Get().(*[2]sight)
	defer f.scratch.Put(s)
	g, w := f.see(got, tile, &s[0]), f.see(want, tile, &s[1])
	all := make(plane, len(g[0]))
	for i := range all {
		dc := f.colorError(g.color(i), w.color(i))
		df := featureError(g, w, i)
		all[i] = math.Pow(dc, 1-df)
	}
	return all
}

// filtered holds the outputs of the filters for a tile.
type filtered [outputs]plane

// sight is the memory for filtering a tile.
type sight struct {
	in     [inputs]plane
	across plane
	out    filtered
}

// zeros returns n zeros, in the memory of p if it is large enough.
func zeros(p plane, n int) plane {
	p = slices.Grow(p[:0], n)[:n]
	clear(p)
	return p
}

// see filters a tile. The result is valid until s is used again.
func (f *flipFilters) see(p pixels, tile image.Rectangle, s *sight) *filtered {
	f.load(p, tile.Inset(-reach), &s.in)
	in := &s.in
	width, height := tile.Dx(), tile.Dy()
	for i := range s.out {
		s.out[i] = zeros(s.out[i], width*height)
	}
	s.across = zeros(s.across, width*(height+2*reach))
	across := s.across
	for _, k := range f.filters {
		clear(across)
		for y := range height + 2*reach {
			src := in[k.in][y*(width+2*reach):]
			for i, weight := range k.horizontal {
				addScaled(across[y*width:][:width], src[i:], weight)
			}
		}
		for y := range height {
			for i, weight := range k.vertical {
				addScaled(s.out[k.out][y*width:][:width], across[(y+i)*width:], weight)
			}
		}
	}
	return &s.out
}

// addScaled adds weight * src to dst.
func addScaled(dst, src plane, weight float64) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] += weight * v
	}
}

// load stores area in YCxCz. Pixels outside the image repeat the nearest pixel of its border.
func (f *flipFilters) load(p pixels, area image.Rectangle, in *[inputs]plane) {
	for i := range in {
		in[i] = in[i][:0]
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := f.light(p.pixelAt(min(max(x, 0), p.size.X-1), min(max(y, 0), p.size.Y-1)), p.deep)
			v := c.xyz().opponent()
			for i := range in {
				in[i] = append(in[i], v[i])
			}
		}
	}
}

// light returns the linear light of a non-premultiplied pixel composited over mid-gray.
func (f *flipFilters) light(p []uint8, deep bool) rgb {
	var c rgb
	var alpha float64
	if deep {
		for i := range c {
			c[i] = linear(float64(binary.BigEndian.Uint16(p[2*i:])) / 65535)
		}
		alpha = float64(binary.BigEndian.Uint16(p[6:])) / 65535
	} else {
		c, alpha = rgb{f.linear[p[0]], f.linear[p[1]], f.linear[p[2]]}, float64(p[3])/255
	}
	for i := range c {
		c[i] = alpha*c[i] + (1-alpha)*f.linear[128]
	}
	return c
}

// color returns the filtered color of pixel i in Hunt-adjusted L*a*b*.
func (s *filtered) color(i int) lab {
	c := opponent{s[luminance][i], s[redGreen][i], s[blueYellow][i]}.xyz().rgb()
	for j, v := range c {
		c[j] = math.Min(math.Max(v, 0), 1)
	}
	return huntLab(c)
}

// colorError maps the distance between two colors to [0, 1]. Distances up to 40 % of the largest possible one
// use the range [0, 0.95], because most distances in practice are small.
func (f *flipFilters) colorError(a, b lab) float64 {
	const pc, pt = 0.4, 0.95
	d := colorDistance(a, b) / f.farthest
	if d < pc {
		return pt / pc * d
	}
	return pt + (d-pc)/(1-pc)*(1-pt)
}

// colorDistance returns the HyAB distance to the power 0.7.
func colorDistance(a, b lab) float64 {
	return math.Pow(math.Abs(a[0]-b[0])+math.Hypot(a[1]-b[1], a[2]-b[2]), 0.7)
}

// featureError returns how much more strongly an edge or a point appears in one image than in the other.
func featureError(a, b *filtered, i int) float64 {
	edge := math.Hypot(a[edgeX][i], a[edgeY][i]) - math.Hypot(b[edgeX][i], b[edgeY][i])
	point := math.Hypot(a[pointX][i], a[pointY][i]) - math.Hypot(b[pointX][i], b[pointY][i])
	return math.Sqrt(math.Max(math.Abs(edge), math.Abs(point)) / math.Sqrt2)
}

// Color spaces: linear sRGB, CIE XYZ relative to white (so white is 1, 1, 1), YCxCz, and L*a*b*.
type (
	rgb      [3]float64
	xyz      [3]float64
	opponent [3]float64
	lab      [3]float64
)

// lumaRange is the factor of luminance in the Y of YCxCz, and of the curve's value in L*. It is also the width of the
// range of Y, which is -16 to 100.
const lumaRange = 116

func linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// xyz converts linear sRGB to CIE XYZ relative to white. Source of the primaries: image-engineering.de,
// "How to convert between sRGB and CIEXYZ", D65.
func (c rgb) xyz() xyz {
	r, g, b := c[0], c[1], c[2]
	return xyz{
		(10135552*r + 8788810*g + 4435075*b) / 23359437,
		(2613072*r + 8788810*g + 887015*b) / 12288897,
		(1425312*r + 8788810*g + 70074185*b) / 80288307,
	}
}

// rgb is the inverse of [rgb.xyz].
func (c xyz) rgb() rgb {
	x, y, z := c[0], c[1], c[2]
	return rgb{
		3.080341988280461*x - 1.5373989694887855*y - 0.5429430187916751*z,
		-0.9211783961651236*x + 1.875929983695176*y + 0.04524841246994758*z,
		0.05288129287554325*x - 0.20401120612390997*y + 1.1511299132483668*z,
	}
}

func (c xyz) opponent() opponent {
	return opponent{lumaRange*c[1] - 16, 500 * (c[0] - c[1]), 200 * (c[1] - c[2])}
}

// xyz is the inverse of [xyz.opponent].
func (c opponent) xyz() xyz {
	y := (c[0] + 16) / lumaRange
	return xyz{y + c[1]/500, y, y - c[2]/200}
}

// huntLab returns L*a*b* with a* and b* reduced in dark colors, which look less colorful (Hunt effect).
func huntLab(c rgb) lab {
	v := c.xyz()
	for i := range v {
		v[i] = labCurve(v[i])
	}
	o := v.opponent()
	return lab{o[0], 0.01 * o[0] * o[1], 0.01 * o[0] * o[2]}
}

// labCurve is the function f of CIE 1976 L*a*b*: the cube root of t or, near 0, a linear function.
func labCurve(t float64) float64 {
	const d = 6.0 / 29
	if t > d*d*d {
		return math.Cbrt(t)
	}
	return t/(3*d*d) + 4.0/29
}
