// Package problem describes what is wrong in a file, and where: scenes, files that they refer to, and files of other
// programs that are imported. An [Error] is one problem with its place, its kind and its text. [Errors] are all problems
// of a file.
//
// Conventions: lines, columns and their ends count from 1, indices in keys from 0. Messages are in the form "must be ...",
// so that the value can follow.
package problem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/text"
)

// Error is a problem in a file.
type Error struct {
	File string `json:"file"` // the name of the file that was read; for scenes also of an included file or a bulk file

	// Line and Column are the position of the first character, both counted from 1. EndColumn is the
	// column after the last character on the same line. Columns count characters (Unicode code points),
	// not bytes; a byte order mark at the start of the file does not count. All are 0 for problems of
	// the whole file.
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndColumn int `json:"end_column"`

	// Key is the full path of the key, with array indices from 0: sphere[1].center[2]. In a bulk file
	// it is the name of the column or, for warnings, the key of the solid, such as sphere[3]. It is
	// empty if the problem has no key, for example if the file is not TOML.
	Key        string   `json:"key"`
	Severity   Severity `json:"severity"`
	Code       Code     `json:"code"`
	Message    string   `json:"message"`    // the problem, without the value
	Value      string   `json:"value"`      // the value as written in the file, shortened; may be empty
	Suggestion string   `json:"suggestion"` // the known word most similar to an unknown one, or empty
}

// Error returns the problem in one line, as "file:line:col: key: message, got value". A warning has
// "warning: " before its key, and information "note: ". Long keys, values and suggestions are shortened
// to 80 characters.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Position() + " ")
	switch e.Severity {
	case SeverityWarning:
		b.WriteString("warning: ")
	case SeverityInfo:
		b.WriteString("note: ")
	}
	if e.Key != "" {
		b.WriteString(text.ShortenMiddle(e.Key) + ": ")
	}
	b.WriteString(e.Message)
	if e.Value != "" {
		b.WriteString(", got " + e.Value)
	}
	if e.Suggestion != "" {
		b.WriteString(", " + text.Guess(backquoted(text.Shorten(e.Suggestion))))
	}
	return b.String()
}

// Position returns the position of the problem, as "file:line:col:", or "file:" if it has no line. The
// text of Error begins with it.
func (e *Error) Position() string {
	if e.Line == 0 {
		return text.EscapeName(e.File) + ":"
	}
	return fmt.Sprintf("%s:%d:%d:", text.EscapeName(e.File), e.Line, e.Column)
}

// backquoted returns a word between backquotes, or as a quoted Go string if it is not printable.
func backquoted(word string) string {
	if text.Escape(word) != word {
		return strconv.Quote(word)
	}
	return fmt.Sprintf("%#q", word)
}

// Errors are all problems of a scene. The errors and warnings of the scene file come first, sorted by
// position. The problems of each of its other files follow, also sorted by position.
type Errors []*Error

// Error returns one line for each problem.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Group counts the problems with the same severity and code.
type Group struct {
	Severity Severity
	Code     Code
	Count    int
	First    *Error
}

// Groups returns the groups of the problems, in the order of the first problem of each.
func (es Errors) Groups() []Group {
	type kind struct {
		Severity
		Code
	}
	var groups []Group
	index := make(map[kind]int)
	for _, e := range es {
		k := kind{e.Severity, e.Code}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group{Severity: e.Severity, Code: e.Code, First: e})
		}
		groups[i].Count++
	}
	return groups
}

