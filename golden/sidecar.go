package golden

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/internal/tomltext"
)

// Sidecar is the parsed NAME.golden.toml beside a golden. It states how an image may differ from the golden and
// why.
type Sidecar struct {
	Tolerance Tolerance // its Masks contain the rectangles, not the objects
	Objects   []Object  // masked objects; a caller that has the scene appends their rectangles to Tolerance.Masks
	Reason    string    // why the image may differ; never blank
}

// Object is a scene object whose pixels are masked wherever it is visible.
type Object struct {
	Name   string // never blank
	Shadow bool   // the object's shadow is masked, too
	Mirror bool   // mirror images of the object and, with Shadow, of its shadow are masked, too
}

// maxSidecarBytes is the largest size of a sidecar. Thousands of masks fit into it.
const maxSidecarBytes = 1 << 20

// ReadSidecar parses a file. The file must be regular and have at most 1 MiB. If it does not exist, the error wraps
// [fs.ErrNotExist].
func ReadSidecar(name string) (Sidecar, error) {
	f, err := osfile.Open(name)
	if err != nil {
		return Sidecar{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSidecarBytes+1))
	if err == nil && len(data) > maxSidecarBytes {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("larger than %d MiB", maxSidecarBytes>>20)}
	}
	if err != nil {
		return Sidecar{}, err
	}
	return ParseSidecar(data, name)
}

// ParseSidecar parses a sidecar, a TOML file NAME.golden.toml:
//
//	reason = "the clock shows the time of the test"
//	tolerance = { max_channel = 2, max_pixels = 10 }
//	masks = [[0, 0, 64, 32], "clock hand", { solid = "bell", shadow = true, mirror = true }]
//
// The reason is required. The tolerance has the fields of [Tolerance]; each is 0 by default. A mask is either a
// half-open, non-empty rectangle [x0, y0, x1, y1] or an [Object], written as its name or as a table. Other
// keys, and other spellings of these, are errors.
//
// The name is used in messages only. If the sidecar is invalid, the error lists every problem, one per line. A table
// with a syntax error is not checked further. Before the first table, only the line with the error is skipped.
func ParseSidecar(data []byte, name string) (Sidecar, error) {
	p := sidecarParser{name: name}
	keys := p.decode(data)
	var s Sidecar
	if v, ok := keys["reason"]; ok || !p.lost {
		s.Reason = p.reason(v)
	}
	if v, ok := keys["tolerance"]; ok {
		p.tolerance(v, &s.Tolerance)
	}
	if v, ok := keys["masks"]; ok {
		p.masks(v, &s)
	}
	p.onlyKeys(keys, "", "reason", "tolerance", "masks")
	if err := errors.Join(p.problems...); err != nil {
		return Sidecar{}, err
	}
	return s, nil
}

// OutsideMasks returns a warning for each rectangle that masks no pixel of a picture of the given size. It does not
// contain the name of the file.
func (s *Sidecar) OutsideMasks(size image.Point) (warnings []string) {
	for _, m := range s.Tolerance.Masks {
		if !m.Overlaps(image.Rectangle{Max: size}) {
			warnings = append(warnings, fmt.Sprintf("the mask [%d, %d, %d, %d] is outside the picture of %d x %d pixels",
				m.Min.X, m.Min.Y, m.Max.X, m.Max.Y, size.X, size.Y))
		}
	}
	return warnings
}

type table = map[string]any

// A sidecarParser collects the problems of one file.
type sidecarParser struct {
	name     string
	problems []error
	broken   map[string]bool // paths of tables whose keys were not read
	lost     bool            // some text was skipped because of syntax errors, so a missing key is not reported
}

// decode returns the values of a file, and reports syntax errors. It omits tables and lines with syntax errors.
func (p *sidecarParser) decode(data []byte) table {
	// Decoding into a struct would accept the key Reason for reason and ignore unknown keys.
	keys, err := tomltext.Parse(data)
	if len(bytes.TrimSpace(tomltext.WithoutMark(data))) == 0 {
		p.problems = append(p.problems, fmt.Errorf("%s: is empty: give the reason why the image may differ, or remove the file", p.name))
		p.lost = true
		return nil
	}
	var e *tomltext.SyntaxError
	if !errors.As(err, &e) || keys != nil { // the only errors are too large numbers, which the checks of their keys report
		return keys
	}
	if p.leftByGit(data) {
		return nil
	}
	r := tomltext.Recover(data, "masks")
	p.broken, p.lost = r.Broken, len(r.Lost) > 0
	for _, e := range r.Errors {
		p.problems = append(p.problems, p.placed(data, e.Start, e))
	}
	return r.Root
}

// leftByGit reports merge conflicts, or that the file is a Git LFS pointer. Then it is not known which lines are valid, so
// the parser reports nothing else.
func (p *sidecarParser) leftByGit(data []byte) bool {
	for _, f := range sniff.Git(tomltext.WithoutMark(data)) {
		p.problems = append(p.problems, p.placed(data, f.Start, errors.New(f.Message)))
		p.lost = true
	}
	return p.lost
}

