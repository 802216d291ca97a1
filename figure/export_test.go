package figure

import (
	"context"
	"slices"

	"pillbox/internal/geom2"
	"pillbox/internal/ink"
)

// Marks returns the lines and texts of a figure.
func (f *Figure) Marks() []ink.Mark { return f.page.Marks }

// Stripes are the lines of a hatch on a square of a legend.
var Stripes = stripes

// RowsUntilRefused compares rows of places with as many obstacles, which are all above the rows, until the work is refused. It
// returns the number of rows.
func RowsUntilRefused(obstacles int) (rows int) {
	around := slices.Repeat([]*obstacle{{bounds: geom2.Rect(0, 0, 1, 1)}}, obstacles)
	l := layout{ctx: context.Background()}
	for ; l.err() == nil && rows < 1<<12; rows++ {
		l.row(around, geom2.Rect(0, 2, 1, 3), 1)
	}
	return rows
}
