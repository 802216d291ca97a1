package scene

import (
	"fmt"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/typeface"
	"pillbox/problem"
	"pillbox/shade"
)

// Annotations are texts and lines that are drawn over the finished picture. The renderer ignores them; package figure
// draws them. Lengths in pixels apply to a picture of the size that the scene states. In a picture of another size,
// they change with its height.
type Annotations struct {
	Title      *Title      // nil: none; the same holds for the other pointers
	Labels     []Label     // the scene's own, then those of placements, depth first
	Dimensions []Dimension // in the same order
	Lines      []Line      // in the same order: those of [[line]] and then those of [[arrow]], in each part
	Angles     []Angle     // in the same order
	Markers    []Marker    // in the same order
	Axes       *Axes
	ScaleBar   *ScaleBar
	Legend     *Legend
	ColorBar   *ColorBar // of the scene's Colormap, which must not be nil
}

// IsEmpty reports whether there is nothing to draw.
func (a *Annotations) IsEmpty() bool {
	return a.Title == nil && a.count() == 0 && a.Axes == nil && a.ScaleBar == nil && a.Legend == nil && a.ColorBar == nil
}

// count returns the number of labels, dimensions, lines, angles and markers.
func (a *Annotations) count() int {
	return len(a.Labels) + len(a.Dimensions) + len(a.Lines) + len(a.Angles) + len(a.Markers)
}

// clearCounted removes the labels, dimensions, lines, angles and markers.
func (a *Annotations) clearCounted() {
	a.Labels, a.Dimensions, a.Lines, a.Angles, a.Markers = nil, nil, nil, nil, nil
}

// Lettering is the size and the colors of a text.
type Lettering struct {
	Size    float64 // of the em, in pixels
	Points  float64 // the size in points; 0 if it is stated in pixels. Otherwise, Size follows from it, see [Scene.Print]
	Color   shade.Color
	HasHalo bool        // whether there is a border around the letters
	Halo    shade.Color // of that border
}

// Hidden is how a label or a line is drawn where solids hide it.
type Hidden int

const (
	HiddenDraw Hidden = iota // as where nothing hides it
	HiddenDash               // lines are dashed, texts are drawn
	HiddenHide               // not at all
)

// hiddenWords returns the words for the values of Hidden, in their order.
func hiddenWords() []string { return []string{"draw", "dash", "hide"} }

// Anchor is the point of a text's box that lies at the text's position. X is -1, 0 or 1 for left, middle or right; Y
// is -1, 0 or 1 for top, middle or bottom.
type Anchor struct{ X, Y int }

// anchorWords returns the words for anchors, row by row from the top left.
func anchorWords() []string {
	return []string{"top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"}
}

// cornerWords returns the words for the corners of the picture.
func cornerWords() []string { return []string{"top-left", "top-right", "bottom-left", "bottom-right"} }

// Range is a number of solids with consecutive object numbers.
type Range struct{ First, Count int }

// Title is a text at the top or bottom of the picture.
type Title struct {
	Text   string
	Bottom bool
	Lettering
}

// Axes are three arrows along the axes of the scene, named by Texts.
type Axes struct {
	At       geom.Vec3
	Length   float64 // in scene units or, in a corner, in pixels
	Corner   string  // "": the axes start at At; otherwise they are in this corner of the picture
	Texts    [3]string
	HasColor bool // if false, the axes are red, green and blue
	Hidden   Hidden
	Lettering
}

// Limits of annotations.
const (
	MaxText        = 500  // characters in a text
	MaxAnnotations = 4096 // labels, dimensions, lines, arrows, angles and markers, those of placements included
	MaxLettering   = 1000 // size of a text, in pixels
	MaxDigits      = 9    // decimal places of a length
)

// defaultLettering is the size of a text, in pixels.
const defaultLettering = 16.0

// textFlaw returns what is wrong with a text, or "". If lines is set, the text may have several lines.
func textFlaw(s string, lines bool) (code problem.Code, flaw string) {
	n := 0
	for range s {
		n++
	}
	if n == 0 {
		return problem.CodeEmptyName, "must not be empty"
	}
	if n > MaxText {
		return problem.CodeTooLong, fmt.Sprintf(tooLong, MaxText)
	}
	if lines {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	if strings.ContainsRune(s, 0) {
		return problem.CodeUnknownCharacter, "must not contain the character U+0000"
	}
	if r, i := typeface.Missing(typeface.Composed(s)); i >= 0 {
		return problem.CodeUnknownCharacter, fmt.Sprintf("no font has the character %s (%U), which is number %d of the text", text.Escape(string(r)), r, i+1)
	}
	return "", ""
}

// DefaultLettering returns the defaults of a label's text.
func DefaultLettering() Lettering {
	return Lettering{Size: defaultLettering, Color: shade.Color{}}
}

// annotations reads [title], [axes], [scale_bar] and [legend].
func (l *loader) annotations(raw *rawFile) {
	a := &l.scene.Annotations
	a.Title, _, _ = readOnce(l.Table("title"), raw.title, titleKeys)
	a.Axes, _, _ = readOnce(l.Table("axes"), raw.axes, axesKeys)
	a.ScaleBar, _, _ = readOnce(l.Table("scale_bar"), raw.scaleBar, scaleBarKeys)
	a.Legend = l.legend(l.Table("legend"), raw.legend)
}

// readAxisTexts reads the names of the axes.
func readAxisTexts(t keytable.Table, key string, v any) (texts [3]string) {
	list, ok := v.([]any)
	if !ok || len(list) != len(texts) {
		t.Wrong(key, problem.CodeWrongLength, "must be an array of 3 texts")
		return texts
	}
	for i, v := range list {
		texts[i] = readCaption(t, keytable.Indexed(key, i), v, false)
	}
	return texts
}
