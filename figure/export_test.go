package figure

import "pillbox/internal/ink"

// Marks returns the lines and texts of a figure.
func (f *Figure) Marks() []ink.Mark { return f.page.Marks }

// Stripes are the lines of a hatch on a square of a legend.
var Stripes = stripes
