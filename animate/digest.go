package animate

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"math"
	"reflect"

	"pillbox"
	"pillbox/scene"
)

// drawingFormat is part of every [Digest]. It must be increased whenever a new version of the program draws annotations
// differently. The renderer itself is identified by [pillbox.SourceHash].
const drawingFormat = 1

// undrawn lists the fields of [scene.Scene] that a digest skips. All other exported fields count, those of the types in them
// included, so that a new field cannot be forgotten.
func undrawn() map[string]string {
	return map[string]string{
		"Name":            "messages only",
		"ZUp":             "exports only",
		"Camera":          "the camera of the picture's size replaces it",
		"Framing":         "likewise",
		"Materials":       "the solids have copies",
		"Objects":         "names; their materials are hashed one by one",
		"AllowedOverlaps": "checks only",
		"Animation":       "the scene is that of one frame",
		"Files":           "their contents are in the other fields",
		"Warnings":        "messages only",
	}
}

// Digest returns a hash of everything in a scene that decides its picture, with its annotations, at the given size with n x n
// rays per pixel. Scenes with equal digests have equal pictures in this version of the program. The names of solids do not affect
// the digest, unless a text shows them.
func Digest(s *scene.Scene, size image.Point, n int) string {
	sum := sha256.New()
	h := hasher{bufio.NewWriter(sum)}
	h.value(reflect.ValueOf([]any{pillbox.SourceHash(), drawingFormat, size, n, s.CameraFor(size.X, size.Y)}))
	drawn := *s
	drawn.Image.Antialias = n
	skipped := undrawn()
	for field, v := range reflect.ValueOf(&drawn).Elem().Fields() {
		if _, skip := skipped[field.Name]; field.IsExported() && !skip {
			h.value(v)
		}
	}
	for i := range s.Objects.Len() {
		h.value(reflect.ValueOf(s.Objects.Material(i)))
	}
	_ = h.Flush() // writing to a hash cannot fail
	return hex.EncodeToString(sum.Sum(nil))
}

// hasher hashes values of Go types. The values write themselves one after the other.
type hasher struct{ *bufio.Writer }

// value hashes a value: the fields of structs, the elements of lists with their number, and what pointers point to. It panics if
// there is a map, a function or a channel, which scenes do not have.
func (h hasher) value(v reflect.Value) {
	switch {
	case v.CanInt():
		h.word(uint64(v.Int()))
	case v.CanUint():
		h.word(v.Uint())
	case v.CanFloat():
		h.word(math.Float64bits(v.Float()))
	default:
		h.composite(v)
	}
}

func (h hasher) composite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		h.flag(v.Bool())
	case reflect.String:
		h.word(uint64(v.Len()))
		_, _ = h.WriteString(v.String())
	case reflect.Pointer, reflect.Interface:
		h.flag(!v.IsNil())
		if !v.IsNil() {
			h.value(v.Elem())
		}
	case reflect.Slice:
		h.word(uint64(v.Len()))
		h.elements(v)
	case reflect.Array:
		h.elements(v)
	case reflect.Struct:
		h.fields(v)
	default:
		panic(fmt.Sprintf("animate: cannot hash a %s", v.Type()))
	}
}

func (h hasher) elements(v reflect.Value) {
	for i := range v.Len() {
		h.value(v.Index(i))
	}
}

// fields hashes the exported fields of a struct. If it has none, as a color map, it hashes all.
func (h hasher) fields(v reflect.Value) {
	exported := false
	for field, x := range v.Fields() {
		if field.IsExported() {
			exported = true
			h.value(x)
		}
	}
	if !exported {
		for i := range v.NumField() {
			h.value(v.Field(i))
		}
	}
}

func (h hasher) word(x uint64) {
	_, _ = h.Write(binary.LittleEndian.AppendUint64(h.AvailableBuffer(), x))
}

func (h hasher) flag(x bool) { _ = binary.Write(h, binary.LittleEndian, x) }

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
