package animate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"

	"pillbox/scene"
)

// renderFormat is part of every [Digest]. It must be increased whenever a new version of the program
// renders a scene differently.
const renderFormat = 1

// Digest returns a hash of everything in a scene that decides its picture at the given size with n x n
// rays per pixel. Scenes with equal digests have equal pictures in this version of the program.
func Digest(s *scene.Scene, size image.Point, n int) string {
	h := sha256.New()
	fmt.Fprintln(h, renderFormat, size, n, s.Image.Adaptive, s.Image.Background, s.Shading)
	if s.Outline != nil {
		fmt.Fprintln(h, *s.Outline, s.Image.Height) // the width of its lines refers to this height
	}
	if s.Fog != nil {
		fmt.Fprintln(h, *s.Fog)
	}
	for i := range s.Sections {
		x := &s.Sections[i]
		fmt.Fprintln(h, x.Point, x.Normal, x.HasColor, x.Color, x.Hatch, x.Limited, x.Solids, x.LightWhole)
	}
	c := s.CameraFor(size.X, size.Y)
	fmt.Fprintln(h, c.Projection, c.Position, c.LookAt, c.Up, c.FOV.Degrees(), c.ViewHeight)
	for _, l := range s.Lights {
		fmt.Fprintln(h, l.Attached, l.Directional, l.Position, l.Direction, l.Color, l.Intensity)
		if l.IsSpot() {
			fmt.Fprintln(h, l.Cone.Angle.Degrees(), l.Cone.Edge.Degrees())
		}
		if l.HasSize() {
			fmt.Fprintln(h, l.Radius, l.Angle.Degrees(), l.Visible)
		}
	}
	var counts []any
	for _, k := range scene.Kinds() {
		counts = append(counts, s.Count(k))
	}
	fmt.Fprintln(h, counts...)
	for i := range s.Objects.Len() {
		_ = binary.Write(h, binary.LittleEndian, s.Solid(i)) // all fields are floats; writing to a hash cannot fail
	}
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		_ = binary.Write(h, binary.LittleEndian, []float64{m.Albedo.R, m.Albedo.G, m.Albedo.B, m.Mirror})
		if m.Checker != nil {
			fmt.Fprintln(h, *m.Checker)
		}
		if m.Ghost != nil {
			fmt.Fprintln(h, "ghost", *m.Ghost)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// noteKey is the keyword of the text in a frame's PNG.
const noteKey = "Pillbox frame"

// WithNote returns a copy of a PNG with a note, such as a [Digest], in a tEXt chunk.
func WithNote(png []byte, note string) []byte {
	out := []byte(pngSignature)
	for kind, data := range Chunks(png) {
		out = appendChunk(out, kind, data)
		if kind == "IHDR" {
			out = appendChunk(out, "tEXt", []byte(noteKey+"\x00"+note))
		}
	}
	return out
}

// HasNote reports whether a PNG is complete, up to its IEND chunk, and contains the note.
func HasNote(png []byte, note string) bool {
	found, last := false, ""
	for kind, data := range Chunks(png) {
		found = found || kind == "tEXt" && string(data) == noteKey+"\x00"+note
		last = kind
	}
	return found && last == "IEND"
}
