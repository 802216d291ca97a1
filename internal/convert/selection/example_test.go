package selection_test

import (
	"fmt"

	"pillbox/internal/convert/selection"
)

func Example() {
	s, err := selection.Parse("chain A and not water")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := s.Of(molecule{
		{Name: "CA", Chain: "A", Class: selection.Protein},
		{Name: "O", Chain: "A", Class: selection.Water},
		{Name: "CA", Chain: "B", Class: selection.Protein},
	})
	fmt.Println(r.Selected)

	_, err = selection.Parse("chain A and not watr")
	fmt.Println(err)
	// Output:
	// [true false false]
	// column 17: want a selection such as chain A, ligand or not water, got "watr"; did you mean "water"?
}
