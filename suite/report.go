package suite

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/text"
)

// A Report shows results as a page of HTML, the worst first. Of the identical results it shows only the
// names.
type Report struct {
	Results []*Result // in the order of the references, released
	Tally   Tally

	items []*reportItem // results that are not identical, the worst first; without those that only causes list
	same  []string      // the names of the identical ones

	causes []reportCause // what several results have in common
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
			f.item = newReportItem(ctx, r, accept)
		}
		r.Release()
		return f
	})
	report := &Report{Tally: make(Tally)}
	items := make(map[*Result]*reportItem)
	tops := make(topItems)
	for f := range findings {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		report.Results = append(report.Results, f.Result)
		report.Tally[f.Verdict]++
		if f.item == nil {
			report.same = append(report.same, f.Name)
			continue
		}
		items[f.Result] = f.item
		report.items = append(report.items, f.item)
		tops.addItem(f.Result, f.item)
	}
	report.items = slices.DeleteFunc(report.items, func(item *reportItem) bool { return item.dropped })
	report.sort()
	report.findCauses(items)
	return report, nil
}

// topItems holds, by the id of a possible cause, the items that it changes most, so that the pictures of others need not be
// kept.
type topItems map[string][]topItem

type topItem struct {
	Change
	*reportItem
}

// addItem adds an item. It drops an item that is no longer among the most changed ones of any of its causes.
func (t topItems) addItem(r *Result, item *reportItem) {
	if !r.MayShareCauses() {
		return
	}
	for _, c := range r.possibleCauses() {
		top := append(t[c.id], topItem{Change{r, c.pixels}, item})
		item.uses++
		slices.SortStableFunc(top, func(a, b topItem) int { return cmp.Compare(b.size(), a.size()) })
		if len(top) > mostPictures {
			top[mostPictures].drop()
			top = top[:mostPictures]
		}
		t[c.id] = top
	}
}

// drop counts a cause less for which the item is shown, and drops the item if none is left.
func (item *reportItem) drop() {
	if item.uses--; item.uses == 0 {
		item.dropped = true
		item.Pictures, item.Objects, item.Clusters = nil, nil, nil
	}
}

// A reportCause is a cause that several results have in common, as the report's template needs it.
type reportCause struct {
	ID, Text, Place string
	Changed         []reportChange
	Items           []*reportItem // the most changed ones that no earlier cause shows
}

type reportChange struct{ Name, ID, Change string }

// findCauses moves the items that shared causes show from the list of all items to these causes.
func (p *Report) findCauses(items map[*Result]*reportItem) {
	for i, c := range FindSharedCauses(p.Results) {
		cause := reportCause{ID: fmt.Sprintf("cause-%d", i+1), Text: c.Text}
		if c.At.File != "" {
			cause.Place = fmt.Sprintf("%s:%d", filepath.ToSlash(c.At.File), c.At.Line)
		}
		for k, change := range c.Changed {
			item := items[change.Result]
			cause.Changed = append(cause.Changed, reportChange{change.Result.Name, item.ID, strings.TrimPrefix(change.String(), change.Result.Name+" ")})
			if at := slices.Index(p.items, item); k < mostPictures && at >= 0 && change.Result.MayShareCauses() {
				cause.Items = append(cause.Items, item)
				p.items = slices.Delete(p.items, at, at+1)
			}
		}
		p.causes = append(p.causes, cause)
	}
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

// WriteHTML writes the report as one self-contained HTML page. It begins with the causes that several results have in
// common, each with the names of the results and with the three that it changes most. For each other result that is not identical it shows the
// available pictures, the figures and the cause. Characters that would be invisible are escaped. Pictures that were changed or tolerated are shown side by side, under
// a slider and blinking, with their difference and the visible solids.
func (p *Report) WriteHTML(w io.Writer) error {
	page := struct {
		Summary string
		Counts  []reportCount
		Causes  []reportCause
		Items   []*reportItem
		Same    []string
	}{Summary: p.Tally.String(), Causes: p.causes, Items: p.items, Same: p.same}
	for _, v := range worstFirst() {
		if n := p.Tally[v]; n > 0 {
			page.Counts = append(page.Counts, reportCount{v, n, classOf(v)})
		}
	}
	t, err := template.New("report").Funcs(template.FuncMap{"visible": visible}).Parse(reportHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// visible returns the text of a value with escapes for control characters and for characters that change the direction of
// text.
func visible(v any) string { return text.EscapeLines(fmt.Sprint(v)) }

type reportCount struct {
	Verdict Verdict
	Number  int
	Class   string
}
