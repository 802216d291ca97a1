// Package regress finds out which edits of a scene changed its picture.
//
// [Explain] compares the texts of the accepted and of the present scene. Each key, table or row that
// was changed, added, removed or renamed is an [Edit]. It then undoes one edit at a time, keeps all
// others, decodes and renders what results, and compares that picture with the present one: the pixels
// that differ are the pixels of the edit. So every number of a [Report] is that of a rendering, and
// none depends on a theory of how an edit acts on a picture.
//
// Some edits cannot be undone alone: a placement cannot come back without the part that was removed
// with it. Such edits form a group, which is undone as a whole.
//
// Conventions: pixel (0, 0) is the top left; in paths such as sphere[3].center[1] indices count from 0,
// as in messages about scene files; rows of bulk files count from 1 and lines too, the header being no
// row. Nothing here reads files or prints. Everything is safe for concurrent use as long as no one
// modifies the scenes and images.
package regress

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pillbox/golden"
	"pillbox/scene"
)

// A Version is a scene as it is written.
type Version struct {
	Name  string            // of the scene's file
	Text  []byte            // of the scene's file
	Files map[string][]byte // what the other files hold that the scene reads, by their paths in its folder
	Scene *scene.Scene      // what these decode to, at [Comparison.At] if that is set
}

// Comparison is a picture of the accepted scene, one of the present scene, and how they differ.
type Comparison struct {
	Want, Got image.Image // of the accepted and of the present scene; 8 bits a channel
	Diff      golden.Diff // what golden.Compare(Got, Want, tolerance) returned

	// At is the time in seconds that the pictures show; nil if they show the scene without a time.
	At *float64

	// Render returns the picture of a scene, as Got is that of the present one. Calls do not overlap.
	Render func(context.Context, *scene.Scene) (*image.NRGBA, error)

	// More reports whether there is time for another picture; nil: always. It is called before each.
	More func() bool
}

// Report says which edits there are and what undoing each of them changes.
type Report struct {
	// Pixels counts the changed pixels: those beyond the tolerance and under no mask.
	Pixels int `json:"pixels"`

	// ShadingOnly says that pixels changed although both scenes have the same solids in the same
	// places and the same view.
	ShadingOnly bool `json:"shading_only"`

	// Edits are all differences between the two texts: those that change the most pixels first, then
	// those without effect, then those that were not examined. Edits of a group are neighbors.
	Edits []Edit `json:"edits"`

	// Several counts the changed pixels that change if all edits are undone, but with no single one
	// that was examined.
	Several int `json:"several"`

	// Renderer counts the pixels outside masks in which the accepted scene no longer gives the
	// accepted picture: the renderer changed, or that picture or that scene was replaced. It is -1 if
	// this was not examined.
	Renderer int `json:"renderer"`

	// Unexamined counts the edits for which there was no time.
	Unexamined int `json:"unexamined"`

	// Clusters say which edits change each cluster of the comparison, in its order.
	Clusters []Cluster `json:"clusters"`

	// Text has a line for each edit, with lines about its effects indented below it. Long lists are
	// cut short. It does not end in a line break.
	Text string `json:"text"`
}

// String returns r.Text.
func (r Report) String() string { return r.Text }

// Action describes what happened to what an [Edit] is about.
type Action string

// The actions of edits.
const (
	ActionChanged   Action = "changed"
	ActionAdded     Action = "added"
	ActionRemoved   Action = "removed"
	ActionRenamed   Action = "renamed"   // a part or a material, with all that refers to it
	ActionReordered Action = "reordered" // tables of an array or rows of a file, which stay what they were
)

// Unexamined is the Alone of edits for which there was no time.
const Unexamined = -1

// Edit is a difference between the texts of two scenes.
type Edit struct {
	// Path is that of the key, table or row: part.finger.capsule[0].radius, place[1].count, or
	// csv beads.csv row 3 y. Indices and rows count in the present text; of what was removed, in the
	// accepted one.
	Path   string `json:"path"`
	Name   string `json:"name"` // of the innermost table around it that has one; or ""
	Action Action `json:"action"`

	// File and Line are the place in the present text: of what was removed, that of the table where it
	// stood, or line 1. File is the path of a file that the scene reads, in the scene's folder, or ""
	// for the scene's own.
	File string `json:"file"`
	Line int    `json:"line"`

	// Before and After are the values: numbers, strings, booleans, []any and map[string]any. Before is
	// nil if something was added, After if something was removed.
	Before any `json:"before"`
	After  any `json:"after"`

	// Alone counts the pixels, those under masks aside, that change if this edit alone, or its group, is
	// undone in the present scene. It is [Unexamined] if there was no time to find out.
	Alone int `json:"alone"`

	// Together counts those of them that undoing another edit or group changes, too.
	Together int `json:"together"`

	// Size is the size that the picture has if the edit or its group is undone; nil if that is the
	// present size. Then Alone is 0, as there are no pixels to compare.
	Size *[2]int `json:"size,omitempty"`

	// Group is the number of the group of edits that can only be undone as a whole, counted from 1; 0
	// if the edit can be undone alone.
	Group int `json:"group"`

	// Effects say what the pixels show, most pixels first. Of a group the first edit has them.
	Effects []Effect `json:"effects,omitempty"`
}

// Effect counts pixels of an edit by the solids that are seen at the pixels' centers.
type Effect struct {
	On     string `json:"on"`     // what the present picture shows: a solid's label or "the background"
	Before string `json:"before"` // what is seen there if the edit is undone; equal to On if it is the same
	Pixels int    `json:"pixels"`
}

// Cluster says which edits change a connected set of pixels.
type Cluster struct {
	Bounds [4]int  `json:"bounds"` // x0, y0, x1, y1, half-open: that of the golden.Cluster
	Pixels int     `json:"pixels"`
	Shares []Share `json:"shares"` // most pixels first
	Text   string  `json:"text"`
}

// Share is the number of pixels of a cluster that change when an edit or a group is undone.
type Share struct {
	Edit   int `json:"edit"` // index in Report.Edits, of a group that of its first edit
	Pixels int `json:"pixels"`
}

// Explain says which edits made the picture c.Got of the present scene differ from the picture c.Want of
// the accepted one. It renders one picture for each edit whose undoing changes the scene, and one of the
// accepted scene.
//
// The error says that something is missing or does not fit together, or that ctx ended.
func Explain(ctx context.Context, accepted, present Version, c Comparison) (Report, error) {
	if err := c.validate(ctx, accepted.Scene, present.Scene); err != nil {
		return Report{}, err
	}
	t := newTrial(accepted, present, c)
	if err := t.run(ctx); err != nil {
		return Report{}, err
	}
	return t.report(), nil
}

func (c *Comparison) validate(ctx context.Context, accepted, present *scene.Scene) error {
	if ctx == nil {
		return errors.New("want a context, got nil")
	}
	if accepted == nil || present == nil {
		return errors.New("want two scenes, got nil")
	}
	if c.Want == nil || c.Got == nil {
		return errors.New("want two pictures, got nil")
	}
	if c.Render == nil {
		return errors.New("want a function that renders, got nil")
	}
	want, got := c.Want.Bounds().Size(), c.Got.Bounds().Size()
	if want != c.Diff.Want || got != c.Diff.Got {
		return fmt.Errorf("want the pictures that were compared, of %v and %v pixels, got %v and %v",
			c.Diff.Want, c.Diff.Got, want, got)
	}
	return nil
}
