package programtest

import (
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// cobra keeps the completion function of every flag for the rest of the process, and with it the whole program that the
// flag belongs to. A test process that runs the program a thousand times would keep a thousand programs, and most of its
// processor time would be garbage collection.
var (
	//go:linkname flagCompletionFunctions github.com/spf13/cobra.flagCompletionFunctions
	flagCompletionFunctions map[*pflag.Flag]cobra.CompletionFunc
	//go:linkname flagCompletionMutex github.com/spf13/cobra.flagCompletionMutex
	flagCompletionMutex *sync.RWMutex
)

// forgetPrograms takes away the completion functions of all programs that were built.
func forgetPrograms() {
	flagCompletionMutex.Lock()
	defer flagCompletionMutex.Unlock()
	clear(flagCompletionFunctions)
}
