// Package outline finds the lines that a scene's outline draws over a picture, and how much of each pixel they cover.
//
// A [Tracer] casts a grid of camera rays. Where two neighboring rays hit different surfaces, it locates the edge
// between them by bisection (edge.go). It connects the edges around each cell of the grid with lines (lines.go), as
// marching squares do. The coverage of a pixel follows from the distance between its center and the nearest line, and from
// the other lines that cover the rest of the pixel (union.go). Only the geometry of the hits matters: the numbers of the solids, their faces, the distances and the normals.
//
// Sources: Saito and Takahashi, "Comprehensible rendering of 3-D shapes", 1990, for edges from the geometry behind the
// pixels; Lorensen and Cline, "Marching cubes", 1987, for lines from the corners of cells.
//
// Conventions: positions are pixels of the whole picture, with (0, 0) at its top left corner and y down. The coverage
// of a pixel depends only on the prepared scene, not on the rectangle that is traced.
package outline

import (
	"context"
	"image"
	"math"
	"math/bits"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
)

// Whole is the coverage of a pixel that is covered entirely.
const Whole = 1 << 12

// There are as many rays per pixel in each direction as the picture has samples, but within these limits. With one ray
// per pixel, lines would miss solids that are thinner than a pixel. More than four would change the lines very little.
const (
	minDensity = 2
	maxDensity = 4
)

// Tracer finds the lines in one rectangle of a picture at a time. It must not be used concurrently.
type Tracer struct {
	prepared *follow.Prepared
	outline  *scene.Outline
	half     float64 // half of the width of a line, in pixels
	density  int     // rays per pixel in each direction
	inFog    bool    // whether the color of a line depends on its depth

	hull  int32 // the hull of ghosts whose lines are being found, or 0 for the lines of what is behind all ghosts
	alone int32 // the solid whose hidden lines are being found, or accel.None

	rect    image.Rectangle
	nearest []nearest // for each pixel of rect
	strokes []stroke

	grid   grid        // scratch memory
	layers []layer     // scratch memory of block: the ghosts before each ray's hit
	before []accel.Hit // scratch memory

	behind   []layer // scratch memory of block: the solids behind each ray's hit; their hull is the object number
	isBehind []bool  // for each ray of the grid, whether the solid alone is behind its hit

	listed []int32 // scratch memory of cover
}

// New returns a tracer for a prepared scene, or nil if the scene has no outline.
func New(p *follow.Prepared) *Tracer {
	if p.Scene.Outline == nil {
		return nil
	}
	return &Tracer{
		prepared: p,
		outline:  p.Scene.Outline,
		half:     p.OutlineWidth / 2,
		density:  min(max(p.Antialias, minDensity), maxDensity),
		inFog:    p.Fog != nil,
		alone:    accel.None,
	}
}

// Trace finds the lines in rect. It returns false if ctx ends first.
func (t *Tracer) Trace(ctx context.Context, rect image.Rectangle) bool {
	t.rect = rect
	t.strokes = t.strokes[:0]
	// Lines reach over the border of the rectangle by less than half of their width and half a pixel.
	wide := rect.Inset(-(geom.ClampInt(math.Ceil(t.half), 0, math.MaxInt16) + 1))
	first, last := wide.Min.Mul(t.density), wide.Max.Mul(t.density)
	// Each block of rays shares its last row and column with the next block, because cells lie between rays.
	for y := first.Y; y < last.Y-1; y += accel.PacketSide - 1 {
		for x := first.X; x < last.X-1; x += accel.PacketSide - 1 {
			if ctx.Err() != nil {
				return false
			}
			t.block(image.Rect(x, y, min(x+accel.PacketSide, last.X), min(y+accel.PacketSide, last.Y)))
		}
	}
	return t.coverAll(ctx)
}

// Touches reports whether lines cover a part of any pixel of a block, which must lie in the traced rectangle.
func (t *Tracer) Touches(block image.Rectangle) bool {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		for x := block.Min.X; x < block.Max.X; x++ {
			if t.Coverage(x, y) > 0 {
				return true
			}
		}
	}
	return false
}

// Coverage returns how much of a pixel of the traced rectangle lines cover, from 0 to [Whole]. It treats the nearest
// line as straight, and the pixel as a square with sides along the line. Of the rest of this square, it adds the part
// that other lines cover. The error is at most an eighth of a pixel.
func (t *Tracer) Coverage(x, y int) int {
	n := &t.nearest[(y-t.rect.Min.Y)*t.rect.Dx()+x-t.rect.Min.X]
	share := t.share(n.squared)
	if n.others != 0 {
		share += float64((1 - share) * float64(bits.OnesCount64(n.others)) / (samplesAcross * samplesAcross))
	}
	return geom.ClampInt(float64(share*Whole)+0.5, 0, Whole)
}

// share returns how much of a pixel a straight line covers, 0..1, given the square of its distance.
func (t *Tracer) share(squared float64) float64 {
	if squared == math.Inf(1) {
		return 0
	}
	d := math.Sqrt(squared)
	return max(0, min(d+0.5, t.half)-max(d-0.5, -t.half))
}

// Ink returns the color of the lines in a pixel of the traced rectangle, which is the color of the outline, in the fog
// of the scene at the depth of the nearest line. It is black if no line covers any part of the pixel.
func (t *Tracer) Ink(x, y int) shade.Color {
	n := &t.nearest[(y-t.rect.Min.Y)*t.rect.Dx()+x-t.rect.Min.X]
	switch {
	case n.squared == math.Inf(1):
		return shade.Color{}
	case !t.inFog:
		return t.outline.Color
	}
	return t.prepared.Fog.Over(t.outline.Color, t.strokes[n.stroke].depth)
}

// Over lays lines with the given color and coverage over a pixel. The argument all is the number of samples of the pixel, seen
// is the sum of their opacities, and c is their average color; none of these takes the lines into account. Over returns the
// color with lines, and new values of seen and all, whose ratio is the new alpha.
func Over(ink shade.Color, coverage int, c shade.Color, seen float64, all int) (shade.Color, float64, int) {
	line, rest := float64(coverage*all), float64(float64(Whole-coverage)*seen)
	switch {
	case coverage == Whole || seen == 0 && coverage > 0:
		c = ink
	case coverage > 0:
		c = ink.Scale(line).Add(c.Scale(rest)).Div(line + rest)
	}
	return c, line + rest, Whole * all
}
