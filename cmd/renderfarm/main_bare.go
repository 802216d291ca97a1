//go:build js || plan9

// Command renderfarm distributes the work of render over machines. It does not support this operating system,
// because the libraries for NATS do not.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "renderfarm: not supported on this system; use 'render --shard' and 'render assemble'")
	os.Exit(2)
}
