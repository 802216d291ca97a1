// Package text builds the text of messages and reports, in English, and makes text from outside safe
// to show.
//
// Names of files and the words in them may contain anything except a slash and a zero byte: a line
// break that fakes a line of output, a terminal escape sequence, characters that reverse the direction
// of writing, bytes that are not UTF-8, and commands of GitHub Actions, which obeys lines of a log
// that begin with "::" and whatever follows "##[". The Escape functions remove all of that for a
// terminal, the log of a CI server, Markdown or JSON, and leave harmless text unchanged. Package
// html/template does the same for HTML, and encoding/xml for XML.
package text

import (
	"fmt"
	"strings"
)

// Count returns how many there are of what the noun names: "1 pixel", "3 pixels", "0 pixels". The
// noun is one that forms its plural with an s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Series returns items as a sentence names them, with the conjunction before the last: "a", "a or b",
// "a, b or c". It returns "" for no items.
func Series(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}