// Alike returns the problems in groups that differ only in their positions and in the indices of their keys, in the order
// of the first problem of each group.
func (es Errors) Alike() []Errors {
	var groups []Errors
	index := make(map[Error]int)
	for _, e := range es {
		kind := *e
		kind.Line, kind.Column, kind.EndColumn, kind.Key = 0, 0, 0, withoutIndices(e.Key)
		i, ok := index[kind]
		if !ok {
			i = len(groups)
			index[kind] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// withoutIndices returns a key without the numbers between brackets.
func withoutIndices(key string) string {
	var b strings.Builder
	for key != "" {
		before, after, found := strings.Cut(key, "[")
		b.WriteString(before)
		if key = after; found {
			b.WriteByte('[')
			key = strings.TrimLeft(key, "0123456789")
		}
	}
	return b.String()
}

// Unwrap returns the list of problems, for [errors.As].
func (es Errors) Unwrap() []error {
	list := make([]error, len(es))
	for i, e := range es {
		list[i] = e
	}
	return list
}

// Severity is how serious a problem is.
type Severity string

const (
	SeverityError   Severity = "error"   // the scene cannot be rendered as written
	SeverityWarning Severity = "warning" // the scene can be rendered, but this is probably a mistake
	SeverityInfo    Severity = "info"    // worth knowing, and often intended
)

// Code identifies a kind of problem. Codes never change, so programs can depend on them.
type Code string

// The codes of errors.
const (
	CodeSyntax           Code = "syntax"              // invalid TOML; nothing else is reported about the table
	CodeTooLarge         Code = "too-large"           // the file has more than MaxBytes; nothing else is reported
	CodeUnknownKey       Code = "unknown-key"         // the table has no such key; case matters
	CodeMissingKey       Code = "missing-key"         // a required key is missing
	CodeWrongType        Code = "wrong-type"          // for example a string instead of a number
	CodeWrongLength      Code = "wrong-length"        // an array with too few or too many elements
	CodeNotFinite        Code = "not-finite"          // nan, inf, or a float that is too large for 64 bits
	CodeOutOfRange       Code = "out-of-range"        // a number that is too small or too large, or a number of samples that is not a power of two
	CodeZeroVector       Code = "zero-vector"         // a direction, axis or quaternion of zeros
	CodeNotOrthonormal   Code = "not-orthonormal"     // axes that are not perpendicular unit vectors
	CodeNoLength         Code = "no-length"           // a cylinder whose ends are the same point, or nearly so
	CodeUnknownValue     Code = "unknown-value"       // a string that is not one of the words for the key
	CodeBadColor         Code = "bad-color"           // "#" that is not followed by exactly 3 or 6 hexadecimal digits
	CodeUnknownColor     Code = "unknown-color"       // not the name of a color
	CodeUnknownMaterial  Code = "unknown-material"    // there is no [material.NAME] with this name
	CodeDuplicateName    Code = "duplicate-name"      // two solids, placements or lights, or materials or parts of different files, have the same name, or a file is included twice
	CodeEmptyName        Code = "empty-name"          // a name or text without characters
	CodeTooLong          Code = "too-long"            // a name of more than MaxName characters, or a text of more than MaxText
	CodeConflict         Code = "conflict"            // two keys that exclude each other
	CodeDegenerateCamera Code = "degenerate-camera"   // the camera has no direction or no up direction, or the solids of a scene without a camera cannot be framed
	CodeTooManyPixels    Code = "too-many-pixels"     // width times height is above the limit
	CodeUnknownFormat    Code = "unknown-format"      // format is not 1
	CodeUnreadableFile   Code = "unreadable-file"     // the file of a [[bulk]] table or of include cannot be read
	CodeNotIncludable    Code = "not-includable"      // a table other than part and material in an included file
	CodeUnknownPart      Code = "unknown-part"        // there is no [part.NAME] with this name
	CodeCycle            Code = "cycle"               // a part that contains itself
	CodeTooDeep          Code = "too-deep"            // placements that nest deeper than MaxNesting
	CodeTooManySolids    Code = "too-many-solids"     // placements that make more than MaxPlaced solids, MaxPlacedNames bytes of names or MaxPlacedLights lights, or more than MaxAnnotations annotations in a scene
	CodePlacedOutOfRange Code = "placed-out-of-range" // a solid, light or annotation that is outside the limits where a placement puts it
	CodeUnknownColumn    Code = "unknown-column"      // no such column in a bulk file for this shape; case matters
	CodeMissingColumn    Code = "missing-column"      // a required column or the whole header is missing
	CodeDuplicateColumn  Code = "duplicate-column"    // two columns of one name
	CodeTooManyDigits    Code = "too-many-digits"     // a number with too many digits for exact overlaps, see scene.WithAllDigits
	CodeTooManyPlaces    Code = "too-many-places"     // a time with more decimal places than file names have
	CodeBadPattern       Code = "bad-pattern"         // a name pattern that path.Match refuses
	CodeUnknownTarget    Code = "unknown-target"      // a target of animate, or a name in an annotation, that does not exist; or a target that cannot change over time
	CodeAmbiguousTarget  Code = "ambiguous-target"    // a target of animate, or a name in an annotation, that has several meanings
	CodeNotAscending     Code = "not-ascending"       // times that do not ascend, or a fog that ends before it begins
	CodeLengthsDiffer    Code = "lengths-differ"      // the numbers of values and times, or of materials and texts, differ
	CodeNotMixable       Code = "not-mixable"         // values that cannot be interpolated
	CodeUnknownCharacter Code = "unknown-character"   // a character of a text that the font lacks
	CodeScaleBar         Code = "scale-bar"           // a scale bar without a depth in a perspective picture, or too long for the picture
	CodeMoreErrors       Code = "more-errors"         // a bulk file has more errors than are reported
)

// The codes of warnings.
const (
	CodeNoSolids       Code = "no-solids"       // the picture shows only the background
	CodeUnusedMaterial Code = "unused-material" // no solid refers to the material
	CodeUnusedPart     Code = "unused-part"     // no placement refers to the part
	CodeSamePlace      Code = "same-place"      // all copies of a placement are in the same place
	CodeUnusedKey      Code = "unused-key"      // a key that has no effect here, such as fov of an orthographic camera
	CodeEyeInside      Code = "eye-inside"      // the camera is inside a solid
	CodeLightInside    Code = "light-inside"    // a light that has a position is inside a solid
	CodeTooManyLights  Code = "too-many-lights" // later lights were not checked for being inside solids
	CodeIdleLight      Code = "idle-light"      // a spot light that shines on no solid
	CodeOutsideView    Code = "outside-view"    // a solid that the camera cannot see
	CodeThin           Code = "thin"            // a solid narrower than a pixel, of which adaptive antialiasing loses parts
	CodeNoRoom         Code = "no-room"         // the text of an annotation that meets a line, another text or the edge of the picture
)

// ConcernsPicture reports whether a warning with this code is about the camera or the lights. Programs
// that cast rays of their own can ignore such warnings.
func (c Code) ConcernsPicture() bool {
	switch c {
	case CodeEyeInside, CodeLightInside, CodeTooManyLights, CodeIdleLight, CodeOutsideView, CodeThin, CodeDegenerateCamera:
		return true
	}
	return false
}

// The codes of information, see overlap.Describe.
const (
	CodeIdentical    Code = "identical"     // a solid is an exact duplicate of another one
	CodeOverlap      Code = "overlap"       // two solids overlap
	CodeTouch        Code = "touch"         // two solids touch, and do not overlap
	CodeMoreOverlaps Code = "more-overlaps" // more overlaps exist than are listed
)

// Sorted returns the problems in their order in the files: first those of the scene file with the given name, then those of
// other files, in the order in which the problems name them first.
func (es Errors) Sorted(name string) Errors {
	files := map[string]int{name: 0}
	for _, e := range es {
		if _, known := files[e.File]; !known {
			files[e.File] = len(files)
		}
	}
	sorted := slices.Clone(es)
	slices.SortStableFunc(sorted, func(a, b *Error) int {
		return cmp.Or(files[a.File]-files[b.File], cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return sorted
}
