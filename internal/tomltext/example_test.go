package tomltext_test

import (
	"fmt"

	"pillbox/internal/tomltext"
)

// Example reports the position of a value that is not an integer, as a program does that expects one.
func Example() {
	data := []byte("[image]\nwidth = \"wide\"\n")
	root, err := tomltext.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	width := root["image"].(map[string]any)["width"]
	if _, ok := width.(int64); !ok {
		text, _ := tomltext.Text(data)
		at := tomltext.Locate(text, []string{"image.width"})["image.width"].Value
		fmt.Printf("byte %d: want an integer, got %s\n", at.Start, text[at.Start:at.End])
	}
	// Output: byte 16: want an integer, got "wide"
}
