package overlap_test

import (
	"fmt"
	"log"

	"pillbox/overlap"
	"pillbox/scene"
)

func ExampleDescribe() {
	data := []byte(`[[capsule]]
name = "arm"
a = [0, 0, 0]
b = [2, 0, 0]
radius = 0.5

[[sphere]]
name = "hand"
center = [2.75, 0, 0]
radius = 0.5
`)
	s, err := scene.Decode("arm.toml", data)
	if err != nil {
		log.Fatal(err)
	}
	notes, all := overlap.Describe(s, data, 100)
	fmt.Println(all, "pair")
	for _, n := range notes {
		fmt.Println(n)
	}
	// Output:
	// 1 pair
	// arm.toml:7:1: note: sphere[0]: "hand" overlaps capsule "arm" at line 1, 0.25 deep
}
