package text_test

import (
	"fmt"

	"pillbox/internal/text"
)

func Example() {
	const name = "::error::\x1b[31mboo.toml"
	fmt.Println(text.EscapeName("scene.toml"))
	fmt.Println(text.EscapeName(name))
	fmt.Println("open " + text.Escape(name) + ": no such file")
	// Output:
	// scene.toml
	// "::error::\x1b[31mboo.toml"
	// open \x3a:error::\x1b[31mboo.toml: no such file
}
