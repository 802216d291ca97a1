package explain

import "pillbox/explain/formula"

// Document is an explanation as text: headings, sentences, equations and lists. It can be
// written for a terminal and as Markdown.
type Document struct{ blocks []block }

// block is a heading, a paragraph, a list of items or a derivation.
type block any

type (
	heading struct {
		level int // 1 for the title
		text  string
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

func (d *Document) heading(level int, text string) { d.blocks = append(d.blocks, heading{level, text}) }

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
