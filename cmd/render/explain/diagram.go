package explain

import (
	"context"
	"errors"
	"image"
	"math"
	"path/filepath"
	"strings"

	"pillbox/explain"
	"pillbox/internal/chart"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/explain/diagram"
)

// diagramOutput returns the output for the diagram. Its format is set only if the diagram is a picture made
// of pixels; the method draw writes SVG without it.
func (e *explaining) diagramOutput() (command.Output, error) {
	out := command.Output{Name: e.diagram}
	if !isSVG(e.diagram) {
		var err error
		if out, err = e.PictureOutput(e.cmd, e.diagram, ".svg"); err != nil {
			return command.Output{}, err
		}
	}
	var inputs []string
	if e.scene != "" {
		inputs = append(inputs, e.scene)
	}
	return out, e.CheckOutput(e.cmd, out.Name, inputs...)
}

// isSVG reports whether a diagram is written as SVG.
func isSVG(name string) bool {
	return name == command.Standard || strings.EqualFold(filepath.Ext(name), ".svg")
}

// draw writes the diagram.
func (e *explaining) draw(ctx context.Context, x explain.Explanation, out command.Output) error {
	d, err := command.Await(ctx, func() (*chart.Drawing, error) {
		return diagram.Draw(x, diagram.Options{Dark: e.colors == colorsDark, Kind: e.kind})
	})
	if impossible := (*diagram.KindError)(nil); errors.As(err, &impossible) {
		return cli.Misuse(e.cmd, "--draw %s: %v", impossible.Kind, impossible)
	}
	if errors.Is(err, diagram.ErrNoSolids) {
		return cli.Misuse(e.cmd, "--diagram: %v to draw", err)
	}
	if errors.Is(err, diagram.ErrRemoved) {
		return cli.Misuse(e.cmd, "--diagram: %v", err)
	}
	if err != nil {
		return err
	}
	if isSVG(out.Name) {
		err = e.WriteOutput(ctx, out.Name, d.WriteSVG)
	} else {
		err = e.Save(out, d.Image())
	}
	if err == nil {
		size := d.Bounds().Max
		e.NoteDrawing(out, image.Pt(int(math.Ceil(size.X)), int(math.Ceil(size.Y))))
	}
	return err
}
