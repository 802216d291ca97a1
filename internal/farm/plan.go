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

// Shot is a picture of a scene, or a rectangle of a picture.
type Shot struct {
	Size      image.Point     `json:"size"`   // of the whole picture
	Region    image.Rectangle `json:"region"` // the rectangle of the picture to render
	Antialias int             `json:"antialias"`
	Time      *float64        `json:"time,omitempty"`   // for [scene.Scene.At]; nil: the scene is not animated, or is rendered as it was loaded
	Camera    *camera.Camera  `json:"camera,omitempty"` // nil: the camera of the scene
}

// NewShot returns a shot of s with opt.Size, opt.Antialias and opt.Region; other options are ignored. By default, size
// and antialiasing are the scene's, and the region is the whole picture. The argument time becomes Shot.Time.
func NewShot(s *scene.Scene, opt pillbox.Options, time *float64) (Shot, error) {
	size, err := opt.SizeOf(s)
	if err != nil {
		return Shot{}, err
	}
	shot := Shot{Size: size, Region: opt.Region, Antialias: cmp.Or(opt.Antialias, s.Image.Antialias), Time: time}
	if shot.Region.Empty() {
		shot.Region = image.Rectangle{Max: size}
	}
	if s.Camera == nil && s.Framing != nil {
		if shot.Camera, err = framed(s, size, time); err != nil {
			return Shot{}, err
		}
	}
	return shot, shot.validate()
}

// framed returns the camera that frames a scene at a time, unless time is nil. It may differ from that of the scene's
// file: see [scene.Scene.From].
func framed(s *scene.Scene, size image.Point, time *float64) (*camera.Camera, error) {
	if time != nil {
		var err error
		if s, err = s.At(*time); err != nil {
			return nil, err
		}
	}
	c := s.CameraFor(size.X, size.Y)
	return &c, nil
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

// validate returns an error if the size, the region or the antialiasing is out of range.
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

// scene returns the scene that the shot shows: the given scene at the time of the shot, with the camera of the shot. It
// does not modify the given scene.
func (s *Shot) scene(of *scene.Scene) (*scene.Scene, error) {
	if s.Time != nil {
		var err error
		if of, err = of.At(*s.Time); err != nil {
			return nil, err
		}
	}
	return s.aim(of), nil
}

// aim returns a copy of a scene with the camera of the shot. If the shot has no camera, it returns the scene itself.
func (s *Shot) aim(at *scene.Scene) *scene.Scene {
	if s.Camera == nil {
		return at
	}
	aimed := *at
	aimed.Camera = s.Camera
	return &aimed
}

// picture returns the picture settings for the rectangle r of the shot.
func (s *Shot) picture(r image.Rectangle) pillbox.Picture {
	return pillbox.Picture{Size: s.Size, Region: r, Antialias: s.Antialias}
}

// ownRenderer returns [pillbox.SourceHash], computed once.
var ownRenderer = sync.OnceValue(pillbox.SourceHash)

// Plan lists shots of a scene and how they are cut into units.
type Plan struct {
	// Renderer is the [pillbox.SourceHash] of the program that renders the plan. [WriteShard] and [Farm.Open] set it.
	Renderer string      `json:"renderer"`
	Scene    string      `json:"scene"` // [Source.Hash] of the scene
	Shots    []Shot      `json:"shots"`
	Cell     image.Point `json:"cell"` // size of a unit, except at the edges of a region; zero: each unit is a whole shot
}

// Output describes what the shots of a plan are combined into: one picture, or the frames of a film.
type Output struct {
	FPS float64 `json:"fps,omitempty"`

	// Frames is the number of frames of a film. They are the first shots of the plan. The other shots are small previews
	// of the frames.
	Frames      int  `json:"frames,omitempty"`
	Transparent bool `json:"transparent,omitempty"`
}

// Unit is a rectangle of a shot.
type Unit struct {
	Shot int // index in Plan.Shots
	Rect image.Rectangle
}

// Units yields the units of the plan with their numbers: the units of the first shot row by row, then the units of the
// second shot, and so on. The units of a shot cover its region and do not overlap. The grid of cells starts at pixel
// (0, 0) of the picture, not at the corner of the region. So two regions share the units of cells that lie entirely in
// both.
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

// cells yields the parts of a region that lie in each cell of the given size, row by row. Size (0, 0) yields the region
// itself.
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

// maxUnits is the largest number of units of a plan.
const maxUnits = 1 << 24

// validate returns an error if a shot is invalid, if the plan has too many units, or if the cell is invalid. A cell is
// valid if both sides are positive or both are zero.
func (p *Plan) validate() error {
	for i := range p.Shots {
		if err := p.Shots[i].validate(); err != nil {
			return err
		}
	}
	if c := p.Cell; c != (image.Point{}) && min(c.X, c.Y) < 1 {
		return fmt.Errorf("units of %d x %d pixels", c.X, c.Y)
	}
	if n := p.count(); n > maxUnits {
		return fmt.Errorf("%d units, more than the limit of %d", n, maxUnits)
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

// pixels returns the number of pixels of all shots.
func (p *Plan) pixels() int {
	n := 0
	for i := range p.Shots {
		n += p.Shots[i].Region.Dx() * p.Shots[i].Region.Dy()
	}
	return n
}

// task contains everything that the pixels of a unit depend on.
type task struct {
	Format   int    `json:"format"`
	Renderer string `json:"renderer"`
	Scene    string `json:"scene"`
	Shot            // with the rectangle of the unit as Region
}

// task returns the task of a unit.
func (p *Plan) task(u Unit) task {
	t := task{Format, p.Renderer, p.Scene, p.Shots[u.Shot]}
	t.Region = u.Rect
	return t
}

// key returns the hash of the task, which identifies its pixels: tasks with equal keys have equal pixels.
func (t *task) key() string { return hashOf(marshal(t)) }
