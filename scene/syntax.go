package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/sniff"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// parseFile sets the text of a file, reports syntax errors and returns its values, or nil if nothing can be
// checked. Tables with a syntax error are broken: they exist but are empty, and missing keys in them
// are not reported.
func parseFile(r *keytable.Report, data []byte) (root map[string]any) {
	return parseFileWith(r, data, tomltext.Parse)
}

// parseFileWith is parseFile with another function than [tomltext.Parse].
func parseFileWith(r *keytable.Report, data []byte, parse func(data []byte, arrays ...string) (map[string]any, error)) (root map[string]any) {
	if len(data) > MaxBytes { // before anything reads the text
		message := fmt.Sprintf("a scene must not be larger than %d MiB; [[bulk]] tables hold more", MaxBytes>>20)
		r.Add(keytable.PlacedProblem(tomltext.Extent{}, problem.CodeTooLarge, message))
		return nil
	}
	r.Text, _ = tomltext.Text(data) // Parse reports invalid UTF-8
	r.Readable = r.Text
	root, err := parse(data, append(KindNames(), "place")...)
	var e *tomltext.SyntaxError
	switch {
	case !errors.As(err, &e):
		return root
	case root != nil: // the only errors are numbers that are too large
		r.Huge = keytable.PlacedProblem(e.Extent, problem.CodeSyntax, e.Message)
		return root
	}
	if reportMistaken(r) {
		return nil
	}
	recovered := tomltext.Recover(data, tableArrays()...)
	r.Readable, r.Broken = recovered.Text, recovered.Broken
	r.LacksNames = slices.ContainsFunc(recovered.Lost, namesLost().MatchString)
	for _, e := range recovered.Errors {
		r.Add(keytable.PlacedProblem(e.Extent, problem.CodeSyntax, e.Message))
	}
	return recovered.Root
}

// reportMistaken reports a file in which other syntax errors mean nothing: one with merge conflicts, or of another format. It
// returns false for any other file.
func reportMistaken(r *keytable.Report) bool {
	for _, f := range sniff.Git(r.Text) {
		r.Add(keytable.PlacedProblem(tomltext.Extent{Start: f.Start, End: f.End}, problem.CodeSyntax, f.Message))
	}
	if format := sniff.Format(r.Text); format != "" {
		r.Add(keytable.PlacedProblem(tomltext.Extent{}, problem.CodeSyntax, sniff.Mistaken(format, "TOML")))
	}
	return r.Errors > 0
}

// namesLost matches invalid lines that may have defined parts or materials.
var namesLost = text.Pattern(`(?m)^\s*\[|\b(include|part|material)\b`)

// tableArrays returns the paths of the arrays of tables. [tomltext.Recover] uses them to detect headers with too few
// brackets. A star matches the name of any part.
func tableArrays() []string {
	arrays := append(KindNames(), "place", "bulk", "light", "section", "label", "dimension", "line", "arrow", "angle", "marker")
	for _, name := range arrays {
		arrays = append(arrays, "part.*."+name)
	}
	return append(arrays, "animate")
}

// lacksSolids reports whether a syntax error in any file may hide the name or the material of a solid,
// a placement or a light.
func (l *loader) lacksSolids() bool {
	return slices.ContainsFunc(l.sources, func(s *source) bool {
		if s.LacksNames {
			return true
		}
		// In any order: one broken table is enough.
		for path := range s.Broken {
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
