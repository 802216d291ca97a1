package text

import (
	"regexp"
	"sync"
)

// Pattern returns a function that returns the compiled regular expression. It compiles the expression at the first
// call, so a program that does not need the pattern does not pay for it when it starts. The function panics if the
// expression is invalid. It is safe for concurrent use.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
