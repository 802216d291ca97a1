package aov

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WritePFM writes the view's values as a portable float map. The file has a header in text: "PF" for three
// channels or "Pf" for one, width and height, and -1.0 for little-endian. 32-bit floats follow, the bottom row
// first. The format is Paul Debevec's, of HDR Shop, 2001.
func (v *View) WritePFM(w io.Writer) error {
	magic := "Pf"
	if v.Kind.Channels() == 3 {
		magic = "PF"
	}
	size := v.Region.Size()
	if _, err := fmt.Fprintf(w, "%s\n%d %d\n-1.0\n", magic, size.X, size.Y); err != nil {
		return err
	}
	n := size.X * v.Kind.Channels()
	row := make([]byte, 0, 4*n)
	for y := size.Y - 1; y >= 0; y-- {
		row = row[:0]
		for _, x := range v.Values[y*n:][:n] {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}
