package pillbox

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox/accel"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

const (
	// Tiles are large, so that packets find solids in the cache that their neighbours have
	// met, as long as there are enough of them to share out.
	maxTileSize    = 128
	minTileSize    = 16
	tilesPerWorker = 16

	// A packet covers at most this many samples in each direction, more than a pixel has.
	packetSide = 32
)

// world answers packets of rays: an [accel.World] or its oracle, [accel.Brute].
type world interface {
	Enclosing(p geom.Vec3) []int32
	Touching(p geom.Vec3) []int32
	Near(b geom.Bounds) bool
	Nearest(p *geom.Packet, hits []accel.Hit) int
	Reflected(rays []accel.Departure, hits []accel.Hit)
	Blocked(rays []accel.Departure, dist []float64, blocked []bool)
}

// job is one call of [Render]: what its workers share.
type job struct {
	scene    *scene.Scene
	view     *camera.View
	world    world
	lights   []scene.PlacedLight
	eye      []int32 // the solids around the position of a perspective camera
	even     bool    // the background is the same in every direction
	plains   []uint8 // then these are pixels that show nothing else, as many as a packet is wide
	n        int     // n x n samples a pixel
	adaptive bool    // but only where one is not enough
	region   image.Rectangle
	tileSize int
	workers  int
	progress func(done, all int)
	rows     func(film *Film, n int)

	nextTile atomic.Int64

	mu    sync.Mutex // guards what follows; pixels belong to the worker of their tile
	done  int        // pixels
	left  []int      // pixels to do in each row of tiles
	final int        // rows of tiles, from the top, with none left
	film  *Film
}

func newJob(s *scene.Scene, opt Options) (*job, error) {
	size, err := opt.PictureSize(s)
	if err != nil {
		return nil, err
	}
	region, err := opt.PictureRegion(size)
	if err != nil {
		return nil, err
	}
	n, err := opt.PictureAntialias(s)
	if err != nil {
		return nil, err
	}
	if opt.Workers < 0 || opt.TileSize < 0 {
		return nil, fmt.Errorf("workers and tile size must not be negative, got %d and %d", opt.Workers, opt.TileSize)
	}
	world, err := opt.world(s)
	if err != nil {
		return nil, err
	}
	view, err := s.View(size.X, size.Y)
	if err != nil {
		return nil, err
	}

	j := &job{
		scene:    s,
		view:     view,
		world:    world,
		n:        n,
		adaptive: s.Image.Adaptive && n > 1,
		region:   region,
		tileSize: min(opt.TileSize, scene.MaxSide),
		workers:  opt.Workers,
		progress: opt.Progress,
		rows:     opt.Rows,
		film:     &Film{Image: image.NewNRGBA(image.Rectangle{Max: region.Size()}), Region: region},
	}
	if j.adaptive {
		j.film.Refined = make([]bool, region.Dx()*region.Dy())
	}
	if opt.Linear {
		j.film.Linear = make([]shade.Color, region.Dx()*region.Dy())
	}
	if j.workers == 0 {
		j.workers = runtime.GOMAXPROCS(0)
	}
	if j.tileSize == 0 {
		j.tileSize = tileSize(region.Size(), j.workers)
	}
	for y := 0; y < region.Dy(); y += j.tileSize {
		j.left = append(j.left, region.Dx()*min(j.tileSize, region.Dy()-y))
	}
	j.lights = s.LightsFrom(view.Position(), j.world.Touching)
	if !view.Parallel() {
		j.eye = j.world.Enclosing(view.Position())
	}
	j.prime()
	return j, nil
}

// world returns what answers the rays.
func (o *Options) world(s *scene.Scene) (world, error) {
	if !o.Brute {
		return o.SceneWorld(s)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return accel.NewBrute(s.Spheres, s.Capsules, s.Boxes), nil
}

// tileSize returns a good edge for the tiles of a region.
func tileSize(region image.Point, workers int) int {
	size := maxTileSize
	for size > minTileSize && region.X*region.Y < tilesPerWorker*workers*size*size {
		size /= 2
	}
	return size
}

// prime finds out what pixels of background alone look like, if all of them are equal.
func (j *job) prime() {
	b := &j.scene.Image.Background
	j.even = b.Transparent || b.Top == b.Bottom
	all := j.n * j.n
	plain := uint32(0)
	if !b.Transparent {
		plain = encode(mean(shade.Color{}.AddTimes(b.Top.Clamp(), all), all), all, all)
	}
	for range packetSide {
		j.plains = binary.LittleEndian.AppendUint32(j.plains, plain)
	}
}

// run renders tile after tile on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	columns := (j.region.Dx() + j.tileSize - 1) / j.tileSize
	rows := (j.region.Dy() + j.tileSize - 1) / j.tileSize
	var wg sync.WaitGroup
	for range min(j.workers, columns*rows) {
		wg.Go(func() {
			t := tracer{job: j}
			for ctx.Err() == nil {
				i := int(j.nextTile.Add(1)) - 1
				if i >= columns*rows {
					break
				}
				corner := image.Pt(i%columns, i/columns).Mul(j.tileSize).Add(j.region.Min)
				tile := image.Rectangle{corner, corner.Add(image.Pt(j.tileSize, j.tileSize))}.Intersect(j.region)
				t.tile(tile)
				j.finish(tile, &t.rays)
			}
		})
	}
	wg.Wait()
	if j.done < j.region.Dx()*j.region.Dy() {
		return context.Cause(ctx)
	}
	return nil
}

// finish accounts for a rendered tile and resets its counts of rays.
func (j *job) finish(tile image.Rectangle, rays *Rays) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done += tile.Dx() * tile.Dy()
	j.film.Rays.add(*rays)
	*rays = Rays{}
	if j.progress != nil {
		j.progress(j.done, j.region.Dx()*j.region.Dy())
	}
	j.finishRows(tile)
}

// finishRows tells how many rows are final if the tile was the last one that kept some from
// being so.
func (j *job) finishRows(tile image.Rectangle) {
	j.left[(tile.Min.Y-j.region.Min.Y)/j.tileSize] -= tile.Dx() * tile.Dy()
	before := j.final
	for j.final < len(j.left) && j.left[j.final] == 0 {
		j.final++
	}
	if j.final > before && j.rows != nil {
		j.rows(j.film, min(j.final*j.tileSize, j.region.Dy()))
	}
}
