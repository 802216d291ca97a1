package suite

import (
	"encoding/xml"
	"io"
	"strings"

	"pillbox/internal/text"
)

// The elements of a JUnit file that CI servers agree on.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Error   *junitFailure `xml:"error"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes results as a JUnit file. It omits times, so that two runs write equal files. Control characters, and
// characters that change the direction of text, are escaped.
// CI servers expect paths relative to the root of the repository, which path returns.
func WriteJUnit(w io.Writer, results []*Result, path PathFunc) error {
	const name = "golden"
	s := junitSuite{Name: name, Tests: len(results)}
	for _, r := range results {
		c := junitCase{Name: text.Escape(r.Name), Class: name}
		if r.Scene != "" {
			c.File = text.Escape(path(r.Scene))
		}
		found := &junitFailure{Type: string(r.Verdict), Message: text.EscapeLines(r.Summary()), Text: text.EscapeLines(r.Cause())}
		switch {
		case r.Verdict == Failed:
			c.Error = found
			s.Errors++
		case r.Verdict.Pending():
			c.Failure = found
			s.Failures++
		case r.Verdict == Tolerated:
			c.Output = r.Summary()
		}
		for _, warning := range r.Warnings {
			c.Output += "\nwarning: " + warning
		}
		c.Output = text.EscapeLines(strings.TrimPrefix(c.Output, "\n"))
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Suites: []junitSuite{s}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
