package accel

import "math"

// Rays of a packet are examined in blocks of blockSide x blockSide.
const (
	blockSide = 4
	blocks    = packetSide / blockSide // in a row, and in a column

	depthLevels = 3 // squares of 1, 2 and 4 blocks a side
)

// depthBuffer is a hierarchical depth buffer of a packet: for each block the farthest of the nearest hits of its rays
// so far. Whatever is farther away is hidden from all of them. The same is kept for all squares with
// 2^k blocks a side, by their first block, so that four numbers cover any rectangle. Distances are rounded to
// the nearest number of single precision, and so must be what is compared with them: that keeps their order.
// Source: Greene, Kass, Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH 1993. Kernels know its layout.
type depthBuffer struct {
	of       [depthLevels][blocks * blocks]float32
	farthest float64 // of all
	stale    bool    // only what it says of single blocks is up to date
	met      bool    // some ray has a hit
}

// depth rounds a distance to single precision. Larger distances, also +Inf, become the largest finite number.
func depth(t float64) float32 { return min(float32(t), math.MaxFloat32) }

// reset prepares d for so many columns and rows of rays, which met nothing yet. Beyond those there is nothing.
func (d *depthBuffer) reset(columns, rows int) {
	*d = depthBuffer{}
	r := blocksOf(rect{0, 0, columns, rows})
	for j := range r.y1 {
		for i := range r.x1 {
			d.of[0][j*blocks+i] = math.MaxFloat32
		}
	}
	d.settle()
}

// blocksOf returns the columns and rows of blocks that the rays in r belong to, which is not empty.
func blocksOf(r rect) rect {
	return rect{r.x0 / blockSide, r.y0 / blockSide, (r.x1-1)/blockSide + 1, (r.y1-1)/blockSide + 1}
}

// hides reports whether all rays in some blocks met something before the distance t. It looks at the largest
// squares that are no larger than the longer side, at the four corners: they cover the rectangle, and if it is a
// square nothing else.
func (d *depthBuffer) hides(r rect, t float32) bool {
	k, longer := 0, max(r.x1-r.x0, r.y1-r.y0)
	for k+1 < depthLevels && 2<<k <= longer {
		k++
	}
	side := 1 << k
	x0, x1 := min(r.x0, blocks-side), max(r.x1-side, 0)
	y0, y1 := min(r.y0, blocks-side), max(r.y1-side, 0)
	w := &d.of[k]
	return t > max(w[y0*blocks+x0], w[y0*blocks+x1], w[y1*blocks+x0], w[y1*blocks+x1])
}

// look looks again at the blocks of the rays in r, some of which met something.
func (d *depthBuffer) look(at *rays, r rect) {
	r = blocksOf(r)
	d.stale, d.met = true, true
	if lookAt(at, d, r) {
		return
	}
	for j := r.y0; j < r.y1; j++ {
		for i := r.x0; i < r.x1; i++ {
			d.of[0][j*blocks+i] = depth(at.farthest(i, j))
		}
	}
}

// settle makes everything up to date.
func (d *depthBuffer) settle() {
	const last = blocks / 2
	if d.stale = false; !coarsen(d) {
		d.coarsen()
	}
	w := &d.of[2]
	d.farthest = float64(max(w[0], w[last], w[last*blocks], w[last*blocks+last]))
}

// coarsen finds the depths of larger squares, each from four of half the side.
func (d *depthBuffer) coarsen() {
	for k := range depthLevels - 1 {
		half, side, finer := 1<<k, 2<<k, &d.of[k]
		for j := range blocks - side + 1 {
			for i := range blocks - side + 1 {
				at := j*blocks + i
				d.of[k+1][at] = max(finer[at], finer[at+half], finer[at+half*blocks], finer[at+half*blocks+half])
			}
		}
	}
}

// farthest returns the greatest distance in a block.
func (r *rays) farthest(column, row int) float64 {
	far := 0.0
	for j := range blockSide {
		k := (row*blockSide+j)*packetSide + column*blockSide
		for _, t := range r.t[k : k+blockSide] {
			far = max(far, t)
		}
	}
	return far
}
