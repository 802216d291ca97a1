package escape_test

import (
	"fmt"

	"pillbox/escape"
)

func Example() {
	const name = "::error::\x1b[31mboo.toml"
	fmt.Println(escape.Name("scene.toml"))
	fmt.Println(escape.Name(name))
	fmt.Println("open " + escape.Text(name) + ": no such file")
	// Output:
	// scene.toml
	// "::error::\x1b[31mboo.toml"
	// open \x3a:error::\x1b[31mboo.toml: no such file
}
