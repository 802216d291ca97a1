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

// movement is a drag of a solid or a placement.
type movement struct {
	Object int32      `json:"object"`
	What   string     `json:"what"` // "solid", "placement"; "": the placement if there is one
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
	delta, grain, err := p.dragged(r)
	if err != nil {
		return nil, err
	}
	changes, err := p.moved(r, delta, grain)
	if err != nil {
		return nil, err
	}
	edits, after, err := e.change(p, changes)
	if err != nil {
		return nil, err
	}
	// If the solid is animated, changing its table may not move it.
	was, is := s.Solid(int(r.Object)).Bounds().Center(), after.Solid(int(r.Object)).Bounds().Center()
	if is.Sub(was).Sub(delta).Norm() > 2*grain+1e-9*was.Norm() {
		return nil, refused("%s is animated and does not follow its table", s.Label(int(r.Object)))
	}
	return &moveAnswer{edits, array(is.Sub(was))}, nil
}

// dragged returns the vector by which a drag moves a solid. The vector lies in the view plane, at the depth of the
// point where the drag began. grain is a length too small to be visible there, so coordinates can be rounded to it.
func (p *picture) dragged(r *moveRequest) (delta geom.Vec3, grain float64, err error) {
	prepared, err := p.trace()
	if err != nil {
		return delta, 0, err
	}
	q := newProjection(p.moment.scene, prepared.View, p.size)
	at := image.Pt(int(math.Floor(r.From[0])), int(math.Floor(r.From[1])))
	grabbed := p.moment.scene.Solid(int(r.Object)).Bounds().Center()
	if spot := interactionAt(prepared, at); spot.IsSolid() && spot.Hit.Object == r.Object {
		grabbed = spot.Hit.Point
	}
	edge := q.pixelAt(q.depth(grabbed))
	if !(edge > 0) {
		return delta, 0, refused("%s lies behind the camera", p.moment.scene.Label(int(r.Object)))
	}
	dx, dy := r.To[0]-r.From[0], r.To[1]-r.From[1]
	return q.axes.X.Scale(dx * edge).Sub(q.axes.Y.Scale(dy * edge)), edge / 2, nil
}

// moved returns the changes of the text that move a solid, or the placement that created it.
func (p *picture) moved(r *moveRequest, delta geom.Vec3, grain float64) ([]tomltext.Change, error) {
	s, n := p.moment.scene, int(r.Object)
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
		return []tomltext.Change{{Path: fmt.Sprintf("place[%d].position", from.Index), Value: list(rounded(position.Add(delta), grain))}}, nil
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
		changes = append(changes, tomltext.Change{Path: key + "." + name, Value: list(rounded(point.Add(delta), grain))})
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
	edits, err := tomltext.Set(t.bytes, changes...)
	if err != nil {
		return nil, refused("%s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return &editAnswer{t.edits(edits)}, context.Cause(ctx)
}
