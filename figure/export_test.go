package figure

import "pillbox/internal/ink"

// Marks returns the lines and texts of a figure.
func (f *Figure) Marks() []ink.Mark { return f.page.Marks }

// Stripes are the lines of a hatch on a square of a legend.
var Stripes = stripes

// Ticks returns the texts of the numbers beside a color bar.
func Ticks(r [2]float64, length, distance float64) (texts []string) {
	for _, x := range ticks(r, length, distance) {
		texts = append(texts, x.text)
	}
	return texts
}
