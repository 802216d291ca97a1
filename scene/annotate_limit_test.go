package scene

import (
	"fmt"
	"strings"
	"testing"
)

// TestTooManyAnnotations checks that more annotations than Validate accepts are an error in the scene's
// file, even if parts contain them.
func TestTooManyAnnotations(t *testing.T) {
	label := "[[label]]\ntext = \"a\"\nat = [0, 0, 0]\n"
	dimension := "[[dimension]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n"
	part := "[part.p]\nlabel = [{ text = \"a\", at = [0, 0, 0] }]\n"
	place := func(copies int) string {
		return fmt.Sprintf("[[place]]\npart = \"p\"\ncount = %d\nstep = { position = [1, 0, 0] }\n", copies)
	}
	for _, c := range []struct{ text, want string }{
		{strings.Repeat(label, MaxAnnotations), ""},
		{strings.Repeat(label, MaxAnnotations-1) + dimension, ""},
		{strings.Repeat(label, MaxAnnotations+2), fmt.Sprintf("s.toml:%d:1: label[%d]: a scene must have at most 4096 annotations, but has 4098", 3*MaxAnnotations+1, MaxAnnotations)},
		{strings.Repeat(label, MaxAnnotations-1) + dimension + dimension, fmt.Sprintf("s.toml:%d:1: dimension[1]: a scene must have at most 4096 annotations, but has 4097", 3*MaxAnnotations+1)},
		{part + label + place(MaxAnnotations-1), ""},
		{part + label + place(MaxAnnotations), "s.toml:6:1: place[0]: placements must make at most 4095 annotations, but they make 4096, 4096 of them here"},
	} {
		s, err := Decode("s.toml", []byte(c.text))
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d bytes: %v", len(c.text), err)
		} else if err := s.Validate(); err != nil {
			t.Errorf("a decoded scene is not valid: %v", err)
		}
	}
}
