// Package text builds the text of messages and reports, in English, and makes text from outside safe to show.
//
// The names and contents of files can contain dangerous text: a line break that fakes a line of output, a terminal
// escape sequence, characters that reverse the direction of writing, or bytes that are not UTF-8. They can also contain
// a command to GitHub Actions, which executes lines of a log that begin with "::" and text after "##[". The Escape
// functions make all of this harmless in a terminal, the log of a CI server, Markdown or JSON. They do not change
// harmless text. Package html/template does the same for HTML, and encoding/xml for XML.
package text

import (
	"fmt"
	"strings"
)

// Count returns a number and a noun: "1 pixel", "3 pixels", "0 pixels". The noun must form its plural
// with an s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Series joins items as in a sentence, with the conjunction before the last: "a", "a or b", "a, b or
// c". It returns "" for no items.
func Series(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}
