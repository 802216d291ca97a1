package markup_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/problem"
)

// TestWrongPlaces checks the position in an error about an attribute. It must be that of the value, in characters,
// however the tag is formatted.
func TestWrongPlaces(t *testing.T) {
	root, err := markup.Parse("f", strings.NewReader("\ufeff<?xml version='0.0' encoding='latin1'?>\n<!-- ä --><ä b = \"x\" c\n=\n  '1 >' xmlns:d=\"u\" d:e=\"é\n2\"><f/></ä>\x00"))
	if err != nil {
		t.Fatal(err)
	}
	for attr, want := range map[string]string{"": "2:11 2", "b": "2:19 1", "c": "4:4 3", "e": "4:26 1", "none": "2:11 2"} {
		p := root.Wrong(attr, problem.CodeSyntax, "")
		if got := fmt.Sprintf("%d:%d %d", p.Line, p.Column, p.EndColumn-p.Column); got != want {
			t.Errorf("%q is at %s, want %s", attr, got, want)
		}
	}
	if p := root.Child("f").Where(); p.Line != 5 || p.Column != 4 || root.Child("g") != nil {
		t.Errorf("f is at %d:%d", p.Line, p.Column)
	}
}

// FuzzParse checks that no input causes a panic, and that every error has a position in the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{`<a b="1 2" c='x>'/>`, "<a\n b\n=\n\"1\"><c/></a>", "\ufeff<a><![CDATA[x]]>&lt;</a>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a b=\"&b;\"/>", "<a:b c:d='1'/>", "<a></b>", "<?xml version='9'\n?><a/>\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		check := func(err error) {
			var p *problem.Error
			if !errors.As(err, &p) || p.Line < 1 || p.Line > lines || p.Column < 1 || p.EndColumn <= p.Column {
				t.Fatalf("error %#v in %d lines", err, lines)
			}
		}
		root, err := markup.Parse("f", strings.NewReader(text))
		if err != nil {
			check(err)
			return
		}
		var walk func(e *markup.Element)
		walk = func(e *markup.Element) {
			for _, a := range e.Attrs {
				check(e.Wrong(a.Name.Local, problem.CodeSyntax, "wrong"))
				if _, err := e.Floats(a.Name.Local, 1, 3); err != nil {
					check(err)
				}
			}
			for _, c := range e.Children {
				walk(c)
			}
		}
		walk(root)
	})
}

func Example() {
	root, err := markup.Parse("f.xml", strings.NewReader("<a>\n  <b size='1 2 3'/>\n</a>"))
	if err != nil {
		fmt.Println(err)
		return
	}
	b := root.Child("b")
	fmt.Println(b.Vector("size", geom.Vec3{}))
	fmt.Println(b.Float("size", 0))
	// Output:
	// [1, 2, 3] <nil>
	// 0 f.xml:2:12: b.size: must be 1 number, got "1 2 3"
}
