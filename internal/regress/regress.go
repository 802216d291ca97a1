// Package regress says what changed between two pictures of a scene: which solid, light or
// setting differs between the accepted scene and the present one, and what that did to each
// changed pixel.
//
// [Explain] pairs the solids of the two scenes, lists every difference as a [Cause], and
// then follows the rays of each changed pixel through both scenes side by side, by the
// renderer's own rules, until they part: at the solid that is seen, at a light that
// reaches only one of them, or behind a mirror. Where they part is the pixel's [Effect]. A
// pixel whose rays never part did not change because of the scenes: the renderer changed.
//
// Conventions: pixel (0, 0) is the top left; in keys such as center[1] and in labels such
// as sphere[3] indices count from 0, as in messages about scene files; a solid with a name
// is called by it. Colors in texts are sRGB. Everything is pure and deterministic, reads
// no files, prints nothing and is safe for concurrent use as long as nobody modifies the
// scenes and images.
package regress

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pillbox/golden"
	"pillbox/scene"
)

// Comparison is a picture of the accepted scene, one of the present scene, and how they
// differ.
type Comparison struct {
	Want, Got image.Image // of the accepted and of the present scene; 8 bits a channel
	Diff      golden.Diff // what golden.Compare(Got, Want, tolerance) returned

	// Render returns the picture of a scene, as Got is that of the present one. It is called, one
	// scene after the other, to find out what causes do alone. Without it that stays unknown.
	Render func(context.Context, *scene.Scene) (*image.NRGBA, error)
}

// Report says what changed and why.
type Report struct {
	// Pixels counts the changed pixels: those beyond the tolerance and under no mask.
	Pixels int `json:"pixels"`

	// ShadingOnly says that pixels changed because of materials, lights and the like alone:
	// no solid was added, removed, moved or reshaped, not even unseen, and the view is the same.
	ShadingOnly bool `json:"shading_only"`

	// Causes are all differences between the scenes, also those without any effect on the
	// picture, and the renderer if it changed; most pixels first, then those that change most alone.
	Causes []Cause `json:"causes"`

	// Effects count every changed pixel once, in the order of Causes, most pixels first.
	// There are none if the pictures differ in size.
	Effects []Effect `json:"effects"`

	// Clusters explain the clusters of the comparison, in their order.
	Clusters []Cluster `json:"clusters"`

	// Text is the report in a sentence or two, without a full stop at the end. Long lists
	// are cut short.
	Text string `json:"text"`
}

// String returns r.Text.
func (r Report) String() string { return r.Text }

// Cluster says what changed a connected set of pixels.
type Cluster struct {
	Bounds  [4]int   `json:"bounds"` // x0, y0, x1, y1, half-open: that of the golden.Cluster
	Pixels  int      `json:"pixels"`
	Effects []Effect `json:"effects"` // as in Report
	Text    string   `json:"text"`    // as in Report, of causes that had an effect here
}

// Subject is the kind of thing that a [Cause] is about.
type Subject string

// The subjects of causes.
const (
	SubjectSolid      Subject = "solid"
	SubjectPlacement  Subject = "placement" // with all its solids that changed as it did
	SubjectPart       Subject = "part"      // what it is made of, with all solids of its copies that changed by that
	SubjectLight      Subject = "light"
	SubjectCamera     Subject = "camera" // without a [camera] in either scene: the framing of the solids
	SubjectImage      Subject = "image"  // width and height
	SubjectAntialias  Subject = "antialias"
	SubjectBackground Subject = "background"
	SubjectAmbient    Subject = "ambient"
	SubjectShadows    Subject = "shadows"
	SubjectBounces    Subject = "bounces"
	SubjectOrder      Subject = "order"    // of solids in the file; it decides between surfaces that coincide
	SubjectRenderer   Subject = "renderer" // pixels changed that the scenes do not explain
)

// Action says what happened to the subject of a [Cause].
type Action string

// The actions of causes.
const (
	ActionAdded      Action = "added"
	ActionRemoved    Action = "removed"
	ActionReshaped   Action = "reshaped"   // a solid of the same name is of another kind
	ActionMoved      Action = "moved"      // center, a or b; a light's or the camera's position
	ActionResized    Action = "resized"    // radius or half_extents
	ActionTurned     Action = "turned"     // a box's rotation, a light's direction, the camera's look_at or up
	ActionRecolored  Action = "recolored"  // color, also a checker's
	ActionRefinished Action = "refinished" // mirror, checker
	ActionRenamed    Action = "renamed"
	ActionChanged    Action = "changed" // anything else
)

// Change is a key of a scene file and its two values.
type Change struct {
	Key  string `json:"key"`  // within its table, such as center[1]; "rotation" for any way to write it
	From string `json:"from"` // empty for a rotation
	To   string `json:"to"`   // for a rotation, by how much
}

