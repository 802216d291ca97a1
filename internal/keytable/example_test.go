package keytable_test

import (
	"fmt"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
)

func ExampleKeys() {
	type ball struct {
		radius float64
		isRed  bool
	}
	keys := keytable.Keys[ball]{List: []keytable.Key[ball]{
		{Name: "radius", Form: keytable.NumberForm(keytable.Sizes()), Required: true, Field: func(b *ball) any { return &b.radius }},
		{Name: "red", Form: keytable.BooleanForm(), Unset: false, Field: func(b *ball) any { return &b.isRed }},
	}}

	file := []byte("radius = -2\n")
	values, _ := tomltext.Parse(file)
	report := &keytable.Report{File: "ball.toml", Text: file, Readable: file}
	b, _, _ := keys.Read(report.Table(""), values)
	fmt.Println(b.isRed)
	fmt.Println(report.InOrder())
	// Output:
	// false
	// ball.toml:1:10: radius: must be positive and finite, got -2
}
