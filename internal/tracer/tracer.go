// Package tracer renders a prepared scene: it divides the picture into tiles, traces packets of
// coherent rays through each tile on several goroutines, and stores the pixels.
//
// For each block of a tile, a worker casts a packet of camera rays (packet.go). It finds the closest hits, the lights
// that reach them, and the reflections in mirrors. Then it stores the colors as sRGB (pixels.go). Adaptive antialiasing
// (adaptive.go) casts one ray per pixel first and all samples only where neighbors differ. Package follow does the same
// for one ray at a time; tests compare both bit for bit.
//
// The pixels depend on the prepared scene only, never on the number of workers, the size of the
// tiles, or the machine.
package tracer

import (
	"context"
	"image"
	"sync"
	"sync/atomic"

	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
	"pillbox/shade"
)

// Film is the output of [Render]. Each slice has one element per pixel of the region (Pix has four), in
// row-major order.
type Film struct {
	Pix     []uint8       // red, green, blue and straight alpha of each pixel
	Refined []bool        // whether each pixel has all n x n samples; required if antialiasing is adaptive
	Linear  []shade.Color // the average of each pixel's clamped linear colors; nil if it is not wanted
}

// Work controls how to render. It does not affect the pixels.
type Work struct {
	Workers  int                 // number of goroutines; zero means GOMAXPROCS
	TileSize int                 // edge of a tile in pixels; zero chooses 16 to 128, or more for wide outlines
	Progress func(done, all int) // if not nil, called after every tile, as in package pillbox
	Rows     func(n int)         // if not nil, called when the first n rows are final, as in package pillbox
}

// Rays counts rays by purpose. For a light with a size, each hit at which solids could block the light adds one shadow
// ray for each point of the light. These rays count even if they are not cast, because the light turns out to be fully
// visible or hidden.
type Rays struct{ Primary, Shadow, Mirror int64 }

func (r *Rays) addRays(o Rays) {
	r.Primary += o.Primary
	r.Shadow += o.Shadow
	r.Mirror += o.Mirror
}

// Render renders the region of p to f and returns the numbers of rays. Rays that adaptive antialiasing casts through
// pixels around a tile do not count. If ctx ends early, Render returns ctx.Err(). The pixels of an unfinished tile are
// then zero if the tile was begun, and otherwise unchanged.
func Render(ctx context.Context, p *follow.Prepared, f Film, w Work) (Rays, error) {
	p, ended, release := p.Until(ctx)
	j := newJob(p, f, w)
	j.ended = ended
	err := j.run(ctx)
	release()
	return j.rays, err
}

const (
	// Large tiles make better use of the cache, because neighboring packets test the same solids. There
	// should be at least tilesPerWorker tiles for each worker, however.
	maxTileSize    = 128
	minTileSize    = 16
	tilesPerWorker = 16
)

// job is one call of [Render]: its tiles, which of them are done, and what its callbacks report.
type job struct {
	prepared *follow.Prepared
	pixels   *pixelWriter
	tileSize int
	columns  int // columns and rows of tiles
	rows     int
	workers  int
	progress func(done, all int)
	onRows   func(n int)

	nextTile atomic.Int64
	ended    func() bool // if it returns true, what was traced since may be wrong

	mu    sync.Mutex // guards the following; pixels belong to the worker of their tile
	done  int        // pixels
	left  []int      // pixels left to render in each row of tiles
	final int        // number of finished rows of tiles at the top
	rays  Rays
}

func newJob(p *follow.Prepared, f Film, w Work) *job {
	j := &job{
		prepared: p,
		pixels:   newPixelWriter(p, f),
		tileSize: min(w.TileSize, scene.MaxSide),
		workers:  parallel.Workers(w.Workers),
		progress: w.Progress,
		onRows:   w.Rows,
	}
	size := p.Region.Size()
	if j.tileSize == 0 {
		j.tileSize = tileSize(size, j.workers, p.OutlineWidth)
	}
	j.columns = (size.X + j.tileSize - 1) / j.tileSize
	j.rows = (size.Y + j.tileSize - 1) / j.tileSize
	for y := 0; y < size.Y; y += j.tileSize {
		j.left = append(j.left, size.X*min(j.tileSize, size.Y-y))
	}
	return j
}

// tileSize returns the edge length of tiles for a region and a number of workers. Outlines are traced for each tile and
// for half of the width of their lines around it, so tiles are at least as large as lines are wide.
func tileSize(region image.Point, workers int, outlineWidth float64) int {
	size := maxTileSize
	for size > minTileSize && region.X*region.Y < tilesPerWorker*workers*size*size {
		size /= 2
	}
	for float64(size) < outlineWidth {
		size *= 2
	}
	return size
}

// run renders tiles on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	parallel.Do(min(j.workers, j.columns*j.rows), func() { j.work(ctx) })
	if j.done < j.prepared.Region.Dx()*j.prepared.Region.Dy() {
		return ctx.Err()
	}
	return nil
}

// work renders tiles, one at a time, until all are taken or ctx ends.
func (j *job) work(ctx context.Context) {
	tiles := int64(j.columns * j.rows)
	defer j.nextTile.Store(tiles) // after a panic no worker begins another tile
	w := worker{tracer: newPacketTracer(ctx, j.prepared), pixels: j.pixels}
	for ctx.Err() == nil {
		i := j.nextTile.Add(1) - 1
		if i >= tiles {
			return
		}
		tile := j.tile(int(i))
		if !w.render(tile) || j.ended() {
			j.pixels.erase(tile) // some of its pixels were stored
			return
		}
		j.finish(tile, &w.tracer.rays)
	}
}

// tile returns the tile with the given number, in row-major order.
func (j *job) tile(i int) image.Rectangle {
	corner := image.Pt(i%j.columns, i/j.columns).Mul(j.tileSize).Add(j.prepared.Region.Min)
	return image.Rectangle{corner, corner.Add(image.Pt(j.tileSize, j.tileSize))}.Intersect(j.prepared.Region)
}

// finish adds a rendered tile to the job's totals, reports progress, and resets rays.
func (j *job) finish(tile image.Rectangle, rays *Rays) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done += tile.Dx() * tile.Dy()
	j.rays.addRays(*rays)
	*rays = Rays{}
	if j.progress != nil {
		j.progress(j.done, j.prepared.Region.Dx()*j.prepared.Region.Dy())
	}
	j.finishRows(tile)
}

// finishRows counts a rendered tile as finished in its row of tiles. If this makes more rows at the top
// final, it reports their number.
func (j *job) finishRows(tile image.Rectangle) {
	j.left[(tile.Min.Y-j.prepared.Region.Min.Y)/j.tileSize] -= tile.Dx() * tile.Dy()
	before := j.final
	for j.final < len(j.left) && j.left[j.final] == 0 {
		j.final++
	}
	if j.final > before && j.onRows != nil {
		j.onRows(min(j.final*j.tileSize, j.prepared.Region.Dy()))
	}
}

// worker renders one tile at a time.
type worker struct {
	tracer   *packetTracer
	pixels   *pixelWriter // shared by all workers
	features featureMap   // for adaptive antialiasing
}

// render renders the pixels of a tile. It returns false if the context ended first.
func (w *worker) render(tile image.Rectangle) bool {
	if o := w.tracer.outline; o != nil && !o.Trace(w.tracer.ctx, tile) {
		return false
	}
	if w.tracer.adaptive {
		return w.renderAdaptive(tile)
	}
	n := w.tracer.Antialias
	for block := range blocks(tile, packetSide/n) {
		if !w.tracer.trace(block, n) {
			return false
		}
		w.pixels.write(w.tracer, block)
	}
	return true
}
