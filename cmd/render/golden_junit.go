package main

import (
	"encoding/xml"
	"io"
)

// The elements of a JUnit file, as far as CI servers agree on them.
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

// writeJUnit writes judgements as a JUnit file. Times are left out, so that two runs write
// the same.
func writeJUnit(w io.Writer, list []*judgement) error {
	const name = "golden"
	s := junitSuite{Name: name, Tests: len(list)}
	for _, j := range list {
		c := junitCase{Name: j.name, Class: name, File: j.scene}
		message := string(j.verdict) + j.detail()
		found := &junitFailure{Type: string(j.verdict), Message: message, Text: j.sentence()}
		switch {
		case j.verdict == failed:
			c.Error = found
			s.Errors++
		case j.verdict.pending():
			c.Failure = found
			s.Failures++
		case j.verdict == tolerated:
			c.Output = message
		}
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
