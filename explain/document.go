package explain

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"pillbox/internal/explain/formula"
)

// Document is an explanation as a sequence of blocks. It can be written for a terminal
// ([Document.WriteText]), as Markdown ([Document.WriteMarkdown]) or as JSON ([Document.MarshalJSON]).
//
// Each symbol in an equation is defined earlier in the same document, and has the value that was stated
// there. This also holds for the shorter documents that [Document.Select] returns.
type Document struct {
	blocks []Block // their Equations contain all steps, also hidden ones; the method Blocks returns what is shown
}

// Block is a [Heading], an [Answer], [Shares], a [Paragraph], a [List] or [Equations].
type Block interface {
	isBlock()
}

// Heading begins a part of a document.
type Heading struct {
	Level   int     // 1 for the title
	Section Section // the section that the heading begins; "" if readers cannot select it
	Text    string
	Ray     string // the ray that the part is about, see [RayName]; "" if it is about none, or about several
}

// Answer is one sentence that answers the document's question. For a pixel or a ray, it states what is hit, which
// lights arrive, what blocks the others, and what a mirror shows. For a segment, it counts the solids that the segment
// touches.
type Answer struct{ Text string }

// Shares are the parts that make up the color of the first ray: ambient light, each light that arrives, and the
// mirror; or the background.
type Shares struct{ Parts []Contribution }

// Paragraph is text.
type Paragraph struct{ Text string }

// List is an indented list of lines.
type List struct{ Items []Item }

// Item is a line of a list.
type Item struct {
	Depth   int // 0 for the outermost items
	Text    string
	Verdict Verdict
}

// Equations is a derivation, or a part of one.
type Equations struct {
	Steps []Step

	derived []formula.Step // all steps, also hidden ones; only in Document.blocks
}

// Step is a line of a derivation: a given value, an equation, a relation that holds, or a sentence.
//
//	          Symbol   Formula     Numbers    Result   Value   Note
//	given     r                               2        2.0     radius
//	equation  disc     r² - l²     2² - 1²    3        3.0     discriminant
//	relation           disc < 0    3 < 0      3 < 0            the line misses
//	sentence                                                   In the body.
type Step struct {
	Symbol  string
	Formula string
	Numbers string // the formula with numbers substituted for its symbols
	Result  string // rounded, with enough digits that Numbers gives Result
	Value   any    // exact: float64 or *big.Int, or []any of three for a vector or a color
	Note    string // what the step means
	Verdict Verdict

	Terms []Term // the formula in pieces
	Key   string // the key of the scene that holds a given value, such as sphere[0].radius; "" if none does
}

// Term is a piece of a formula: a symbol, or the text between symbols.
type Term struct {
	Text   string // the term as it is written, such as v.x
	Symbol string // the symbol, such as v; "" for text
	Part   int    // 0 for all of the symbol's value, 1, 2, 3 for its x, y, z
	Sign   bool   // a number that replaces the symbol needs parentheses if the number has a sign
}

// Verdict says whether a line accepts or rejects something, such as a root or a light; "" is neither.
type Verdict string

// The verdicts.
const (
	Accepts Verdict = "accepted"
	Rejects Verdict = "rejected"
)

func (Heading) isBlock()   {}
func (Answer) isBlock()    {}
func (Shares) isBlock()    {}
func (Paragraph) isBlock() {}
func (List) isBlock()      {}
func (Equations) isBlock() {}

// Blocks is a sequence of blocks.
type Blocks []Block

// Blocks returns the document's blocks. The caller may modify them.
func (d *Document) Blocks() Blocks {
	blocks := Blocks(slices.Clone(d.blocks))
	known := map[string]any{}
	for i, b := range blocks {
		if e, ok := b.(Equations); ok {
			blocks[i] = Equations{Steps: stepsOf(formula.Complete(e.derived, known))}
		}
	}
	return blocks
}

// Intro returns the blocks between the title and the first section. It omits the paragraph that explains
// how to read formulas in text.
func (d *Document) Intro() Blocks {
	blocks := d.Select().Blocks()[1:]
	return slices.DeleteFunc(blocks, func(b Block) bool { return b == Block(Paragraph{readingHelp}) })
}

func stepsOf(steps []formula.Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		out[i] = Step{s.Symbol, s.Formula, s.Numbers, s.Result, s.Value, s.Note, Verdict(s.Verdict), termsOf(s), s.Key}
	}
	return out
}

