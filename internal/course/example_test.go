package course_test

import (
	"context"
	"fmt"

	"pillbox/internal/course"
)

// Example grades a program that answers that every line misses the sphere.
func Example() {
	sphere, _ := course.Find("sphere")
	exam, err := sphere.Exam(course.Options{Count: 10, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range exam.Len() {
		answer := fmt.Appendf(nil, `{"id":%d,"count":0,"t":[],"points":[],"normals":[]}`, i)
		if err := exam.Judge(answer); err != nil {
			fmt.Println(err)
			return
		}
	}
	v, err := exam.Verdict(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("passed:", v.Passed)
	fmt.Println("first:", v.First.Class, v.First.Case)
	fmt.Printf("%s: %s\n", v.First.Field, v.First.Problem)
	// Output:
	// passed: false
	// first: ordinary through
	// count: the whole line crosses the surface twice; your answer is that it misses the solid
}
