package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/golden"
	"pillbox/regress"
)

func (p *program) goldenReportCommand() *cobra.Command {
	r := &reporting{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "report [SCENE...] [-o FILE]",
		Short: "Write a page that shows what changed",
		Long: `Write one HTML file that shows what is not as accepted, failures first: the pictures
side by side, under a slider, blinking, their difference, the solids, the numbers,
the cause, and the command that accepts each. It needs nothing but a browser.`,
		Example: `  render golden report
  render golden report demo -o demo.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.cmd = cmd
			return r.run(cmd.Context(), args)
		},
	}
	r.flags(cmd)
	cmd.Flags().StringVarP(&r.output, "output", "o", "report.html", "write the page to `FILE`, or to standard output if it is -")
	must(cmd.MarkFlagFilename("output", "html"))
	return cmd
}

// reporting is one call of golden report.
type reporting struct {
	goldens
	cmd    *cobra.Command
	output string // file name
}

func (r *reporting) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	if err := r.checkPage(r.cmd, r.output, refs); err != nil {
		return err
	}
	page, status, err := r.page(ctx, refs)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return reportTemplate().Execute(w, page) }
	if r.output == standard {
		err = write(r.out)
	} else {
		err = r.disk.write(r.output, write)
	}
	if err != nil {
		return err
	}
	r.note("%s: %s", r.output, page.Summary)
	if status != statusDone {
		return &failure{status: status}
	}
	return nil
}

//go:embed golden_report.html
var reportHTML string

func reportTemplate() *template.Template {
	return template.Must(template.New("report").Parse(reportHTML))
}

// reportPage is what the page shows.
type reportPage struct {
	Summary string
	Counts  []reportCount
	Items   []*reportItem // what is not identical, the worst first
	Same    []string      // the names of the identical ones
}

type reportCount struct {
	Verdict verdict
	Number  int
	Class   string
}

// reportItem is a reference whose picture is not identical.
type reportItem struct {
	ID, Name     string
	Verdict      verdict
	Class        string
	Path         string
	Why, Detail  string
	Width        int // of the picture
	Height       int
	Side, Single int // how many times it is enlarged beside another one, and alone
	Views        []reportView
	Pictures     []reportPicture
	Objects      []reportObject
	Numbers      []reportNumber
	Clusters     []reportCluster
	MoreClusters int // that Clusters leaves out
	Accept       string
}

type reportView struct{ Key, Title string }

type reportPicture struct {
	Class, Caption, Name string
	Data                 template.URL
	Width, Height        int
	Clusters             []reportCluster // to frame
}

type reportObject struct {
	Label   string
	R, G, B uint8
}

// RGB returns the colour as the page's script spells it.
func (o reportObject) RGB() string { return fmt.Sprintf("%d %d %d", o.R, o.G, o.B) }

type reportNumber struct{ Name, Value string }

type reportCluster struct {
	Number              int
	X, Y, Width, Height int
	Pixels, Max         int
	MaxX, MaxY          int
	Text                string
}

// page judges the references. The status is that of those that failed.
func (r *reporting) page(ctx context.Context, refs []reference) (page reportPage, status int, err error) {
	type finding struct {
		*judgement
		item *reportItem // nil if identical
	}
	findings := inOrder(refs, func(ref reference) finding {
		j := judge(ctx, ref)
		j.study(ctx)
		f := finding{judgement: j}
		if j.verdict != identical && ctx.Err() == nil {
			f.item = r.item(j)
		}
		j.forget()
		return f
	})
	counts := make(tally)
	for f := range findings {
		if ctx.Err() != nil {
			return page, 0, context.Cause(ctx)
		}
		if err := r.spare(f.tables...); err != nil {
			return page, 0, err
		}
		counts[f.verdict]++
		if f.verdict == failed {
			r.tell(f.judgement)
			status = max(status, f.status())
		}
		if f.item == nil {
			page.Same = append(page.Same, f.name)
		} else {
			page.Items = append(page.Items, f.item)
		}
	}
	order := worstFirst()
	slices.SortStableFunc(page.Items, func(a, b *reportItem) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	for i, item := range page.Items {
		item.ID = fmt.Sprintf("golden-%d", i+1)
	}
	for _, v := range order {
		if counts[v] > 0 {
			page.Counts = append(page.Counts, reportCount{v, counts[v], classOf(v)})
		}
	}
	page.Summary = counts.String()
	return page, status, nil
}

// classOf returns the page's class for a verdict.
func classOf(v verdict) string {
	switch v {
	case identical:
		return "good"
	case tolerated:
		return "warn"
	default:
		return "bad"
	}
}

// item prepares what the page shows of a judgement. If that fails, so has the judgement.
func (r *reporting) item(j *judgement) *reportItem {
	item := &reportItem{
		Name:    j.name,
		Class:   classOf(j.verdict),
		Path:    j.scene,
		Why:     j.sentence(),
		Numbers: numbersOf(j),
	}
	if j.verdict.pending() {
		item.Accept = r.acceptCommand(&j.reference)
	}
	item.Clusters, item.MoreClusters = clustersOf(j)
	if err := item.addPictures(j); err != nil {
		j.fail(err)
	}
	item.Verdict = j.verdict
	item.Detail = strings.TrimPrefix(j.detail(), ": ")
	switch j.verdict {
	case changed:
		item.Detail = "" // the numbers say it
	case tolerated:
		item.Detail = "accepted because: " + j.rules.Reason
	}
	return item
}

// addPictures adds the pictures and the ways to look at them.
func (item *reportItem) addPictures(j *judgement) error {
	item.measure(j)
	if j.want != nil {
		if err := item.add("want", "want · "+j.picture(), j.want); err != nil {
			return err
		}
	}
	if j.got != nil {
		if err := item.add("got", "got · "+j.scene, j.got); err != nil {
			return err
		}
	}
	if j.verdict != changed && j.verdict != tolerated {
		return nil
	}
	if err := item.add("changes", "changed pixels", golden.Changes(j.got, j.want, j.diff)); err != nil {
		return err
	}
	item.Views = []reportView{
		{"side", "side by side"},
		{"slider", "slider"},
		{"blink", "blink"},
		{"difference", "difference"},
		{"objects", "objects"},
	}
	return item.addObjects(j)
}

// addObjects adds maps of the solids that are seen.
func (item *reportItem) addObjects(j *judgement) error {
	size := j.diff.Got
	if j.before == nil {
		got, err := regress.MapObjects(j.present, size)
		if err != nil {
			return err
		}
		return item.addMaps(regress.ObjectMap{}, got)
	}
	want, got, err := regress.MapBoth(j.before, j.present, size)
	if err != nil {
		return err
	}
	return item.addMaps(want, got)
}

func (item *reportItem) addMaps(want, got regress.ObjectMap) error {
	if want.Image != nil {
		if err := item.add("objects", "want, every solid in a colour of its own", want.Image); err != nil {
			return err
		}
	}
	if err := item.add("objects", "got, every solid in a colour of its own", got.Image); err != nil {
		return err
	}
	for _, o := range slices.Concat(want.Objects, got.Objects) {
		entry := reportObject{o.Label, o.Color.R, o.Color.G, o.Color.B}
		if !slices.Contains(item.Objects, entry) {
			item.Objects = append(item.Objects, entry)
		}
	}
	return nil
}

// measure finds how large to show the pictures.
func (item *reportItem) measure(j *judgement) {
	const side, single = 640, 1280 // pixels to fill with a small picture
	var size image.Point
	if j.want != nil {
		size = j.want.Bounds().Size()
	}
	if j.got != nil {
		got := j.got.Bounds().Size()
		size = image.Pt(max(size.X, got.X), max(size.Y, got.Y))
	}
	if size == (image.Point{}) {
		size = image.Pt(1, 1)
	}
	item.Width, item.Height = size.X, size.Y
	item.Side, item.Single = max(1, side/size.X), max(1, single/size.X)
}

// add adds a picture.
func (item *reportItem) add(class, caption string, img image.Image) error {
	var b bytes.Buffer
	if err := encodePNG(&b, img); err != nil {
		return err
	}
	size := img.Bounds().Size()
	item.Pictures = append(item.Pictures, reportPicture{
		Class:    class,
		Caption:  caption,
		Name:     item.Name,
		Data:     template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())),
		Width:    size.X,
		Height:   size.Y,
		Clusters: item.Clusters,
	})
	return nil
}

// clustersOf returns the largest clusters with what regress says about them, and how many
// more there are.
func clustersOf(j *judgement) (shown []reportCluster, more int) {
	const most = 50
	for i, c := range j.diff.Clusters {
		if i == most {
			return shown, len(j.diff.Clusters) - most
		}
		text := ""
		if j.why != nil && j.verdict == changed {
			text = j.why.Clusters[i].Text
		}
		shown = append(shown, reportCluster{
			Number: i + 1,
			X:      c.Bounds.Min.X, Y: c.Bounds.Min.Y, Width: c.Bounds.Dx(), Height: c.Bounds.Dy(),
			Pixels: c.Pixels,
			Max:    c.Max, MaxX: c.MaxAt.X, MaxY: c.MaxAt.Y,
			Text: text,
		})
	}
	return shown, 0
}

// numbersOf returns the figures of a difference.
func numbersOf(j *judgement) []reportNumber {
	d := j.diff
	if d.Differing == 0 {
		return nil
	}
	all := d.Got.X * d.Got.Y
	list := []reportNumber{
		{"pixels changed", fmt.Sprintf("%d of %d, %.3g %%", d.Changed, all, 100*float64(d.Changed)/float64(all))},
		{"clusters", fmt.Sprint(len(d.Clusters))},
		{"largest channel difference", fmt.Sprintf("%d at (%d, %d)", d.Max, d.MaxAt.X, d.MaxAt.Y)},
		{"mean channel difference", fmt.Sprintf("%.3g", d.Mean)},
	}
	if j.flip != nil {
		list = append(list,
			reportNumber{"FLIP, mean", fmt.Sprintf("%.4f", j.flip.Mean)},
			reportNumber{"FLIP, 99th percentile", fmt.Sprintf("%.4f", j.flip.P99)})
	}
	if t := d.Tolerance; t.MaxChannel > 0 || t.MaxPixels > 0 || len(t.Masks) > 0 {
		list = append(list, reportNumber{"tolerance", fmt.Sprintf("%d in a channel, %s, %s",
			t.MaxChannel, plural(t.MaxPixels, "pixel"), plural(len(t.Masks), "mask"))})
	}
	return list
}
