// Package regress finds out which edits of a scene changed its picture.
//
// [Explain] compares the texts of the accepted and of the present scene. Each key, table or row that was changed,
// added, removed or renamed is an [Edit]. Explain then undoes one edit at a time, keeps all others, decodes and renders
// the result, and compares that picture with the present one. The pixels that differ are the pixels of the edit. So
// every number of a [Report] was counted in rendered pictures; none is an estimate.
//
// Some edits cannot be undone alone. For example, a removed placement cannot be restored without its part, if the part
// was removed as well. Such edits form a group, which is undone as a whole.
//
// Conventions: pixel (0, 0) is the top left. In paths such as sphere[3].center[1], indices count from 0, as in messages
// about scene files. Lines count from 1, and the rows of bulk files count from 1 after the header. Nothing here reads
// files or prints. Everything is safe for concurrent use as long as no one modifies the scenes and images.
package regress

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pillbox/golden"
	"pillbox/scene"
)

// A Version is a version of a scene with the text of its files.
type Version struct {
	Name  string            // of the scene's file
	Text  []byte            // of the scene's file
	Files map[string][]byte // contents of the other files that the scene reads, by path in the scene's folder
	Scene *scene.Scene      // the decoded scene, at the time [Comparison.At] if that is set
}

// Comparison contains a picture of the accepted scene, one of the present scene, and their difference.
type Comparison struct {
	Want, Got image.Image // of the accepted and of the present scene; 8 bits per channel
	Diff      golden.Diff // the result of golden.Compare(Got, Want, tolerance)

	// At is the time in seconds that the pictures show; nil if they show the scene without a time.
	At *float64

	// Render renders a scene in the way in which Got was rendered from the present one. It is not called concurrently.
	Render func(context.Context, *scene.Scene) (*image.NRGBA, error)

	// More reports whether there is time to continue; nil means always. It is called before each picture is rendered,
	// before each test whether edits can be undone alone, and before each sampling of a light or the sky. It is not
	// called concurrently.
	More func() bool
}

// Report lists the edits, and what undoing each of them changes.
type Report struct {
	// Pixels counts the changed pixels: those that differ by more than the tolerance and are not masked.
	Pixels int `json:"pixels"`

	// ShadingOnly is true if pixels changed although both pictures have the same size, and both scenes have the same
	// camera and the same solids in the same places.
	ShadingOnly bool `json:"shading_only"`

	// Edits are the differences between the values in the two texts; comments and formatting do not count. Edits that
	// change the most pixels come first, then those without effect, then renames without effect, and last those that were
	// not examined. Edits of a group are adjacent.
	Edits []Edit `json:"edits"`

	// Several counts the changed pixels that need several edits: they change if all edits are undone together, but not
	// if any one of the examined edits or groups is undone.
	Several int `json:"several"`

	// Renderer counts the pixels, outside of masks, in which rendering the accepted scene today differs from the
	// accepted picture. The cause is a change of the renderer, or that someone replaced the picture or the scene.
	// Renderer is -1 if this was not examined.
	Renderer int `json:"renderer"`

	// Unexamined counts the edits that were not examined for lack of time.
	Unexamined int `json:"unexamined"`

	// Clusters lists, for each cluster of Comparison.Diff in order, the edits that change it.
	Clusters []Cluster `json:"clusters"`

	// Text has a line for each edit, followed by indented lines about its effects. It shortens long lists and does not
	// end in a line break.
	Text string `json:"text"`
}

// String returns r.Text.
func (r Report) String() string { return r.Text }

// Action is the kind of an [Edit].
type Action string

// The actions of edits.
const (
	ActionChanged   Action = "changed"
	ActionAdded     Action = "added"
	ActionRemoved   Action = "removed"
	ActionRenamed   Action = "renamed"   // a part, a material or a table of an array, including all references to it
	ActionMoved     Action = "moved"     // a file that the scene reads; or a part or a material, to another file
	ActionReordered Action = "reordered" // tables of an array or rows of a file, whose contents did not change
)

