package scenes_test

import (
	"fmt"
	"io/fs"

	"pillbox/scenes"
)

func ExampleFiles() {
	names, err := fs.Glob(scenes.Files(), "demo*")
	fmt.Println(names, err)
	// Output: [demo.toml] <nil>
}
