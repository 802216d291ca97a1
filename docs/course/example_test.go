package course_test

import (
	"fmt"
	"io/fs"

	"pillbox/docs/course"
)

func ExampleFiles() {
	names, err := fs.Glob(course.Files(), "*-sphere.md")
	fmt.Println(names, err)
	// Output: [01-sphere.md] <nil>
}
