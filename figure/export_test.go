package figure

import "pillbox/internal/ink"

// Marks returns the lines and texts of a figure.
func (f *Figure) Marks() []ink.Mark { return f.page.Marks }
