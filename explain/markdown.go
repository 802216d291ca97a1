package explain

import (
	"bufio"
	"io"
	"strings"
)

// WriteMarkdown writes the document as Markdown, with derivations and lists as blocks of
// code, and a link to the glossary below.
func (d *Document) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w) // keeps its first error
	for i, b := range d.Blocks() {
		if i > 0 {
			out.WriteByte('\n')
		}
		switch b := b.(type) {
		case Heading:
			out.WriteString(strings.Repeat("#", min(b.Level, 6)) + " " + markdownEscaped(b.Text) + "\n")
		case Paragraph:
			out.WriteString(markdownEscaped(b.Text) + "\n")
		default:
			out.WriteString("```text\n")
			t := &textWriter{out: out, style: TextStyle{Columns: usualColumns}}
			t.block(b)
			out.WriteString("```\n")
		}
	}
	out.WriteString("\nThe words: [glossary](" + glossary + ")\n")
	return out.Flush()
}

// glossary says in a line what each term means, in the project's own folder.
const glossary = "docs/lessons/glossary.md"

// markdownEscaped returns text with the characters escaped that Markdown would take for its
// own.
func markdownEscaped(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`,
	).Replace(text)
}
