package osfile_test

import (
	"fmt"

	"pillbox/internal/osfile"
)

func ExampleReadPNG() {
	img, err := osfile.ReadPNG("../../golden/sphere.png")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Size())
	// Output: (320,240)
}
