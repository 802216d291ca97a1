// Figures draws the figures of the lessons that illustrate an idea instead of a ray of a scene.
//
//	go run ./figures NAME OUT.png
//
// It prints the numbers that the figure shows.
package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"

	"pillbox/internal/chart"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("want NAME OUT.png, where NAME is beam, cut or slabs"))
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "figures:", err)
	os.Exit(2)
}

// run writes a figure to a file and prints its numbers.
func run(name, file string) error {
	draw, ok := map[string]func() (*chart.Drawing, string){"beam": beam, "cut": cut, "slabs": slabs}[name]
	if !ok {
		return fmt.Errorf("no figure %q", name)
	}
	d, numbers := draw()
	var data bytes.Buffer
	if err := png.Encode(&data, d.Image()); err != nil {
		return err
	}
	fmt.Print(numbers)
	return os.WriteFile(file, data.Bytes(), 0o666)
}
