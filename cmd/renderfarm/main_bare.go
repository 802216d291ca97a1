//go:build js || plan9

// Command renderfarm spreads the work of render over machines. It is not there for this system, which the
// libraries for NATS do not know.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "renderfarm: not there for this system; render --shard and render assemble are")
	os.Exit(2)
}
