package main

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
	"pillbox/internal/explain/diagram"
)

// diagramOutput returns the output for the diagram. Its format is set only if the diagram is a picture made
// of pixels; the method draw writes SVG without it.
func (e *explaining) diagramOutput() (output, error) {
	out := output{name: e.diagram}
	if !isSVG(e.diagram) {
		var err error
		if out, err = e.pictureOutput(e.cmd, e.diagram, ".svg"); err != nil {
			return output{}, err
		}
	}
	var inputs []string
	if e.scene != "" {
		inputs = append(inputs, e.scene)
	}
	return out, e.checkOutput(&e.claims, e.cmd, out.name, inputs...)
}

// isSVG reports whether a diagram is written as SVG.
func isSVG(name string) bool {
	return name == standard || strings.EqualFold(filepath.Ext(name), ".svg")
}

// draw writes the diagram.
func (e *explaining) draw(ctx context.Context, x explain.Explanation, out output) error {
	d, err := await(ctx, func() (*chart.Drawing, error) {
		return diagram.Draw(x, diagram.Options{Dark: e.theme == themeDark, Kind: diagram.Kind(e.kind)})
	})
	if impossible := (*diagram.KindError)(nil); errors.As(err, &impossible) {
		return cli.Misuse(e.cmd, "--draw %s: %v", impossible.Kind, impossible)
	}
	if errors.Is(err, diagram.ErrNoSolids) {
		return cli.Misuse(e.cmd, "--diagram: %v to draw", err)
	}
	if err != nil {
		return err
	}
	if isSVG(out.name) {
		err = e.writeOutput(ctx, out.name, d.WriteSVG)
	} else {
		err = e.save(out, d.Image())
	}
	if err == nil {
		size := d.Bounds().Max
		e.noteDrawing(out, image.Pt(int(math.Ceil(size.X)), int(math.Ceil(size.Y))))
	}
	return err
}
