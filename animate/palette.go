package animate

import (
	"cmp"
	"image"
	"slices"
)

// clearIndex is the palette index of transparent pixels.
const clearIndex = 255

// Palette holds up to 255 colors and a transparent one. It must not be used concurrently.
type Palette struct {
	colors [256][3]uint8
	used   int
	near   []uint16 // by key: 1 + the index of the nearest color, or 0 if not computed yet
}

const keyBits = 6

func key(r, g, b int) int {
	const drop = 8 - keyBits
	return r>>drop<<(2*keyBits) | g>>drop<<keyBits | b>>drop
}

// Histogram counts the colors of pictures. Its memory does not grow with the number or size of the
// pictures.
type Histogram struct {
	boxes map[int]*cell
}

// A cell holds the number of pixels whose colors have the same key, and the sum of these colors. A key is the
// highest keyBits bits of each channel.
type cell struct {
	n   int
	sum [3]int
}

// mean returns the average color.
func (c *cell) mean(channel int) int { return c.sum[channel] / c.n }

// Add counts those pixels of a picture that have an alpha of at least 128.
func (h *Histogram) Add(img *image.NRGBA) {
	if h.boxes == nil {
		h.boxes = make(map[int]*cell)
	}
	for y := range img.Rect.Dy() {
		for p := row(img, y); len(p) > 0; p = p[4:] {
			if p[3] < 128 {
				continue
			}
			r, g, b := over(p)
			k := key(r, g, b)
			c := h.boxes[k]
			if c == nil {
				c = new(cell)
				h.boxes[k] = c
			}
			c.n++
			c.sum[0], c.sum[1], c.sum[2] = c.sum[0]+r, c.sum[1]+g, c.sum[2]+b
		}
	}
}

// Palette chooses colors by median cut. It begins with one group of all colors. It repeatedly takes the
// group whose colors differ most, also considering its number of pixels, and splits it into two, if
// possible with about equal numbers of pixels. Each final group contributes its average color. Source:
// Heckbert, "Color image quantization for frame buffer display", SIGGRAPH 1982.
func (h *Histogram) Palette() *Palette {
	keys := make([]int, 0, len(h.boxes))
	for k := range h.boxes {
		keys = append(keys, k)
	}
	slices.Sort(keys) // the result must not depend on the order of the map
	all := make([]*cell, len(keys))
	for i, k := range keys {
		all[i] = h.boxes[k]
	}
	groups := [][]*cell{all}
	for len(groups) < clearIndex {
		widest, most := -1, 0
		for i, g := range groups {
			if _, spread := widestChannel(g); len(g) > 1 && spread > most {
				widest, most = i, spread
			}
		}
		if widest < 0 {
			break
		}
		a, b := split(groups[widest])
		groups[widest] = a
		groups = append(groups, b)
	}
	p := &Palette{near: make([]uint16, 1<<(3*keyBits))}
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		var total cell
		for _, c := range g {
			total.n += c.n
			for i := range c.sum {
				total.sum[i] += c.sum[i]
			}
		}
		p.colors[p.used] = [3]uint8{uint8(total.mean(0)), uint8(total.mean(1)), uint8(total.mean(2))}
		p.used++
	}
	p.used = max(1, p.used) // one color, black, if all pixels are transparent
	return p
}

// widestChannel returns the channel in which the colors of a group differ most, and the group's spread. The
// spread is the range of the values in this channel times the square root, roughly, of the number of pixels
// in the group.
func widestChannel(g []*cell) (channel, spread int) {
	n := 0
	for _, c := range g {
		n += c.n
	}
	for i := range 3 {
		low, high := 255, 0
		for _, c := range g {
			low, high = min(low, c.mean(i)), max(high, c.mean(i))
		}
		weight := 1
		for m := n; m > 1; m /= 4 { // roughly the square root of n, so that small solids get colors as well
			weight *= 2
		}
		if s := (high - low) * weight; high > low && s > spread {
			channel, spread = i, s
		}
	}
	return channel, spread
}

// split sorts the cells of g by the channel in which their colors differ most, and divides g into two
// parts. The parts have about equal numbers of pixels if possible. g must have at least two cells.
func split(g []*cell) (a, b []*cell) {
	channel, _ := widestChannel(g)
	slices.SortStableFunc(g, func(x, y *cell) int { return cmp.Compare(x.mean(channel), y.mean(channel)) })
	total, sum := 0, 0
	for _, c := range g {
		total += c.n
	}
	for i, c := range g[:len(g)-1] {
		if sum += c.n; 2*sum >= total {
			return g[: i+1 : i+1], g[i+1:]
		}
	}
	return g[: len(g)-1 : len(g)-1], g[len(g)-1:]
}

// nearest returns the index of a palette color near r, g, b. All colors with the same key (the highest bits
// of each channel) get the same result: the palette color nearest to the middle of these colors. Of several
// equally near palette colors, nearest returns the first.
func (p *Palette) nearest(r, g, b int) uint8 {
	k := key(r, g, b)
	if n := p.near[k]; n > 0 {
		return uint8(n - 1)
	}
	// Use the middle, so that the result does not depend on which color with this key comes first.
	const low = 1<<(8-keyBits) - 1
	r, g, b = r&^low+low/2, g&^low+low/2, b&^low+low/2
	best, distance := 0, 1<<30
	for i, c := range p.colors[:p.used] {
		if d := squares(r-int(c[0]), g-int(c[1]), b-int(c[2])); d < distance {
			best, distance = i, d
		}
	}
	p.near[k] = uint16(best + 1)
	return uint8(best)
}

// squares returns the squared length of a difference of colors, in which green has the largest weight.
func squares(r, g, b int) int { return 2*r*r + 4*g*g + b*b }

// dither stores in dst the palette indices of the pixels in pix, which is row y of a picture.
func (p *Palette) dither(dst, pix []uint8, y int) {
	for x := range dst {
		c := pix[4*x : 4*x+4]
		if c[3] < 128 {
			dst[x] = clearIndex
			continue
		}
		r, g, b := over(c)
		// The strength of the dithering is the difference between the pixel and the nearest palette color.
		// So pixels that the palette represents well get little dithering.
		near := p.colors[p.nearest(r, g, b)]
		off := max(abs(r-int(near[0])), abs(g-int(near[1])), abs(b-int(near[2])))
		push := (2*threshold(x, y) - 63) * off / 63
		dst[x] = p.nearest(clamp(r+push), clamp(g+push), clamp(b+push))
	}
}

func abs(x int) int { return max(x, -x) }

func clamp(x int) int { return min(max(x, 0), 255) }

// threshold returns the entry of Bayer's 8 x 8 dither matrix for the pixel (x, y): a number from 0 to 63.
// Its binary digits alternate between bits of x^y and bits of y, beginning with their lowest bits. Source:
// Bayer, "An optimum method for two-level rendition of continuous-tone pictures", ICC 1973.
func threshold(x, y int) (t int) {
	for bit := range 3 {
		t = t<<2 | (x^y)>>bit&1<<1 | y>>bit&1
	}
	return t
}
