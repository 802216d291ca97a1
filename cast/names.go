package cast

import (
	"bufio"
	"io"
	"strconv"

	"pillbox/scene"
)

// WriteNames writes a table of the solids of a scene as CSV. It has a header and, in the order of their numbers, a
// row for each solid: its number as in [Hit], its kind and its name, which may be empty. Names are written as
// [Stream] writes them in CSV.
func WriteNames(w io.Writer, s *scene.Scene) error {
	e := encoder{Options: &Options{Format: CSV}}
	out := bufio.NewWriter(w)
	out.WriteString("object,kind,name\n")
	for number := range s.Objects.Len() {
		kind, _ := s.Of(number)
		out.WriteString(strconv.Itoa(number) + "," + kind.String() + "," + e.text(s.Objects.Name(number)) + "\n")
	}
	return out.Flush()
}
