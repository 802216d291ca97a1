package suite_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pillbox/suite"
)

const drawing = `
[image]
width = 48
height = 36

[camera]
position = [0, 1, 8]
look_at = [0, 1, 0]

[[sphere]]
name = "ball"
center = [0, 1, 0]
radius = 1
`

// Example accepts a scene, changes it, and checks it.
func Example() {
	dir, err := os.MkdirTemp("", "suite")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "ball.toml")
	os.WriteFile(file, []byte(drawing), 0o666)
	options := suite.Options{Scenes: []string{file}}

	refs, err := suite.Find(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := suite.Judge(context.Background(), options, refs[0])
	fmt.Println(r)
	if err := r.Accept(write); err != nil {
		fmt.Println(err)
		return
	}

	os.WriteFile(file, []byte(strings.Replace(drawing, "radius = 1", "radius = 1.1", 1)), 0o666)
	for r, err := range suite.Check(context.Background(), options) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s, %d pixels of %v\n", r.Name, r.Verdict, r.Diff.Changed, r.Diff.Got)
		fmt.Println(r.Edits()[0].Text)
	}
	// Output:
	// ball: new: no picture was accepted yet
	// ball: changed, 148 pixels of (48,36)
	// sphere[0].radius of "ball", 1 to 1.1
}

// write is a suite.WriteFunc for a folder that no other process uses at the same time.
func write(name string, fill func(io.Writer) error) error {
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}