func termsOf(s formula.Step) []Term {
	var out []Term
	for _, t := range s.Terms() {
		out = append(out, Term(t))
	}
	return out
}

// MarshalJSON returns the document's blocks, see [Blocks.MarshalJSON].
func (d *Document) MarshalJSON() ([]byte, error) { return json.Marshal(d.Blocks()) }

// MarshalJSON returns the blocks as an array of objects with the keys
//
//	type     "heading", "answer", "shares", "paragraph", "list" or "equations"
//	level    of a heading, 1 for the title
//	section  of a heading, absent if it cannot be selected
//	text     of a heading, an answer or a paragraph
//	ray      of a heading, the name of a ray
//	parts    of shares: objects with source, light, label, color, share and percent, as in [Contribution]
//	items    of a list: objects with depth, text and verdict
//	steps    of equations: objects with symbol, formula, terms, numbers, result, value, note, verdict and key, as
//	         in [Step]
//
// Keys with empty values are absent. The numbers in texts are rounded. A value is the exact number as a string, or
// an array of three such strings.
func (blocks Blocks) MarshalJSON() ([]byte, error) {
	out := []blockJSON{}
	for _, b := range blocks {
		out = append(out, jsonOfBlock(b))
	}
	return json.Marshal(out)
}

type blockJSON struct {
	Type    string             `json:"type"`
	Level   int                `json:"level,omitempty"`
	Section Section            `json:"section,omitempty"`
	Text    string             `json:"text,omitempty"`
	Ray     string             `json:"ray,omitempty"`
	Parts   []partJSON         `json:"parts,omitempty"`
	Items   []itemJSON         `json:"items,omitempty"`
	Steps   []documentStepJSON `json:"steps,omitempty"`
}

type partJSON struct {
	Source Source     `json:"source"`
	Light  int        `json:"light"`
	Label  string     `json:"label"`
	Color  [3]float64 `json:"color"`
	Share  float64    `json:"share"`

	Percent int `json:"percent"`
}

type termJSON struct {
	Text   string `json:"text"`
	Symbol string `json:"symbol,omitempty"`
	Part   int    `json:"part,omitempty"`
	Sign   bool   `json:"sign,omitempty"`
}

type itemJSON struct {
	Depth   int     `json:"depth"`
	Text    string  `json:"text"`
	Verdict Verdict `json:"verdict,omitempty"`
}

type documentStepJSON struct {
	Symbol  string     `json:"symbol,omitempty"`
	Formula string     `json:"formula,omitempty"`
	Terms   []termJSON `json:"terms,omitempty"`
	Numbers string     `json:"numbers,omitempty"`
	Result  string     `json:"result,omitempty"`
	Value   any        `json:"value,omitempty"`
	Note    string     `json:"note,omitempty"`
	Verdict Verdict    `json:"verdict,omitempty"`
	Key     string     `json:"key,omitempty"`
}

func jsonOfBlock(b Block) blockJSON {
	switch b := b.(type) {
	case Heading:
		return blockJSON{Type: "heading", Level: b.Level, Section: b.Section, Text: b.Text, Ray: b.Ray}
	case Answer:
		return blockJSON{Type: "answer", Text: b.Text}
	case Shares:
		out := blockJSON{Type: "shares"}
		for _, c := range b.Parts {
			out.Parts = append(out.Parts, partJSON{c.Source, c.Light, c.Label, [3]float64{c.Color.R, c.Color.G, c.Color.B}, c.Share, c.Percent})
		}
		return out
	case Paragraph:
		return blockJSON{Type: "paragraph", Text: b.Text}
	case List:
		out := blockJSON{Type: "list"}
		for _, x := range b.Items {
			out.Items = append(out.Items, itemJSON(x))
		}
		return out
	case Equations:
		out := blockJSON{Type: "equations"}
		for _, s := range b.Steps {
			out.Steps = append(out.Steps, jsonOfStep(s))
		}
		return out
	}
	panic(fmt.Sprintf("explain: unexpected block %T", b))
}

func jsonOfStep(s Step) documentStepJSON {
	out := documentStepJSON{
		Symbol: s.Symbol, Formula: s.Formula, Numbers: s.Numbers, Result: s.Result,
		Value: fullText(s.Value), Note: s.Note, Verdict: s.Verdict, Key: s.Key,
	}
	for _, t := range s.Terms {
		out.Terms = append(out.Terms, termJSON(t))
	}
	return out
}