// Unexamined is the value of Edit.Alone if there was no time to examine the edit, and of Effect.Penumbra and Effect.Sky if
// there was no time to count them.
const Unexamined = -1

// Edit is a difference between the texts of two scenes.
type Edit struct {
	// Path is the path of the key, table or row: part.finger.capsule[0].radius, place[1].count, or csv beads.csv row 3
	// y. Indices and row numbers refer to the present text, or to the accepted text if the thing was removed.
	Path   string `json:"path"`
	Name   string `json:"name"` // of the innermost table around it that has a name; or ""
	Action Action `json:"action"`

	// Was is the former name of the table or the file that contains the edit, if that was renamed or moved and this has no
	// effect by itself: then it is not another edit. It is "" if there is none.
	Was string `json:"was,omitempty"`

	// File and Line state where the edit is in the present text. For a removed key or table, Line is that of the table
	// that contained it, or 1 if there is none. For a removed row of a file, Line is 1. File is the path, in the
	// scene's folder, of a file that the scene reads, or "" for the scene's own file.
	File string `json:"file"`
	Line int    `json:"line"`

	// Before and After are the values: numbers, strings, booleans, []any and map[string]any. Before is nil if the value
	// was added, After if it was removed. If something was renamed, they are its names. If it was moved, they are its
	// files, "" for the scene's own.
	Before any `json:"before"`
	After  any `json:"after"`

	// Alone counts the unmasked pixels that change if only this edit, or its group, is undone in the present scene. It
	// is [Unexamined] if there was no time to find out.
	Alone int `json:"alone"`

	// Together counts the pixels in Alone that also change if another edit or group is undone.
	Together int `json:"together"`

	// Size is the size of the picture with the edit or its group undone; nil if it is the present size. If Size is set,
	// Alone is 0, because pixels of different sizes are not compared.
	Size *[2]int `json:"size,omitempty"`

	// Group is the number, from 1, of the group of edits that can only be undone as a whole. It is 0 if the edit can be
	// undone alone.
	Group int `json:"group"`

	// Effects count the pixels of Alone by what they show, most pixels first. It is empty, but not nil, if there
	// are none, as for an edit of the size. In a group, only the first edit has effects.
	Effects []Effect `json:"effects"`

	moved bool // whether Was is a file
}

// Effect counts pixels of an edit by the solids that are visible at their centers. If an edit has very many effects, the
// last one counts the remaining pixels, as "other solids".
type Effect struct {
	On     string `json:"on"`     // what the present picture shows: a solid's label or "the background"
	Before string `json:"before"` // what is seen there if the edit is undone; equal to On if it is the same
	Pixels int    `json:"pixels"`

	// Penumbra counts the Pixels in which a penumbra changes. At their centers, a light with a size is partly hidden in
	// at least one of the two pictures, and its visible share differs. Sky counts the Pixels at whose centers solids
	// hide a different share of the sky. Sky is 0 unless both scenes have ambient occlusion. Penumbra and Sky are 0 if
	// On and Before differ, and for "other solids". They are [Unexamined] if there was no time to count them.
	Penumbra int `json:"penumbra,omitempty"`
	Sky      int `json:"sky,omitempty"`
}

// Cluster lists the edits that change a connected set of pixels.
type Cluster struct {
	Bounds [4]int  `json:"bounds"` // x0, y0, x1, y1, half-open; the Bounds of the golden.Cluster
	Pixels int     `json:"pixels"`
	Shares []Share `json:"shares"` // most pixels first
	Text   string  `json:"text"`
}

// Share is the number of pixels of a cluster that change if an edit or a group is undone.
type Share struct {
	Edit   int `json:"edit"` // index in Report.Edits; for a group, the index of its first edit
	Pixels int `json:"pixels"`
}

// Explain determines which edits made the picture c.Got of the present scene differ from the picture c.Want of the
// accepted one. It renders at most one picture for each edit or group, and one of the accepted scene.
//
// Explain returns an error if an argument is missing or inconsistent with the others, or if ctx ends.
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