// Cause is a difference between the scenes, or the renderer.
type Cause struct {
	Subject Subject  `json:"subject"`
	Label   string   `json:"label"`   // such as: capsule "arm", sphere[3], place "index", light[0], camera
	Actions []Action `json:"actions"` // at least one
	Changes []Change `json:"changes"` // none if something was added or removed

	// Accepted and Present are the numbers of the solid, placement or light in the two scenes, -1 if
	// it is in one of them only, or none of these.
	Accepted int `json:"accepted"`
	Present  int `json:"present"`

	// Pixels counts the changed pixels that are put down to this cause. Where the view differs,
	// which changes everything, that is the camera, or what else frames the scene.
	Pixels int `json:"pixels"`

	// Alone counts the pixels, those under masks aside, that change if this cause alone is undone
	// in the present scene. It is -1 if that is not known: because Pixels tells enough, or because
	// it would take too long, see [MaxExperiments], or because it cannot be undone alone. Of the
	// renderer, in another view, it counts the pixels that the accepted scene no longer gives.
	Alone int `json:"alone"`

	// Part is the name of a part.
	Part string `json:"part,omitempty"`

	// Solids counts those that changed with a placement or a part, and SolidActions tells what happened
	// to them. Of other subjects there are none.
	Solids       int      `json:"solids,omitempty"`
	SolidActions []Action `json:"solid_actions,omitempty"`
}

// EffectKind says how a cause changed a pixel.
type EffectKind string

// The kinds of effects, and of which causes. Among several that hold at a pixel the first
// difference along the ray counts: what is seen, then its shadows, its other light, and what
// its mirror shows. If none differs, but adaptive antialiasing may have given the pixel another
// number of samples, the effect is [EffectAntialias] of what changed a ray through its center or
// that of a neighbor, be it a solid or a light.
const (
	EffectSilhouette EffectKind = "silhouette" // a solid: it is seen now, whether or not it was
	EffectUncovered  EffectKind = "uncovered"  // a solid: On is seen where the solid was
	EffectShadow     EffectKind = "shadow"     // a solid: its shadow fell on On
	EffectUnshadowed EffectKind = "unshadowed" // a solid: its shadow on On went
	EffectLighting   EffectKind = "lighting"   // light, ambient, shadows: On is lit differently
	EffectMirrored   EffectKind = "mirrored"   // any: seen in the mirror of On
	EffectBackground EffectKind = "background" // background, camera: the background itself
	EffectView       EffectKind = "view"       // camera: everything is seen from elsewhere
	EffectAntialias  EffectKind = "antialias"  // antialias: no ray differs there, but the samples do
	EffectInFront    EffectKind = "in_front"   // order: On is seen of two coinciding surfaces
	EffectRenderer   EffectKind = "renderer"   // renderer: on On
)

// Effect counts pixels that a cause changed in the same way. With antialiasing the first
// sample that differs decides, in row-major order from the middle of the pixel on.
type Effect struct {
	Kind   EffectKind `json:"kind"`
	Cause  int        `json:"cause"` // index in Report.Causes
	On     string     `json:"on"`    // a solid's label or "the background"; empty where the kind has no On
	Pixels int        `json:"pixels"`
}

// Explain says what made the picture c.Got of the present scene differ from the picture
// c.Want of the accepted one. Pictures of another size than their scenes ask for are
// followed at their own size; of different sizes, only the scenes are compared. It uses as
// many goroutines as there are processors.
//
// The error says that something is missing or does not fit together, that a camera is
// degenerate, or that ctx ended.
func Explain(ctx context.Context, accepted, present *scene.Scene, c Comparison) (Report, error) {
	if ctx == nil {
		return Report{}, errors.New("want a context, got nil")
	}
	if err := c.validate(accepted, present); err != nil {
		return Report{}, err
	}
	if c.Diff.Want != c.Diff.Got {
		return differ(accepted, present).sizes(c.Diff), nil
	}
	t, err := newTracer(accepted, present, c.Diff.Want)
	if err != nil {
		return Report{}, err
	}
	total, tallies := map[vote]int{}, make([]map[vote]int, len(c.Diff.Clusters))
	f := newFlood(c)
	for i, cluster := range c.Diff.Clusters {
		tallies[i], err = t.tally(ctx, f.from(cluster.First))
		if err != nil {
			return Report{}, err
		}
		for v, n := range tallies[i] {
			total[v] += n
		}
	}
	if err := newTrial(accepted, present, c).alone(ctx, t, total); err != nil {
		return Report{}, err
	}
	return t.report(total, tallies, c.Diff.Clusters), nil
}

func (c *Comparison) validate(accepted, present *scene.Scene) error {
	if accepted == nil || present == nil {
		return errors.New("want two scenes, got nil")
	}
	if c.Want == nil || c.Got == nil {
		return errors.New("want two pictures, got nil")
	}
	want, got := c.Want.Bounds().Size(), c.Got.Bounds().Size()
	if want != c.Diff.Want || got != c.Diff.Got {
		return fmt.Errorf("want the pictures that were compared, of %v and %v pixels, got %v and %v",
			c.Diff.Want, c.Diff.Got, want, got)
	}
	return nil
}
