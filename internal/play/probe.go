package play

import (
	"context"
	"fmt"
	"image"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

type probeRequest struct {
	sceneRequest
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Trap string `json:"trap"` // the name of a mistake that the visible picture has; "": none
}

// probeAnswer describes what the ray through the center of a pixel hits, and the pixel's color in the picture.
type probeAnswer struct {
	Object   int32      `json:"object"` // -1: nothing
	Solid    *solid     `json:"solid"`
	Distance float64    `json:"distance"`
	Point    [3]float64 `json:"point"`
	Normal   [3]float64 `json:"normal"`
	Color    string     `json:"color"`
	Alpha    uint8      `json:"alpha"`
	Linear   [3]float64 `json:"linear"`

	Mistaken *mistakenPixel `json:"mistaken,omitempty"` // the pixel with the mistake of the request, without the reason
}

func (e *Engine) probe(ctx context.Context, r *probeRequest) (*probeAnswer, error) {
	c, err := e.canvas(ctx, &r.sceneRequest, "")
	if err != nil {
		return nil, err
	}
	at, err := c.pixel(r.X, r.Y)
	if err != nil {
		return nil, err
	}
	pic := c.prepared.Picture()
	pic.Region = image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}
	p, err := c.moment.prepare(pic)
	if err != nil {
		return nil, err
	}
	film, err := p.Render(ctx, pillbox.Work{Workers: 1, Linear: true})
	if err != nil {
		return nil, err
	}
	seen, light := film.Image.NRGBAAt(0, 0), film.Linear[0]
	a := &probeAnswer{
		Object: accel.None,
		Color:  fmt.Sprintf("#%02x%02x%02x", seen.R, seen.G, seen.B),
		Alpha:  seen.A,
		Linear: [3]float64{light.R, light.G, light.B},
	}
	if a.Mistaken, err = c.mistakenAt(ctx, r.Trap, at); err != nil {
		return nil, err
	}
	spot := interactionAt(follow.Of(c.prepared), at)
	if spot.IsSolid() {
		described := c.solids([]int32{spot.Hit.Object})[0]
		a.Object, a.Solid = spot.Hit.Object, &described
		a.Distance, a.Point, a.Normal = spot.Hit.T, array(spot.Hit.Point), array(spot.Normal)
	}
	return a, nil
}

// pixel returns the pixel (x, y), or an error if it lies outside of the picture.
func (p *picture) pixel(x, y int) (image.Point, error) {
	at := image.Pt(x, y)
	if !at.In(image.Rectangle{Max: p.size}) {
		return at, failure(StatusMalformed, "pixel %d,%d lies outside the picture of %d x %d", x, y, p.size.X, p.size.Y)
	}
	return at, nil
}

// interactionAt returns the interaction at the end of the ray through the center of a pixel.
func interactionAt(prepared *follow.Prepared, at image.Point) follow.Interaction {
	rays := prepared.PixelRays(at, 1)
	return prepared.Intersect(prepared.CameraRay(rays.SampleRay(0, 0)), follow.PositionOf(&rays, 0), nil)
}

// solid describes a solid to a page.
type solid struct {
	Object    int32      `json:"object"`
	Kind      string     `json:"kind"`
	Label     string     `json:"label"`
	Name      string     `json:"name"`
	Path      string     `json:"path"`      // the solid's name for explain and its flag --solid
	Table     *tablePath `json:"table"`     // the table that defines it, if the text contains it
	Placement *tablePath `json:"placement"` // the outermost placement that made it, if any
	Movable   bool       `json:"movable"`
}

type tablePath struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Range
}

type solidsRequest struct {
	sceneRequest
	Numbers []int32 `json:"numbers"`
}

type solidsAnswer struct {
	Solids []solid `json:"solids"`
}

const maxNumbers = 1000

