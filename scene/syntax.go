package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/sniff"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
)

// parse sets the text of a file, reports syntax errors and returns its values, or nil if nothing can be
// checked. Tables with a syntax error are broken: they exist but are empty, and missing keys in them
// are not reported.
func (r *report) parse(data []byte) (root map[string]any) { return r.parseWith(data, tomltext.Parse) }

// parseWith is parse with another function than [tomltext.Parse].
func (r *report) parseWith(data []byte, parse func(data []byte, arrays ...string) (map[string]any, error)) (root map[string]any) {
	r.text, _ = tomltext.Text(data) // Parse reports invalid UTF-8
	r.readable = r.text
	if len(data) > MaxBytes {
		message := fmt.Sprintf("a scene must not be larger than %d MiB; [[bulk]] tables hold more", MaxBytes>>20)
		r.add(placedProblem(tomltext.Extent{}, CodeTooLarge, message))
		return nil
	}
	root, err := parse(data, append(KindNames(), "place")...)
	var e *tomltext.SyntaxError
	switch {
	case !errors.As(err, &e):
		return root
	case root != nil: // the only errors are numbers that are too large
		r.huge = placedProblem(e.Extent, CodeSyntax, e.Message)
		return root
	}
	if r.mistaken() {
		return nil
	}
	recovered := tomltext.Recover(data, tableArrays()...)
	r.readable, r.broken = recovered.Text, recovered.Broken
	r.lacksNames = slices.ContainsFunc(recovered.Lost, namesLost().MatchString)
	for _, e := range recovered.Errors {
		r.add(placedProblem(e.Extent, CodeSyntax, e.Message))
	}
	return recovered.Root
}

// mistaken reports a file in which other syntax errors mean nothing: one with merge conflicts, or of another format. It
// returns false for any other file.
func (r *report) mistaken() bool {
	for _, f := range sniff.Git(r.text) {
		r.add(placedProblem(tomltext.Extent{Start: f.Start, End: f.End}, CodeSyntax, f.Message))
	}
	if format := sniff.Format(r.text); format != "" {
		r.add(placedProblem(tomltext.Extent{}, CodeSyntax, sniff.Mistaken(format, "TOML")))
	}
	return r.errors > 0
}

// namesLost matches invalid lines that may have defined parts or materials.
var namesLost = text.Pattern(`(?m)^\s*\[|\b(include|part|material)\b`)

// placedProblem returns an error with a known position.
func placedProblem(at tomltext.Extent, code Code, message string) *problem {
	return &problem{Error: Error{Severity: SeverityError, Code: code, Message: message}, extent: at, located: true}
}

// tableArrays returns the paths of the arrays of tables. [tomltext.Recover] uses them to detect headers with too few
// brackets. A star matches the name of any part.
func tableArrays() []string {
	arrays := append(KindNames(), "place", "bulk", "light", "section", "label", "dimension", "line", "arrow", "angle", "marker")
	for _, name := range arrays {
		arrays = append(arrays, "part.*."+name)
	}
	return append(arrays, "animate")
}

// isBroken reports whether a table has a syntax error.
func (t table) isBroken() bool { return len(t.report.broken) > 0 && t.report.broken[t.key("")] }

// lacksSolids reports whether a syntax error in any file may hide the name or the material of a solid,
// a placement or a light.
func (l *loader) lacksSolids() bool {
	return slices.ContainsFunc(l.sources, func(s *source) bool {
		if s.lacksNames {
			return true
		}
		// In any order: one broken table is enough.
		for path := range s.broken {
			name, _, _ := strings.Cut(path, "[")
			name = name[strings.LastIndexByte(name, '.')+1:]
			isPart := strings.HasPrefix(path, "part.")
			if isPart || slices.Contains(append(KindNames(), "place", "bulk", "light"), name) && !strings.HasPrefix(path, "material.") {
				return true
			}
		}
		return false
	})
}
