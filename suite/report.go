package suite

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
)

// A Report shows results as a page of HTML, the worst first. Of the identical results it shows only the
// names.
type Report struct {
	Results []*Result // in the order of the references, released
	Tally   Tally

	items []*reportItem // results that are not identical, the worst first
	same  []string      // the names of the identical ones
}

// MakeReport judges and studies references. For each pending one, the report shows the command that
// accept returns. If ctx ends, MakeReport returns the cause of ctx.
func MakeReport(ctx context.Context, o Options, refs []Reference, accept CommandFunc) (*Report, error) {
	type finding struct {
		*Result
		item *reportItem // nil if identical
	}
	o.Limit.begin(len(refs))
	findings := inOrder(refs, func(ref Reference) finding {
		r := Judge(ctx, o, ref)
		r.Study(ctx)
		f := finding{Result: r}
		if r.Verdict != Identical && ctx.Err() == nil {
			f.item = newReportItem(r, accept)
		}
		r.Release()
		return f
	})
	report := &Report{Tally: make(Tally)}
	for f := range findings {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		report.Results = append(report.Results, f.Result)
		report.Tally[f.Verdict]++
		if f.item == nil {
			report.same = append(report.same, f.Name)
		} else {
			report.items = append(report.items, f.item)
		}
	}
	report.sort()
	return report, nil
}

// sort puts the worst items first and numbers them.
func (p *Report) sort() {
	order := worstFirst()
	slices.SortStableFunc(p.items, func(a, b *reportItem) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	for i, item := range p.items {
		item.ID = fmt.Sprintf("golden-%d", i+1)
	}
}

//go:embed report.html
var reportHTML string

// WriteHTML writes the report as one self-contained HTML page. For each result that is not identical it shows the
// available pictures, the figures and the cause. Pictures that were changed or tolerated are shown side by side, under
// a slider and blinking, with their difference and the visible solids.
func (p *Report) WriteHTML(w io.Writer) error {
	page := struct {
		Summary string
		Counts  []reportCount
		Items   []*reportItem
		Same    []string
	}{Summary: p.Tally.String(), Items: p.items, Same: p.same}
	for _, v := range worstFirst() {
		if n := p.Tally[v]; n > 0 {
			page.Counts = append(page.Counts, reportCount{v, n, classOf(v)})
		}
	}
	t, err := template.New("report").Parse(reportHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

type reportCount struct {
	Verdict Verdict
	Number  int
	Class   string
}
