package explain

import (
	"bufio"
	"io"
	"strings"
)

// WriteMarkdown writes the document as Markdown. Derivations and lists are blocks of code. The last line links to the
// glossary.
func (d *Document) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w) // keeps its first error
	for i, b := range d.Blocks() {
		if i > 0 {
			out.WriteByte('\n')
		}
		switch b := b.(type) {
		case Heading:
			out.WriteString(strings.Repeat("#", min(b.Level, 6)) + " " + markdownEscaped(b.Text) + "\n")
		case Answer:
			out.WriteString("**" + markdownEscaped(b.Text) + "**\n")
		case Shares:
			out.WriteString(markdownEscaped(sharesText(b.Parts)) + "\n")
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

// glossary is the path, in the repository, of a page that explains each term in a line.
const glossary = "docs/lessons/glossary.md"

// markdownEscaped escapes the characters that have a meaning in Markdown.
func markdownEscaped(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`,
	).Replace(text)
}