// fullText returns the exact value of a step: a string for a number, three strings for a vector or a color, and nil if
// the step has no value.
func fullText(v any) any {
	switch v := v.(type) {
	case float64:
		return formula.Float(v).Text(formula.AllDigits)
	case *big.Int:
		return v.String()
	case []any:
		return [3]any{fullText(v[0]), fullText(v[1]), fullText(v[2])}
	}
	return nil
}

func (d *Document) heading(level int, text string) { d.section(level, "", text) }

// section adds a heading. If s is not empty, a reader can select the text below it as the section s.
func (d *Document) section(level int, s Section, text string) {
	d.about(level, s, text, "")
}

// about adds a heading. If s is not empty, a reader can select the text below the heading as the section s. That text
// is about the ray with the given name; "" means no particular ray.
func (d *Document) about(level int, s Section, text, ray string) {
	d.blocks = append(d.blocks, Heading{level, s, text, ray})
}

// RayName returns the name of a ray, for example in [Heading].Ray. With reflections 0 and a negative light,
// this is "camera ray". With reflections 2, it is "mirror ray 2": the ray after two reflections. If light
// is not negative, it is the name of the shadow ray from the end of that ray to the light with this index.
func RayName(reflections, light int) string {
	name := "camera ray"
	if reflections > 0 {
		name = fmt.Sprintf("mirror ray %d", reflections)
	}
	if light < 0 {
		return name
	}
	return fmt.Sprintf("shadow ray to light %d from the end of the %s", light, name)
}

func (d *Document) paragraph(text string) { d.blocks = append(d.blocks, Paragraph{text}) }

func (d *Document) list(items []Item) {
	if len(items) > 0 {
		d.blocks = append(d.blocks, List{items})
	}
}

// equations adds a derivation, which may have hidden steps.
func (d *Document) equations(steps []formula.Step) {
	if slices.ContainsFunc(steps, func(s formula.Step) bool { return !s.Hidden() }) {
		d.blocks = append(d.blocks, Equations{derived: steps})
	}
}

// Section names a part of the explanation of a pixel or a ray.
type Section string

// The sections.
const (
	SectionCamera  Section = "camera"  // the camera ray
	SectionTree    Section = "tree"    // the traversal of the tree
	SectionTests   Section = "tests"   // the solids that the ray is tested against
	SectionHit     Section = "hit"     // the closest hit: solid, point and normal
	SectionLights  Section = "lights"  // the light that arrives at the hit, and what blocks the other lights
	SectionMirror  Section = "mirror"  // mirror rays, each with all other parts
	SectionColor   Section = "color"   // the color of the ray
	SectionLine    Section = "line"    // both ends of the whole line in a solid
	SectionSamples Section = "samples" // the other samples of the pixel
	SectionPixel   Section = "pixel"   // the color of the pixel
)

// Sections returns all sections.
func Sections() []Section {
	return []Section{
		SectionCamera, SectionTree, SectionTests, SectionHit, SectionLights,
		SectionMirror, SectionColor, SectionLine, SectionSamples, SectionPixel,
	}
}

// Select returns a document with the title, the blocks directly below it, and all parts that belong to
// the given sections, including those of mirror rays and further samples. Each part keeps the headings
// above it. If the document has no sections, the result consists of the title and the blocks directly
// below it.
func (d *Document) Select(sections ...Section) *Document {
	out := &Document{}
	var above []Heading // the last heading and those above it
	written := 0        // how many of them are in out
	for _, b := range d.blocks {
		if h, ok := b.(Heading); ok {
			for len(above) > 0 && above[len(above)-1].Level >= h.Level {
				above = above[:len(above)-1]
			}
			above = append(above, h)
			written = min(written, len(above)-1)
		}
		if !isSelected(above, sections) {
			continue
		}
		for ; written < len(above); written++ {
			out.blocks = append(out.blocks, above[written])
		}
		if _, ok := b.(Heading); !ok {
			out.blocks = append(out.blocks, b)
		}
	}
	return out
}

// isSelected reports whether a block below the given headings belongs to one of the sections.
func isSelected(above []Heading, sections []Section) bool {
	if len(above) == 1 {
		return true // the title
	}
	for _, h := range above {
		if h.Section == SectionMirror && slices.Contains(sections, SectionMirror) {
			return true
		}
	}
	return slices.Contains(sections, above[len(above)-1].Section)
}
