package suite

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"pillbox/internal/regress"
)

// TestReportsShowEveryCharacter checks that names with control characters, and with characters that change the direction of
// text, are shown with escapes in reports.
func TestReportsShowEveryCharacter(t *testing.T) {
	const name, want = "a\u202egnp.b\x1b[31m\u200bc", `a\u202egnp.b\x1b[31m\u200bc`
	r := result(name, Failed, errors.New(name+": broken"))
	same := result(name, Identical, nil)
	var junit, page strings.Builder
	if err := WriteJUnit(&junit, []*Result{r, same}, inRepository); err != nil {
		t.Fatal(err)
	}
	report := Report{Results: []*Result{r, same}, Tally: Tally{Failed: 1, Identical: 1},
		items: []*reportItem{newReportItem(t.Context(), r, func(*Reference) string { return name })}, same: []string{name}}
	if err := report.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"JUnit": junit.String(), "page": page.String()} {
		if strings.ContainsAny(text, "\u202e\x1b\u200b\ufffd") || strings.Count(text, want) < 3 {
			t.Errorf("%s: the name is not escaped everywhere:\n%s", what, text)
		}
	}
}

func TestWriteJUnit(t *testing.T) {
	moved := result("pills", Changed, nil)
	moved.Why = &Why{regress.Report{Text: "Cause: <moved>"}}
	var b strings.Builder
	err := WriteJUnit(&b, []*Result{
		result("ball", Failed, errors.New("sphere[0].radius: must be positive")),
		result("fourth & <last>", New, nil),
		moved,
		result("second", Identical, nil),
	}, inRepository)
	if err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(b.String()), &suites); err != nil {
		t.Fatal(err)
	}
	s := suites.Suites[0]
	if s.Tests != 4 || s.Failures != 2 || s.Errors != 1 || len(s.Cases) != 4 {
		t.Fatalf("got %+v", s)
	}
	if c := s.Cases[0]; c.Name != "ball" || c.File != "p/scenes/ball.toml" || c.Error == nil || !strings.Contains(c.Error.Message, "sphere[0].radius") {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[1]; c.Name != "fourth & <last>" || c.Failure == nil || c.Failure.Type != "new" {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[2]; c.Name != "pills" || c.Failure == nil || c.Failure.Text != "Cause: <moved>" {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[3]; c.Name != "second" || c.Failure != nil || c.Error != nil {
		t.Errorf("got %+v", c)
	}
}
