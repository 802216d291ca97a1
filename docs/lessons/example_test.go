package lessons_test

import (
	"fmt"
	"io/fs"

	"pillbox/docs/lessons"
)

func ExampleFiles() {
	names, err := fs.Glob(lessons.Files(), "sphere.*")
	fmt.Println(names, err)
	// Output: [sphere.md sphere.toml] <nil>
}
