package pillbox

import (
	"context"
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

const (
	// Tiles are large, so that packets find solids in the cache that their neighbors have
	// met, as long as there are enough of them to share out.
	maxTileSize    = 128
	minTileSize    = 16
	tilesPerWorker = 16
)

// job is one call of [Render]: its tiles, which of them are done, and what its callbacks report.
type job struct {
	stage     *follow.Stage
	developer *developer
	tileSize  int
	columns   int // of tiles
	rows      int
	workers   int
	progress  func(done, all int)
	onRows    func(film *Film, n int)

	nextTile atomic.Int64

	mu    sync.Mutex // guards what follows; pixels belong to the worker of their tile
	done  int        // pixels
	left  []int      // pixels to do in each row of tiles
	final int        // rows of tiles, from the top, with none left
	film  *Film
}

func newJob(st *follow.Stage, opt Options) *job {
	film := newFilm(st, opt.Linear)
	j := &job{
		stage:     st,
		developer: newDeveloper(st, film),
		tileSize:  min(opt.TileSize, scene.MaxSide),
		workers:   opt.Workers,
		progress:  opt.Progress,
		onRows:    opt.Rows,
		film:      film,
	}
	size := st.Region.Size()
	if j.workers == 0 {
		j.workers = runtime.GOMAXPROCS(0)
	}
	if j.tileSize == 0 {
		j.tileSize = tileSize(size, j.workers)
	}
	j.columns = (size.X + j.tileSize - 1) / j.tileSize
	j.rows = (size.Y + j.tileSize - 1) / j.tileSize
	for y := 0; y < size.Y; y += j.tileSize {
		j.left = append(j.left, size.X*min(j.tileSize, size.Y-y))
	}
	return j
}

// tileSize returns a good edge for the tiles of a region.
func tileSize(region image.Point, workers int) int {
	size := maxTileSize
	for size > minTileSize && region.X*region.Y < tilesPerWorker*workers*size*size {
		size /= 2
	}
	return size
}

// run renders tile after tile on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	parallel.Do(min(j.workers, j.columns*j.rows), func() { j.work(ctx) })
	if j.done < j.stage.Region.Dx()*j.stage.Region.Dy() {
		return context.Cause(ctx)
	}
	return nil
}

// work renders tiles that no worker has begun, one after the other.
func (j *job) work(ctx context.Context) {
	w := worker{tracer: newTracer(ctx, j.stage), developer: j.developer}
	for ctx.Err() == nil {
		i := int(j.nextTile.Add(1)) - 1
		if i >= j.columns*j.rows {
			return
		}
		tile := j.tile(i)
		if !w.render(tile) {
			j.film.erase(tile) // part of it was stored
			return
		}
		j.finish(tile, &w.tracer.rays)
	}
}

// tile returns the tile with the given number, which counts row by row.
func (j *job) tile(i int) image.Rectangle {
	corner := image.Pt(i%j.columns, i/j.columns).Mul(j.tileSize).Add(j.stage.Region.Min)
	return image.Rectangle{corner, corner.Add(image.Pt(j.tileSize, j.tileSize))}.Intersect(j.stage.Region)
}

// finish accounts for a rendered tile and resets its counts of rays.
func (j *job) finish(tile image.Rectangle, rays *Rays) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done += tile.Dx() * tile.Dy()
	j.film.Rays.add(*rays)
	*rays = Rays{}
	if j.progress != nil {
		j.progress(j.done, j.stage.Region.Dx()*j.stage.Region.Dy())
	}
	j.finishRows(tile)
}

// finishRows tells how many rows are final if the tile was the last one that kept some from
// being so.
func (j *job) finishRows(tile image.Rectangle) {
	j.left[(tile.Min.Y-j.stage.Region.Min.Y)/j.tileSize] -= tile.Dx() * tile.Dy()
	before := j.final
	for j.final < len(j.left) && j.left[j.final] == 0 {
		j.final++
	}
	if j.final > before && j.onRows != nil {
		j.onRows(j.film, min(j.final*j.tileSize, j.stage.Region.Dy()))
	}
}

// worker renders one tile at a time.
type worker struct {
	tracer    *tracer
	developer *developer // of all workers
	survey    survey     // for adaptive antialiasing
}

// render renders the pixels of a tile. It returns false if the context ended before.
func (w *worker) render(tile image.Rectangle) bool {
	if w.tracer.adaptive {
		return w.renderAdaptive(tile)
	}
	n := w.tracer.Antialias
	for block := range blocks(tile, packetSide/n) {
		if !w.tracer.cast(block, n) {
			return false
		}
		w.developer.develop(w.tracer, block)
	}
	return true
}
