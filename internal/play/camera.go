package play

import (
	"context"
	"math"
	"strconv"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

type cameraRequest struct {
	sceneRequest
	motion
}

// motion is a drag of the camera.
type motion struct {
	Orbit *[2]float64 `json:"orbit"` // degrees to the right and up
	Dolly float64     `json:"dolly"` // factor of the distance from the target, or of an orthographic camera's view height
	Pan   *[2]float64 `json:"pan"`   // pixels right and down
}

type cameraEdits struct {
	Edits  []Edit       `json:"edits"`
	Camera cameraAnswer `json:"camera"`
}

func (e *Engine) camera(ctx context.Context, r *cameraRequest) (*cameraEdits, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	s := p.moment.scene
	was := s.CameraFor(p.size.X, p.size.Y)
	view, err := was.View(p.size.X, p.size.Y)
	if err != nil {
		return nil, refused("%v", err)
	}
	now := was
	if r.Orbit != nil {
		now = orbit(now, view.Up(), r.Orbit[0], r.Orbit[1])
	}
	if r.Dolly != 0 {
		if !(r.Dolly >= 1e-3 && r.Dolly <= 1e3) {
			return nil, failure(StatusMalformed, "dolly must lie between 0.001 and 1000, got %g", r.Dolly)
		}
		now = dolly(now, r.Dolly)
	}
	if r.Pan != nil {
		q := newProjection(s, view, p.size)
		edge := q.pixelAt(q.depth(now.LookAt))
		shift := q.axes.X.Scale(-r.Pan[0] * edge).Add(q.axes.Y.Scale(r.Pan[1] * edge))
		now.Position, now.LookAt = now.Position.Add(shift), now.LookAt.Add(shift)
	}
	now = roundedCamera(now)
	return e.aim(ctx, p, was, now, s.Camera != nil)
}

// aim returns the edits that change the scene's camera from the argument was to the argument now. The argument given is
// false if the camera has no fixed position yet: then the edits remove the keys that frame the solids.
func (e *Engine) aim(ctx context.Context, p *picture, was, now camera.Camera, given bool) (*cameraEdits, error) {
	changes := []tomltext.Change{}
	if !given {
		for _, key := range scene.FramingKeys() {
			changes = append(changes, tomltext.Change{Path: "camera." + key})
		}
	}
	if now.Position != was.Position || !given {
		changes = append(changes, tomltext.Change{Path: "camera.position", Value: list(now.Position)})
	}
	if now.LookAt != was.LookAt || !given {
		changes = append(changes, tomltext.Change{Path: "camera.look_at", Value: list(now.LookAt)})
	}
	if now.ViewHeight != was.ViewHeight || !given && now.Projection == camera.Orthographic {
		changes = append(changes, tomltext.Change{Path: "camera.view_height", Value: now.ViewHeight})
	}
	edits, after, err := e.change(ctx, p, changes)
	if err != nil {
		return nil, err
	}
	is := after.CameraFor(p.size.X, p.size.Y)
	if is.Position != now.Position || is.LookAt != now.LookAt || is.Projection == camera.Orthographic && is.ViewHeight != now.ViewHeight {
		return nil, refused("the camera is animated: edit its [[animate]] table")
	}
	return &cameraEdits{edits, describeCamera(now, true)}, nil
}

// change returns the edits of the text for the given changes, and the resulting scene at the picture's time.
func (e *Engine) change(ctx context.Context, p *picture, changes []tomltext.Change) ([]Edit, *scene.Scene, error) {
	edits, err := editsFor(ctx, p.text.bytes, changes)
	if err != nil {
		return nil, nil, err
	}
	after := string(tomltext.Apply(p.text.bytes, edits))
	d, err := e.readAs(p.document, after)
	if err != nil {
		return nil, nil, err
	}
	if err := e.valid(d); err != nil {
		return nil, nil, err
	}
	s, err := d.scene.At(p.time)
	if err != nil {
		return nil, nil, refused("%v", err)
	}
	return p.text.edits(edits), s, nil
}

// orbit rotates a camera around its target by two angles in degrees: the angle right turns the camera around the up
// direction, and the angle above raises it.
func orbit(c camera.Camera, up geom.Vec3, right, above float64) camera.Camera {
	const least = 2 // minimum angle in degrees between the view direction and the up direction
	back := c.Position.Sub(c.LookAt)
	back = turned(back, up, -geom.Angle(math.Mod(right, 360)))
	side, ok := geom.Direction(up.Cross(back))
	if !ok {
		c.Position = c.LookAt.Add(back)
		return c
	}
	is := math.Acos(max(-1, min(1, back.Unit().Dot(up)))) * 180 / math.Pi // angle in degrees from the up direction
	want := max(least, min(180-least, is-max(-180, min(180, above))))
	c.Position = c.LookAt.Add(turned(back, side, geom.Angle(want-is)))
	return c
}

func turned(v, axis geom.Vec3, by geom.Angle) geom.Vec3 {
	m, ok := geom.RotationAxis(axis, by)
	if !ok {
		return v
	}
	return m.MulVec(v)
}

// dolly multiplies a perspective camera's distance from its target, or an orthographic camera's view height, by factor.
func dolly(c camera.Camera, factor float64) camera.Camera {
	if c.Projection == camera.Orthographic {
		c.ViewHeight = significant(c.ViewHeight*factor, 5)
		return c
	}
	c.Position = c.LookAt.Add(c.Position.Sub(c.LookAt).Scale(factor))
	return c
}

// roundedCamera rounds a camera to the digits that have a visible effect.
func roundedCamera(c camera.Camera) camera.Camera {
	grain := c.Position.Sub(c.LookAt).Norm() / 2000
	c.Position, c.LookAt = rounded(c.Position, grain), rounded(c.LookAt, grain)
	return c
}

// rounded rounds a point to multiples of the largest power of ten that is at most grain. It does not round if that power
// is above 1 or below 1e-15.
func rounded(v geom.Vec3, grain float64) geom.Vec3 {
	return geom.Vec3{X: decimal(v.X, grain), Y: decimal(v.Y, grain), Z: decimal(v.Z, grain)}
}

func decimal(x, grain float64) float64 {
	digits := -int(math.Floor(math.Log10(grain)))
	if grain <= 0 || digits > 15 || digits < 0 {
		return x
	}
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x
	}
	return y + 0 // turns -0 into 0
}

// significant rounds x to a number of significant digits.
func significant(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return y
}

func list(v geom.Vec3) []any { return []any{v.X, v.Y, v.Z} }
