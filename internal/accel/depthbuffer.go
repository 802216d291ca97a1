package accel

import "math"

// The depth buffer has one depth for each block of blockSide x blockSide rays of a packet.
const (
	blockSide = 4
	blocks    = packetSide / blockSide // blocks in a row and in a column of a packet

	depthLevels = 3 // levels of squares with 1, 2 and 4 blocks per side
)

// depthBuffer is a hierarchical depth buffer of a packet. For each block of rays, it holds one distance:
// that of the farthest among the closest hits that the rays of the block have found so far. Anything
// farther away is hidden from all rays of the block.
//
// The levels are for larger squares. Level k holds the same distance for every square of 2^k x 2^k blocks,
// at the index of the square's first block. So any rectangle of blocks can be covered with four squares of
// one level.
//
// Distances are rounded to single precision, which preserves their order. Values that are compared with
// them must be rounded, too. Source: Greene, Kass, Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH
// 1993. Kernels depend on the layout.
type depthBuffer struct {
	of       [depthLevels][blocks * blocks]float32
	farthest float64 // the farthest depth of all blocks
	stale    bool    // only level 0 is up to date
	met      bool    // some ray has hit a solid
}

// depth rounds a distance to single precision. Distances beyond the largest finite number, and +Inf,
// become that number.
func depth(t float64) float32 { return min(float32(t), math.MaxFloat32) }

// reset prepares d for a packet of the given size, none of whose rays has hit anything yet. Blocks without
// rays get depth 0.
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

// blocksOf returns the rectangle of blocks that contain the rays in r, which must not be empty.
func blocksOf(r rect) rect {
	return rect{r.x0 / blockSide, r.y0 / blockSide, (r.x1-1)/blockSide + 1, (r.y1-1)/blockSide + 1}
}

// hides reports whether all rays in the blocks of r are known to have hit something before the distance t.
// It compares t with four stored distances. They belong to four squares of blocks, one in each corner of r,
// which together cover r. These are the largest squares whose side is stored and not longer than the longer
// side of r.
//
// If r is narrow, the squares extend beyond r. So hides may return false although all rays in r have hit
// something before t.
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

// update recomputes level 0 for the blocks of the rays in r, after some of these rays have hit
// something.
func (d *depthBuffer) update(at *rays, r rect) {
	r = blocksOf(r)
	d.stale, d.met = true, true
	if updateDepths(at, d, r) {
		return
	}
	for j := r.y0; j < r.y1; j++ {
		for i := r.x0; i < r.x1; i++ {
			d.of[0][j*blocks+i] = depth(at.farthest(i, j))
		}
	}
}

// settle recomputes farthest and the levels above 0 from level 0.
func (d *depthBuffer) settle() {
	const last = blocks / 2
	if d.stale = false; !coarsen(d) {
		d.coarsen()
	}
	w := &d.of[2]
	d.farthest = float64(max(w[0], w[last], w[last*blocks], w[last*blocks+last]))
}

// coarsen computes the depth of each larger square from four squares of half its side.
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

// farthest returns the largest hit distance in a block.
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
