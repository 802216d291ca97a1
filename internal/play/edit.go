package play

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/internal/tomltext"
)

type moveRequest struct {
	sceneRequest
	movement
}

// movement is a drag of a solid, a placement or a section.
type movement struct {
	Object int32      `json:"object"`
	What   string     `json:"what"` // "solid", "placement"; "": the section on a cut face, or else the placement if there is one
	From   [2]float64 `json:"from"` // the point in the picture where the drag began
	To     [2]float64 `json:"to"`
}

type moveAnswer struct {
	Edits []Edit     `json:"edits"`
	Delta [3]float64 `json:"delta"`
}

func (e *Engine) move(ctx context.Context, r *moveRequest) (*moveAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	s := p.moment.scene
	if r.Object < 0 || int(r.Object) >= s.Objects.Len() {
		return nil, failure(StatusMalformed, "there is no solid %d", r.Object)
	}
	for _, x := range [...]float64{r.From[0], r.From[1], r.To[0], r.To[1]} {
		if !(math.Abs(x) < 1e6) {
			return nil, failure(StatusMalformed, "from and to must be points in the picture, got %v and %v", r.From, r.To)
		}
	}
	d, err := p.dragged(r)
	if err != nil {
		return nil, err
	}
	changes, err := p.moved(r, &d)
	if err != nil {
		return nil, err
	}
	edits, after, err := e.change(ctx, p, changes)
	if err != nil {
		return nil, err
	}
	// If the solid or the section is animated, changing its table may not move it.
	was, is, label := s.Solid(int(r.Object)).Bounds().Center(), after.Solid(int(r.Object)).Bounds().Center(), s.Label(int(r.Object))
	if i := d.section; i >= 0 {
		was, is, label = s.Sections[i].Point, after.Sections[i].Point, s.SectionLabel(i)
	}
	if is.Sub(was).Sub(d.delta).Norm() > 2*d.grain+1e-9*was.Norm() {
		return nil, refused("%s is animated and does not follow its table", label)
	}
	return &moveAnswer{edits, array(is.Sub(was))}, nil
}

// dragging is how a drag moves something.
type dragging struct {
	section int       // the index of the section that is dragged; -1: a solid or placement
	delta   geom.Vec3 // the vector by which it moves
	grain   float64   // a length too small to be visible there, so coordinates can be rounded to it
}

// dragged returns how a drag moves a solid, or the section on whose cut face the drag began. A solid moves in the view plane, at
// the depth of the point where the drag began. A section moves along its normal.
func (p *picture) dragged(r *moveRequest) (dragging, error) {
	d, s := dragging{section: -1}, p.moment.scene
	prepared, err := p.trace()
	if err != nil {
		return d, err
	}
	q := newProjection(s, prepared.View, p.size)
	at := image.Pt(int(math.Floor(r.From[0])), int(math.Floor(r.From[1])))
	grabbed := s.Solid(int(r.Object)).Bounds().Center()
	if spot := interactionAt(prepared, at); spot.IsSolid() && spot.Hit.Object == r.Object {
		grabbed = spot.Hit.Point
		if i, ok := spot.Hit.Section(); ok && r.What == "" {
			d.section = i
		}
	}
	edge := q.pixelAt(q.depth(grabbed))
	if !(edge > 0) {
		return d, refused("%s lies behind the camera", s.Label(int(r.Object)))
	}
	dx, dy := r.To[0]-r.From[0], r.To[1]-r.From[1]
	d.delta, d.grain = q.axes.X.Scale(dx*edge).Sub(q.axes.Y.Scale(dy*edge)), edge/2
	if d.section < 0 {
		return d, nil
	}
	n := s.Sections[d.section].Normal
	seen := n.AddScaled(-n.Dot(q.axes.Z), q.axes.Z).Norm2() // of the part of the normal in the view plane
	if seen < leastSeen {
		return d, refused("%s faces the camera: orbit the camera, then drag the cut face", s.SectionLabel(d.section))
	}
	d.delta = n.Scale(d.delta.Dot(n) / seen)
	return d, nil
}

// leastSeen is the square of the sine of the smallest angle between the direction of the view and the normal of a section that
// can be dragged: about 6 degrees.
const leastSeen = 0.01

// moved returns the changes of the text that move a section or a solid, or the placement that created the solid.
func (p *picture) moved(r *moveRequest, d *dragging) ([]tomltext.Change, error) {
	s, n := p.moment.scene, int(r.Object)
	if i := d.section; i >= 0 {
		to, ok := s.SectionThrough(i, s.Sections[i].Point.Add(d.delta))
		if !ok || to.File != p.name {
			return nil, refused("%s is in another file", s.SectionLabel(i))
		}
		return []tomltext.Change{{Path: to.Key, Value: list(rounded(to.Value, d.grain/to.Scale))}}, nil
	}
	from, ok := s.Origin(n)
	key, file, _ := s.Table(n)
	placed := ok && from.Table == "place"
	label := s.Label(n)
	switch r.What {
	case "", "solid", "placement":
	default:
		return nil, failure(StatusMalformed, "want solid or placement, got %q", r.What)
	}
	switch {
	case placed && r.What != "solid":
		position := s.Placements()[from.Index].Position
		return []tomltext.Change{{Path: fmt.Sprintf("place[%d].position", from.Index), Value: list(rounded(position.Add(d.delta), d.grain))}}, nil
	case r.What == "placement":
		return nil, refused("no placement made %s", label)
	case from.Table == "bulk":
		return nil, refused("%s is a row of %s, which this request cannot change", label, from.File.Path)
	case !ok || file != p.name:
		return nil, refused("%s is in another file", label)
	case placed:
		return nil, refused("%s is in a part, which may have several copies; move the placement", label)
	}
	var changes []tomltext.Change
	for name, point := range s.Points(n) {
		changes = append(changes, tomltext.Change{Path: key + "." + name, Value: list(rounded(point.Add(d.delta), d.grain))})
	}
	return changes, nil
}

type editRequest struct {
	sceneRequest
	settings
}

// settings is a list of keys with new values.
type settings struct {
	Set []setting `json:"set"`
}

type editAnswer struct {
	Edits []Edit `json:"edits"`
}

// maxChanges is the largest number of changes in one request, because each of them parses the text again.
const maxChanges = 32

func (e *Engine) edit(ctx context.Context, r *editRequest) (*editAnswer, error) {
	if len(r.Set) == 0 || len(r.Set) > maxChanges {
		return nil, failure(StatusMalformed, "want 1 to %d changes, got %d", maxChanges, len(r.Set))
	}
	t := newText(r.Text)
	var changes []tomltext.Change
	for _, c := range r.Set {
		changes = append(changes, tomltext.Change{Path: c.Key, Value: c.Value})
	}
	edits, err := editsFor(ctx, t.bytes, changes)
	if err != nil {
		return nil, err
	}
	return &editAnswer{t.edits(edits)}, nil
}

// editsFor returns the edits of a text that apply changes. Its error is the cause of ctx, or for the page.
func editsFor(ctx context.Context, text []byte, changes []tomltext.Change) ([]tomltext.Edit, error) {
	edits, err := tomltext.Set(ctx, text, changes...)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, refused("%s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return edits, nil
}