func (e *Engine) solids(ctx context.Context, r *solidsRequest) (*solidsAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	if len(r.Numbers) > maxNumbers {
		return nil, failure(StatusMalformed, "want at most %d numbers, got %d", maxNumbers, len(r.Numbers))
	}
	for _, n := range r.Numbers {
		if n < 0 || int(n) >= p.moment.scene.Objects.Len() {
			return nil, failure(StatusMalformed, "there is no solid %d", n)
		}
	}
	return &solidsAnswer{p.solids(r.Numbers)}, nil
}

// solids describes the solids with the given numbers.
func (p *picture) solids(objects []int32) []solid {
	s, list := p.moment.scene, []solid{}
	sections := tomltext.Outline(p.text.bytes)
	for _, n := range objects {
		kind, _ := s.Of(int(n))
		a := solid{Object: n, Kind: kind.String(), Label: s.Label(int(n)), Name: s.Objects.Name(int(n)), Path: s.Key(int(n))}
		if key, file, ok := s.Table(int(n)); ok && file == p.name {
			a.Table = p.tableOf(sections, key)
		}
		from, ok := s.Origin(int(n))
		if ok && from.Table == "place" {
			a.Placement = p.tableOf(sections, fmt.Sprintf("place[%d]", from.Index))
		}
		own := from.Table != "bulk" && a.Table != nil
		a.Movable = a.Placement != nil || own
		list = append(list, a)
	}
	return list
}

func (p *picture) tableOf(sections []tomltext.Section, path string) *tablePath {
	at, ok := p.text.place(sections, path)
	if !ok {
		return nil
	}
	name := ""
	if at.To > at.From {
		name = nameIn(p.text.bytes[p.text.byte(at.From):p.text.byte(at.To)])
	}
	return &tablePath{path, name, at}
}

// projection maps points of a scene to points of its picture.
type projection struct {
	view           *camera.View
	origin         geom.Vec3
	axes           geom.Mat3
	pixel          float64 // side of a pixel: on the plane at distance 1 or, in a parallel view, anywhere
	centerX        float64
	centerY        float64
	behind, longer float64   // the depth at which segments are clipped; the length at which infinite rays from the scene are drawn
	middle         geom.Vec3 // of the scene
}

func newProjection(s *scene.Scene, v *camera.View, size image.Point) projection {
	grid := v.Packet(image.Rectangle{Max: size}, 1)
	middle, radius := s.BoundingSphere()
	return projection{
		view: v, origin: v.Position(), axes: v.Axes(), pixel: grid.DX.Norm(),
		centerX: grid.CenterX, centerY: grid.CenterY,
		behind: radius * 1e-6, longer: 4 * radius, middle: middle,
	}
}

// beyond returns a point of a ray behind all solids, up to which an infinite ray is drawn.
func (q *projection) beyond(r geom.Ray) geom.Vec3 {
	return r.At(r.Origin.Sub(q.middle).Norm() + q.longer)
}

// depth returns the distance of a point in front of the eye, along the view direction.
func (q *projection) depth(p geom.Vec3) float64 { return -p.Sub(q.origin).Dot(q.axes.Z) }

// pixelAt returns the side of a pixel at a depth, in scene units.
func (q *projection) pixelAt(depth float64) float64 {
	if q.view.Parallel() {
		return q.pixel
	}
	return q.pixel * depth
}

// point returns the place in the picture of a point in front of the eye.
func (q *projection) point(p geom.Vec3) [2]float64 {
	v, edge := p.Sub(q.origin), q.pixelAt(q.depth(p))
	return [2]float64{q.centerX + v.Dot(q.axes.X)/edge, q.centerY - v.Dot(q.axes.Y)/edge}
}

// segment returns the ends of a segment in the picture, and false if the whole segment lies behind the eye.
func (q *projection) segment(a, b geom.Vec3) (from, to [2]float64, ok bool) {
	near, far := q.depth(a), q.depth(b)
	if !q.view.Parallel() {
		switch {
		case near < q.behind && far < q.behind:
			return from, to, false
		case near < q.behind:
			a = a.AddScaled((q.behind-near)/(far-near), b.Sub(a))
		case far < q.behind:
			b = b.AddScaled((q.behind-far)/(near-far), a.Sub(b))
		}
	}
	return q.point(a), q.point(b), true
}
