//go:build !js || !wasm

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "wasm: runs in a browser alone; build it with GOOS=js GOARCH=wasm")
	os.Exit(2)
}
