package golden

import (
	"path/filepath"
	"strings"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/text"
	"pillbox/suite"
)

// A resultPrinter prints results as soon as possible. It keeps those that may have a cause in common with others until all
// results are known, and then prints each common cause once, with the results that it changed.
type resultPrinter struct {
	*goldens
	json      bool
	proposals bool // the new pictures are beside the goldens
	shorten   bool // print only the first of many new scenes

	kept []*suite.Result // results that differ
	news int             // number of new scenes so far, except renamed ones
	last *Record         // in JSON, the last record, which also contains the common causes
}

// print prints a result, or keeps it.
func (p *resultPrinter) print(r *suite.Result) {
	if r.Why != nil {
		p.kept = append(p.kept, r)
	}
	switch {
	case p.json:
		p.flush()
		record := p.record(r)
		p.last = &record
	case p.shorten && isPlainNew(r):
		if p.news++; p.news <= mostNew {
			p.printLine(0, r)
		}
	case !r.MayShareCauses():
		p.printLine(0, r)
	}
}

// mostNew is the largest number of new scenes that are listed, if a list is shortened.
const mostNew = 20

// isPlainNew reports whether all that is to say about a result is that nothing was accepted yet.
func isPlainNew(r *suite.Result) bool {
	return r.Verdict == suite.New && r.RenamedFrom == "" && len(r.Details()) == 1
}

// flush prints the last record.
func (p *resultPrinter) flush() {
	if p.last != nil {
		command.PrintJSON(p.Out, []Record{*p.last})
		p.last = nil
	}
}

// end prints what is left after the last result.
func (p *resultPrinter) end() {
	causes := suite.FindSharedCauses(p.kept)
	if p.json {
		if p.last != nil {
			p.last.Causes = causeRecords(causes)
		}
		p.flush()
		return
	}
	if more := p.news - mostNew; more > 0 {
		p.Out.Printf("%s: no picture was accepted yet\n", text.Count(more, "more new scene"))
	}
	for _, r := range causes.Rest(p.kept) {
		if r.MayShareCauses() { // otherwise it was printed
			p.printLine(0, r)
		}
	}
	for _, c := range causes {
		p.printCause(c, 0)
		var pictures []string
		for _, change := range c.Most() {
			pictures = append(pictures, filepath.ToSlash(change.Result.Proposal()))
		}
		if p.proposals {
			p.printIndented("most changed: " + strings.Join(pictures, ", "))
		}
	}
}

// mostListed is the largest number of results that are listed for a common cause.
const mostListed = 40

// printCause prints a cause that several results have in common, starting at the given column.
func (g *goldens) printCause(c *suite.SharedCause, column int) {
	g.Out.Printf("%s\n", g.Out.Flow(column, c.Title(filepath.ToSlash)))
	g.printIndented(c.List(mostListed))
}

// printIndented prints a paragraph below the line of a result or a cause.
func (g *goldens) printIndented(paragraph string) {
	g.Out.Printf("%*s%s\n", cli.FlowIndent, "", g.Out.FlowFrom(cli.FlowIndent, 2*cli.FlowIndent, paragraph))
}