// placed returns the error e with its place: the line, and the column counted in characters, of the byte at start.
func (p *sidecarParser) placed(data []byte, start int, e error) error {
	line, column := tomltext.Position(tomltext.WithoutMark(data), start)
	return fmt.Errorf("%s:%d:%d: %w", p.name, line, column, e)
}

func (p *sidecarParser) errorf(key, format string, args ...any) {
	p.problems = append(p.problems, fmt.Errorf("%s: %s: %s", p.name, key, fmt.Sprintf(format, args...)))
}

func (p *sidecarParser) reason(v any) string {
	reason, ok := v.(string)
	switch {
	case v == nil:
		p.errorf("reason", "is required: say why the image may differ")
	case !ok || strings.TrimSpace(reason) == "":
		p.errorf("reason", "must be a string that says why the image may differ, got %s", show(v))
	}
	return reason
}

func (p *sidecarParser) tolerance(v any, tol *Tolerance) {
	keys, ok := v.(table)
	if !ok {
		p.errorf("tolerance", "must be a table { max_channel = ..., max_pixels = ... }, got %s", show(v))
		return
	}
	if v, ok := keys["max_channel"]; ok {
		tol.MaxChannel = p.integer("tolerance.max_channel", v, 255)
	}
	if v, ok := keys["max_pixels"]; ok {
		tol.MaxPixels = p.integer("tolerance.max_pixels", v, math.MaxInt32)
	}
	p.onlyKeys(keys, "tolerance.", "max_channel", "max_pixels")
}

func (p *sidecarParser) masks(v any, s *Sidecar) {
	list, ok := v.([]any)
	if tables, all := v.([]table); all { // written as [[masks]], so all masks are tables
		ok = true
		for _, t := range tables {
			list = append(list, t)
		}
	}
	if !ok {
		p.errorf("masks", "must be an array of rectangles and object names, got %s", show(v))
		return
	}
	for i, v := range list {
		key := fmt.Sprintf("masks[%d]", i)
		switch v := v.(type) {
		case []any:
			s.Tolerance.Masks = append(s.Tolerance.Masks, p.rectangle(key, v))
		case string:
			s.Objects = append(s.Objects, Object{Name: p.object(key, v)})
		case table:
			if p.broken[key] {
				continue
			}
			s.Objects = append(s.Objects, Object{
				Name:   p.object(key+".solid", v["solid"]),
				Shadow: p.switched(key+".shadow", v["shadow"]),
				Mirror: p.switched(key+".mirror", v["mirror"]),
			})
			p.onlyKeys(v, key+".", "solid", "shadow", "mirror")
		default:
			p.errorf(key, "must be a rectangle [x0, y0, x1, y1], an object's name, or a table { solid = ... }, got %s", show(v))
		}
	}
}

// object returns the name of a scene object, which is the value v of the key. If v is not a name, it reports a
// problem.
func (p *sidecarParser) object(key string, v any) string {
	name, _ := v.(string)
	switch {
	case v == nil:
		p.errorf(key, "is required: name an object")
	case strings.TrimSpace(name) == "":
		p.errorf(key, "must name an object, got %s", show(v))
	}
	return name
}

func (p *sidecarParser) switched(key string, v any) bool {
	on, ok := v.(bool)
	if v != nil && !ok {
		p.errorf(key, "must be true or false, got %s", show(v))
	}
	return on
}

func (p *sidecarParser) rectangle(key string, list []any) image.Rectangle {
	if len(list) != 4 {
		p.errorf(key, "must be four integers [x0, y0, x1, y1], got %d values", len(list))
		return image.Rectangle{}
	}
	before := len(p.problems)
	var c [4]int
	for i, v := range list {
		c[i] = p.integer(fmt.Sprintf("%s[%d]", key, i), v, math.MaxInt32)
	}
	if len(p.problems) == before && (c[0] >= c[2] || c[1] >= c[3]) {
		p.errorf(key, "must have x0 < x1 and y0 < y1, got [%d, %d, %d, %d]", c[0], c[1], c[2], c[3])
	}
	return image.Rect(c[0], c[1], c[2], c[3])
}

// integer returns v. If v is not an integer from 0 to most, it reports a problem and returns 0.
func (p *sidecarParser) integer(key string, v any, most int64) int {
	n, ok := v.(int64)
	if !ok || n < 0 || n > most {
		p.errorf(key, "must be an integer from 0 to %d, got %s", most, show(v))
		return 0
	}
	return int(n)
}

func (p *sidecarParser) onlyKeys(keys table, prefix string, known ...string) {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(known, key) {
			p.errorf(prefix+tomltext.QuoteKey(key), "unknown key, want one of %s", strings.Join(known, ", "))
		}
	}
}

// show returns a value as text, with its type where the text alone is ambiguous.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case int64:
		if v == math.MaxInt64 {
			return "an integer that is too large" // [tomltext.Parse] replaces such numbers
		}
		return fmt.Sprint(v)
	case float64:
		return fmt.Sprintf("the float %v", v)
	case []any:
		return "an array"
	case []table:
		return "an array of tables"
	case table:
		return "a table"
	default:
		return fmt.Sprint(v)
	}
}
