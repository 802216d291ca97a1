// Package words puts together the words of messages and reports: how many there are of something,
// and which. The language is English.
package words

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
// "a, b or c". There is no text for none.
func Series(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}
