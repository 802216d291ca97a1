package binarycif_test

import (
	"fmt"

	"pillbox/internal/convert/binarycif"
	"pillbox/internal/convert/binarycif/bciftest"
)

func Example() {
	blocks, err := binarycif.Parse(bciftest.File(bciftest.Category("_atom_site", 2, bciftest.Strings("type_symbol", []string{"C", "O"}, nil))))
	if err != nil {
		fmt.Println(err)
		return
	}
	table := blocks[0].Categories[0]
	symbols, err := table.Decode(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range table.Rows {
		fmt.Printf("%s.%s %s\n", table.Name, table.Columns[0], symbols.AppendText(nil, row))
	}
	// Output:
	// _atom_site.type_symbol C
	// _atom_site.type_symbol O
}
