package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"slices"
	"strings"

	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/internal/text"
	"pillbox/pngfile"
)

// reportItem is a result, other than identical, as the report's template needs it.
type reportItem struct {
	ID, Name    string
	Verdict     Verdict
	Class       string
	Path        string
	Texts       string // how annotations changed
	Why, Detail string
	Damage      []Damage
	Width       int // of the picture
	Height      int
	Side        int // how many times the picture is enlarged, in every view
	Views       []reportView
	Pictures    []reportPicture
	Objects     []reportObject
	Numbers     []reportNumber
	Clusters    []reportCluster
	Rest        string // describes the clusters that are missing from Clusters
	Accept      string

	uses    int  // number of causes for which it is shown
	dropped bool // it is only listed
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

// RGB returns the color in the syntax that the page's script expects.
func (o reportObject) RGB() string { return fmt.Sprintf("%d %d %d", o.R, o.G, o.B) }

type reportNumber struct{ Name, Value string }

type reportCluster struct {
	Number              int
	X, Y, Width, Height int
	Pixels, Max         int
	MaxX, MaxY          int
	Text                string
}

// classOf returns the CSS class for a verdict.
func classOf(v Verdict) string {
	switch v {
	case Identical:
		return "good"
	case Tolerated:
		return "warn"
	default:
		return "bad"
	}
}

// newReportItem prepares what the page shows of a result. If that fails, the result becomes failed.
func newReportItem(ctx context.Context, r *Result, accept CommandFunc) *reportItem {
	item := &reportItem{Name: r.Name, Damage: r.Damage, Path: r.Scene, Numbers: numbersOf(r)}
	item.Clusters, item.Rest = clustersOf(r)
	if err := item.addPictures(ctx, r); err != nil {
		r.SetFailed(err)
	}
	item.Verdict, item.Class, item.Why = r.Verdict, classOf(r.Verdict), r.Cause()
	item.Texts = strings.Join(r.Texts(), "\n")
	if r.Verdict.Pending() {
		item.Accept = accept(&r.Reference)
	}
	switch r.Verdict {
	case Changed:
		item.Detail = r.renamedDetail() // item.Numbers has the other details
	case Tolerated:
		item.Detail = "accepted because: " + r.Rules.Reason
	default:
		item.Detail = r.Detail()
	}
	return item
}

// addPictures adds the pictures and the available views of them.
func (item *reportItem) addPictures(ctx context.Context, r *Result) error {
	item.measure(r)
	if r.Want != nil {
		if err := item.addPicture("want", "want · "+r.Picture(), r.Want); err != nil {
			return err
		}
	}
	if r.Got != nil {
		if err := item.addPicture("got", "got · "+r.Scene, r.Got); err != nil {
			return err
		}
	}
	if r.Verdict != Changed && r.Verdict != Tolerated {
		return nil
	}
	if err := item.addPicture("changes", "changed pixels", golden.Changes(r.Got, r.Want, r.Diff)); err != nil {
		return err
	}
	item.Views = []reportView{
		{"side", "side by side"},
		{"slider", "slider"},
		{"blink", "blink"},
		{"difference", "difference"},
		{"objects", "objects"},
	}
	return item.addObjects(ctx, r)
}

// addObjects adds maps of the visible solids.
func (item *reportItem) addObjects(ctx context.Context, r *Result) error {
	size := r.Diff.Got
	if r.before == nil {
		got, err := regress.MapObjects(ctx, r.present, size)
		if err != nil {
			return err
		}
		return item.addMaps(regress.ObjectMap{}, got)
	}
	want, got, err := regress.MapBoth(ctx, r.before, r.present, size)
	if err != nil {
		return err
	}
	return item.addMaps(want, got)
}

func (item *reportItem) addMaps(want, got regress.ObjectMap) error {
	if want.Image != nil {
		if err := item.addPicture("objects", "want, every solid in a color of its own", want.Image); err != nil {
			return err
		}
	}
	if err := item.addPicture("objects", "got, every solid in a color of its own", got.Image); err != nil {
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

// measure determines the scale at which the pictures are shown.
func (item *reportItem) measure(r *Result) {
	const side = 640 // small pictures are enlarged to about this many pixels
	var size image.Point
	if r.Want != nil {
		size = r.Want.Bounds().Size()
	}
	if r.Got != nil {
		got := r.Got.Bounds().Size()
		size = image.Pt(max(size.X, got.X), max(size.Y, got.Y))
	}
	if size == (image.Point{}) {
		size = image.Pt(1, 1)
	}
	item.Width, item.Height = size.X, size.Y
	item.Side = max(1, side/size.X)
}

// addPicture adds a picture.
func (item *reportItem) addPicture(class, caption string, img image.Image) error {
	var b bytes.Buffer
	if err := pngfile.EncodeImage(&b, img); err != nil {
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

// clustersOf returns the largest clusters of changed pixels with their causes, and text about the clusters that it
// omits. Several clusters of one pixel, as noise and rounding cause, are summed up.
func clustersOf(r *Result) (shown []reportCluster, rest string) {
	const most = 12
	all := r.Diff.Clusters // the largest first
	larger := len(all)
	for r.Diff.More == 0 && larger > 0 && all[larger-1].Pixels == 1 {
		larger--
	}
	if larger == len(all)-1 {
		larger++
	}
	for i, c := range all[:min(larger, most)] {
		text := ""
		if r.Why != nil && r.Verdict == Changed {
			text = r.Why.report.Clusters[i].Text
		}
		shown = append(shown, reportCluster{
			Number: i + 1,
			X:      c.Bounds.Min.X, Y: c.Bounds.Min.Y, Width: c.Bounds.Dx(), Height: c.Bounds.Dy(),
			Pixels: c.Pixels,
			Max:    c.Max, MaxX: c.MaxAt.X, MaxY: c.MaxAt.Y,
			Text: text,
		})
	}
	var parts []string
	if more := larger - len(shown) + r.Diff.More; more > 0 {
		parts = append(parts, text.Count(more, "smaller cluster"))
	}
	if singles := all[larger:]; len(singles) > 0 {
		parts = append(parts, singlesText(singles))
	}
	if len(parts) > 0 {
		rest = "and " + strings.Join(parts, ", and ")
	}
	return shown, rest
}

// singlesText summarizes clusters of one pixel.
func singlesText(singles []golden.Cluster) string {
	largest := slices.MaxFunc(singles, func(a, b golden.Cluster) int { return cmp.Compare(a.Max, b.Max) })
	return fmt.Sprintf("%d single pixels, largest difference %d at (%d, %d)", len(singles), largest.Max, largest.MaxAt.X, largest.MaxAt.Y)
}

// numbersOf returns the figures of a difference.
func numbersOf(r *Result) []reportNumber {
	d := r.Diff
	if d.Differing == 0 {
		return nil
	}
	all := d.Got.X * d.Got.Y
	list := []reportNumber{
		{"pixels changed", fmt.Sprintf("%d of %d, %.3g %%", d.Changed, all, 100*float64(d.Changed)/float64(all))},
		{"clusters", fmt.Sprint(len(d.Clusters) + d.More)},
		{"largest channel difference", fmt.Sprintf("%d at (%d, %d)", d.Max, d.MaxAt.X, d.MaxAt.Y)},
		{"mean channel difference", fmt.Sprintf("%.3g", d.Mean)},
	}
	if r.FLIP != nil {
		list = append(list,
			reportNumber{"FLIP, mean", fmt.Sprintf("%.4f", r.FLIP.Mean)},
			reportNumber{"FLIP, 99th percentile", fmt.Sprintf("%.4f", r.FLIP.P99)},
			reportNumber{"FLIP, maximum", fmt.Sprintf("%.4f", r.FLIP.Max)})
	}
	if t := d.Tolerance; t.MaxChannel > 0 || t.MaxPixels > 0 || len(t.Masks) > 0 {
		list = append(list, reportNumber{"tolerance", fmt.Sprintf("%d in a channel, %s, %s",
			t.MaxChannel, text.Count(t.MaxPixels, "pixel"), text.Count(len(t.Masks), "mask"))})
	}
	return list
}
