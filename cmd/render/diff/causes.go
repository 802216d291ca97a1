package diff

import (
	"context"
	"fmt"
	"image"
	"time"

	"pillbox"
	"pillbox/figure"
	"pillbox/golden"
	"pillbox/internal/command"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// sides are the two scenes of the images, the scene of want first.
type sides [2]regress.Version

// scenes reads the scenes of the images.
func (d *diffing) scenes(ctx context.Context) (both sides, err error) {
	for i, name := range []string{d.wantScene, d.gotScene} {
		s, src, err := d.LoadSource(ctx, name, command.LoadOptions{Moment: d.moment, Record: true})
		if err != nil {
			return both, err
		}
		both[i] = regress.Version{Name: s.Name, Text: src.Data, Files: src.Files, Scene: s}
	}
	return both, nil
}

// limitOfCauses is the shortest time after which the search for causes ends.
const limitOfCauses = 5 * time.Second

// causes returns the edits between the scenes that changed the picture. It returns nil if got is not the picture of its
// scene, because other pictures cannot be compared with it, or if the sizes differ for another reason than the scenes.
func (d *diffing) causes(ctx context.Context, both sides, want, got image.Image, diff golden.Diff) (*regress.Report, error) {
	if diff.Want != diff.Got && (diff.Want != sizeOf(both[0].Scene) || diff.Got != sizeOf(both[1].Scene)) {
		return nil, nil
	}
	began := time.Now()
	render := renderer(both[1].Scene, diff.Got)
	picture, err := render(ctx, both[1].Scene)
	if err != nil {
		return nil, err
	}
	if same, err := golden.Compare(picture, got, golden.Tolerance{}); err != nil || !same.Passes() {
		return nil, err
	}
	end := time.Now().Add(max(limitOfCauses, 20*time.Since(began)))
	why, err := regress.Explain(ctx, both[0], both[1], regress.Comparison{
		Want: want, Got: got, Diff: diff, At: d.moment, Render: render,
		More: func() bool { return time.Now().Before(end) },
	})
	return &why, err
}

// renderer returns a function that renders scenes in the size of a picture of the scene s. If this is the scene's own
// size, it renders others in their own sizes, too.
func renderer(s *scene.Scene, size image.Point) func(context.Context, *scene.Scene) (*image.NRGBA, error) {
	var o pillbox.Options
	if size != sizeOf(s) {
		o.Size = size
	}
	return func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
		film, err := figure.Render(ctx, s, o)
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}
}

func sizeOf(s *scene.Scene) image.Point { return image.Pt(s.Image.Width, s.Image.Height) }

// annotations compares the annotations of the images.
func annotations(ctx context.Context, both sides, want, got image.Image) (*figure.Difference, error) {
	var drawn [2]figure.Drawn
	for i := range both {
		var err error
		if drawn[i], err = figure.DrawnFrom(ctx, both[i].Scene, [2]image.Image{want, got}[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", both[i].Name, err)
		}
	}
	found, ok := figure.Compare(ctx, drawn[0], drawn[1])
	if !ok || len(found.Changes) == 0 {
		return nil, nil
	}
	return &found, nil
}
