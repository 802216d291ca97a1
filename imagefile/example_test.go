package imagefile_test

import (
	"fmt"

	"pillbox/imagefile"
)

func ExampleReadPNG() {
	img, err := imagefile.ReadPNG("../golden/sphere.png")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Size())
	// Output: (320,240)
}
