package explain

import (
	"slices"

	"pillbox/internal/explain/formula"
)

// Document is an explanation as text: headings, sentences, equations and lists. It can be
// written for a terminal and as Markdown.
type Document struct{ blocks []block }

// block is a heading, a paragraph, a list of items or a derivation.
type block any

type (
	heading struct {
		level   int // 1 for the title
		section Section
		text    string
	}
	paragraph struct{ text string }
	item      struct {
		depth   int
		text    string
		verdict formula.Verdict
	}
	list      struct{ items []item }
	equations struct{ steps []formula.Step }
)

func (d *Document) heading(level int, text string) { d.section(level, "", text) }

// section adds a heading of a part that can be selected.
func (d *Document) section(level int, s Section, text string) {
	d.blocks = append(d.blocks, heading{level, s, text})
}

func (d *Document) paragraph(text string) { d.blocks = append(d.blocks, paragraph{text}) }

func (d *Document) list(items []item) {
	if len(items) > 0 {
		d.blocks = append(d.blocks, list{items})
	}
}

func (d *Document) equations(steps []formula.Step) {
	if len(steps) > 0 {
		d.blocks = append(d.blocks, equations{steps})
	}
}

// Section names a part of the explanation of a pixel or a ray.
type Section string

// The sections, in the order in which a document has them.
const (
	SectionCamera  Section = "camera"  // the ray
	SectionTree    Section = "tree"    // its way through the tree
	SectionTests   Section = "tests"   // the solids that it is tested against
	SectionHit     Section = "hit"     // where it ends: the winner, point and normal
	SectionLights  Section = "lights"  // what arrives there, and what blocks the others
	SectionMirror  Section = "mirror"  // mirror rays, with all that they meet
	SectionColor   Section = "color"   // what comes of it
	SectionLine    Section = "line"    // both ends of the whole line in a solid
	SectionSamples Section = "samples" // the other samples of the pixel
	SectionPixel   Section = "pixel"   // what the picture shows
)

// Sections returns all sections.
func Sections() []Section {
	return []Section{
		SectionCamera, SectionTree, SectionTests, SectionHit, SectionLights,
		SectionMirror, SectionColor, SectionLine, SectionSamples, SectionPixel,
	}
}

// Select returns a document of the title, what stands below it, and the given sections, wherever they
// are: of mirror rays and further samples, too, each below the headings that say of which. Of a
// document without sections that is all but its title.
func (d *Document) Select(sections ...Section) *Document {
	out := &Document{}
	var above []heading // the heading that stands, and those above it
	written := 0        // how many of them
	for _, b := range d.blocks {
		if h, ok := b.(heading); ok {
			for len(above) > 0 && above[len(above)-1].level >= h.level {
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
		if _, ok := b.(heading); !ok {
			out.blocks = append(out.blocks, b)
		}
	}
	return out
}

// isSelected reports whether what stands below some headings belongs to one of the sections.
func isSelected(above []heading, sections []Section) bool {
	if len(above) == 1 {
		return true // the title
	}
	for _, h := range above {
		if h.section == SectionMirror && slices.Contains(sections, SectionMirror) {
			return true
		}
	}
	return slices.Contains(sections, above[len(above)-1].section)
}
