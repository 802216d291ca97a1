package farm

import (
	"cmp"
	"fmt"
	"image"
	"iter"
	"sync"

	"pillbox"
	"pillbox/animate"
	"pillbox/camera"
	"pillbox/scene"
)

// Shot is a picture of a scene, or a rectangle of one.
type Shot struct {
	Size      image.Point     `json:"size"`   // of the whole picture
	Region    image.Rectangle `json:"region"` // the part of it that is wanted
	Antialias int             `json:"antialias"`
	Time      *float64        `json:"time,omitempty"`   // as in [scene.Scene.At]; nil: as its tables have it
	Camera    *camera.Camera  `json:"camera,omitempty"` // nil: that of the scene
}

// NewShot returns the shot that the options choose of a scene that does not move any more, with its
// time if it was moved to one. Of the options Size, Antialias and Region count.
func NewShot(s *scene.Scene, opt pillbox.Options, time *float64) (Shot, error) {
	size, err := opt.SizeOf(s)
	if err != nil {
		return Shot{}, err
	}
	shot := Shot{Size: size, Region: opt.Region, Antialias: cmp.Or(opt.Antialias, s.Image.Antialias), Time: time}
	if shot.Region.Empty() {
		shot.Region = image.Rectangle{Max: size}
	}
	return shot, shot.validate()
}

// FilmShots returns a shot for each frame of a film.
func FilmShots(f *animate.Film) ([]Shot, error) {
	shots := make([]Shot, f.Len())
	for i := range shots {
		time := f.Time(i)
		var err error
		if shots[i], err = NewShot(f.Scene, f.Options, &time); err != nil {
			return nil, err
		}
		if f.Turn == 0 {
			continue
		}
		at, err := f.At(i)
		if err != nil {
			return nil, err
		}
		shots[i].Camera = at.Camera
	}
	return shots, nil
}

// validate returns an error if the shot asks for what there cannot be.
func (s *Shot) validate() error {
	whole := image.Rectangle{Max: s.Size}
	switch {
	case min(s.Size.X, s.Size.Y) < 1 || max(s.Size.X, s.Size.Y) > scene.MaxSide || s.Size.X*s.Size.Y > scene.MaxPixels:
		return fmt.Errorf("a picture of %d x %d pixels", s.Size.X, s.Size.Y)
	case s.Region.Empty() || !s.Region.In(whole):
		return fmt.Errorf("the region %v of a picture of %d x %d pixels", s.Region, s.Size.X, s.Size.Y)
	case s.Antialias < 1 || s.Antialias > scene.MaxAntialias:
		return fmt.Errorf("antialias %d", s.Antialias)
	}
	return nil
}

// scene returns the scene that the shot shows of s.
func (s *Shot) scene(of *scene.Scene) (*scene.Scene, error) {
	if s.Time != nil {
		var err error
		if of, err = of.At(*s.Time); err != nil {
			return nil, err
		}
	}
	return s.aim(of), nil
}

// aim returns s with the camera of the shot.
func (s *Shot) aim(at *scene.Scene) *scene.Scene {
	if s.Camera == nil {
		return at
	}
	aimed := *at
	aimed.Camera = s.Camera
	return &aimed
}

// picture returns a rectangle of the shot.
func (s *Shot) picture(r image.Rectangle) pillbox.Picture {
	return pillbox.Picture{Size: s.Size, Region: r, Antialias: s.Antialias}
}

// ownRenderer returns [pillbox.SourceHash], which is the same as long as the program runs.
var ownRenderer = sync.OnceValue(pillbox.SourceHash)

// Plan is work: shots of a scene and how they are cut into units.
type Plan struct {
	Renderer string      `json:"renderer"` // the hash of its source, see [pillbox.SourceHash]; filled in by those who render
	Scene    string      `json:"scene"`    // the source's hash
	Shots    []Shot      `json:"shots"`
	Cell     image.Point `json:"cell"` // the size of units except those at the edges; zero: each unit is a whole shot
}

// Output is what the shots of a plan make: a picture, or frames.
type Output struct {
	FPS         float64 `json:"fps,omitempty"`
	Frames      int     `json:"frames,omitempty"` // of a film, the plan's first shots; more are previews of these
	Transparent bool    `json:"transparent,omitempty"`
}

// Unit is a rectangle of a shot.
type Unit struct {
	Shot int // in the plan
	Rect image.Rectangle
}

// Units yields the units of the plan with their numbers: shot by shot, each by rows. Together they
// cover every region once. Cells begin at the corner of the picture, so those that lie in several regions
// are the same units.
func (p *Plan) Units() iter.Seq2[int, Unit] {
	return func(yield func(int, Unit) bool) {
		n := 0
		for i := range p.Shots {
			for r := range cells(p.Shots[i].Region, p.Cell) {
				if !yield(n, Unit{i, r}) {
					return
				}
				n++
			}
		}
	}
}

// cells yields the cells of the given size that cover a region, by rows.
func cells(region image.Rectangle, size image.Point) iter.Seq[image.Rectangle] {
	if size.X < 1 || size.Y < 1 {
		size = region.Max
	}
	return func(yield func(image.Rectangle) bool) {
		for y := region.Min.Y / size.Y * size.Y; y < region.Max.Y; y += size.Y {
			for x := region.Min.X / size.X * size.X; x < region.Max.X; x += size.X {
				if !yield(image.Rectangle{image.Pt(x, y), image.Pt(x, y).Add(size)}.Intersect(region)) {
					return
				}
			}
		}
	}
}

// maxUnits is the number of units that a plan can have.
const maxUnits = 1 << 24

// validate returns an error if the plan asks for what there cannot be.
func (p *Plan) validate() error {
	for i := range p.Shots {
		if err := p.Shots[i].validate(); err != nil {
			return err
		}
	}
	if c := p.Cell; c != (image.Point{}) && (min(c.X, c.Y) < 1 || p.count() > maxUnits) {
		return fmt.Errorf("units of %d x %d pixels", c.X, c.Y)
	}
	return nil
}

// count returns the number of units.
func (p *Plan) count() int {
	n := 0
	for i := range p.Shots {
		n += p.countOf(i)
	}
	return n
}

// countOf returns the number of units of a shot.
func (p *Plan) countOf(shot int) int {
	r, c := p.Shots[shot].Region, p.Cell
	if c == (image.Point{}) {
		return 1
	}
	return ((r.Max.X-1)/c.X - r.Min.X/c.X + 1) * ((r.Max.Y-1)/c.Y - r.Min.Y/c.Y + 1)
}

// pixels returns how many the plan has in all.
func (p *Plan) pixels() int {
	n := 0
	for i := range p.Shots {
		n += p.Shots[i].Region.Dx() * p.Shots[i].Region.Dy()
	}
	return n
}

// task is a unit that represents itself: all that its pixels depend on.
type task struct {
	Format   int    `json:"format"`
	Renderer string `json:"renderer"`
	Scene    string `json:"scene"`
	Shot            // its region is the unit's rectangle
}

// task returns that of a unit.
func (p *Plan) task(u Unit) task {
	t := task{Format, p.Renderer, p.Scene, p.Shots[u.Shot]}
	t.Region = u.Rect
	return t
}

// key names what the pixels of the task are: equal keys, equal pixels.
func (t *task) key() string { return hashOf(marshal(t)) }
