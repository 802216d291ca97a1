package regress

import (
	"context"
	"image"
	"slices"

	"pillbox/golden"
	"pillbox/scene"
)

// Where several things changed, the first difference that a ray meets takes the pixel, and behind
// a camera that moved no ray can be followed through both scenes at all. What a cause does by
// itself is then found by experiment: the present scene is rendered with that cause undone.

// MaxExperiments is how many causes of one comparison are undone to see what each does alone, the
// first in the order of the scenes' differences.
const MaxExperiments = 32

// maxExperimentWork bounds the work of all experiments of a comparison, in camera rays; what it
// costs to prepare a solid counts as solidWork of them. It is some ten full-HD pictures with nine
// rays a pixel, seconds to a minute on the processors today.
const (
	maxExperimentWork = 1 << 28
	solidWork         = 16
)

// unknown is the Cause.Alone of causes that no experiment was made for.
const unknown = -1

// A trial renders scenes to find out what causes do alone.
type trial struct {
	accepted, present *scene.Scene
	Comparison
	left int // experiments that still may be made
}

func newTrial(accepted, present *scene.Scene, c Comparison) *trial {
	t := &trial{accepted: accepted, present: present, Comparison: c}
	if c.Render == nil {
		return t
	}
	n := max(accepted.Image.Antialias, present.Image.Antialias)
	work := c.Diff.Got.X*c.Diff.Got.Y*n*n + solidWork*max(accepted.Objects.Len(), present.Objects.Len())
	t.left = min(MaxExperiments, maxExperimentWork/work)
	return t
}

// alone counts what each cause does by itself: those to which the tracer put no pixel or, as it
// cannot follow rays into another view, all of them.
func (t *trial) alone(ctx context.Context, tr *tracer, total map[vote]int) error {
	counted := make([]bool, len(tr.causes))
	for v := range total {
		counted[v.cause] = tr.sameView
	}
	for i := range tr.causes {
		c := &tr.causes[i]
		c.Alone = unknown
		var err error
		switch {
		case counted[i]:
		case i == tr.renderer:
			if !tr.sameView {
				c.Alone, err = t.count(ctx, t.accepted, t.Want)
			}
		case slices.Equal(c.Actions, []Action{ActionRenamed}):
			c.Alone = 0 // no picture shows a name
		default:
			if s, ok := tr.undo(t.accepted, t.present, i); ok {
				c.Alone, err = t.count(ctx, s, t.Got)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// count renders a scene and counts the pixels outside the masks that are not those of a picture. A
// scene that cannot be rendered, and one too many, gives unknown; the error is that of ctx.
func (t *trial) count(ctx context.Context, s *scene.Scene, picture image.Image) (int, error) {
	if t.left < 1 {
		return unknown, nil
	}
	t.left--
	sized := *s
	size := picture.Bounds().Size()
	sized.Image.Width, sized.Image.Height = size.X, size.Y
	img, err := t.Render(ctx, &sized)
	if ctx.Err() != nil {
		return unknown, context.Cause(ctx)
	}
	if err != nil {
		return unknown, nil
	}
	diff, err := golden.Compare(img, picture, golden.Tolerance{Masks: t.Diff.Tolerance.Masks})
	if err != nil || diff.Got != diff.Want {
		return unknown, nil
	}
	return diff.Differing, nil
}
