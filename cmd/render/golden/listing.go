package golden

import (
	"path/filepath"
	"strings"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/suite"
)

// A resultPrinter prints results as soon as possible. It keeps those that may have a cause in common with others until all
// results are known, and then prints each common cause once, with the results that it changed.
type resultPrinter struct {
	*goldens
	json      bool
	proposals bool // the new pictures are beside the goldens

	kept []*suite.Result // results that differ
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
	case !r.MayShareCauses():
		p.printLine(0, r)
	}
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
