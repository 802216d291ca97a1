// Package diff contains the command "render diff".
package diff

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"pillbox/figure"
	"pillbox/golden"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
)

// New returns the command diff in an environment.
func New(p *command.Env) *cobra.Command {
	d := &diffing{Env: p}
	cmd := &cobra.Command{
		Use:   "diff WANT GOT",
		Short: "Compare two images",
		Long: `Compare two images of any formats pixel by pixel, and report how many pixels
differ, where, and how visibly. The exit status is 1 if any pixel differs.

With the scenes of both images, also report how their annotations differ (which texts
moved, are new or gone, or read differently), and which edits of the scene changed which
pixels, on which solids.`,
		Example: `  render diff golden/demo.png demo.png
  render diff golden/demo.png demo.png -o demo.diff.png
  render diff old.png new.png --want-scene old.toml --got-scene new.toml`,
		GroupID:           command.GroupPictures,
		Args:              cli.WantArgs(2, 2, "two images"),
		ValidArgsFunction: command.ImageFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			d.cmd, d.want, d.got = cmd, args[0], args[1]
			return d.run(cmd.Context())
		},
	}
	command.OutputFlag(cmd, &d.output, "draw want, got and the changed pixels side by side to FILE")
	cmd.Flags().Var(cli.Text(&d.flip, "FILE"), "flip", "write the visibility of the difference of each pixel to FILE, from black to white")
	cli.Must(cmd.MarkFlagFilename("flip", "png", "tiff", "tif"))
	cmd.Flags().Var(cli.Text(&d.wantScene, "FILE"), "want-scene", "the scene of WANT, to compare annotations and to find causes")
	cmd.Flags().Var(cli.Text(&d.gotScene, "FILE"), "got-scene", "the scene of GOT, to compare annotations and to find causes")
	cli.Must(cmd.MarkFlagFilename("want-scene", "toml"))
	cli.Must(cmd.MarkFlagFilename("got-scene", "toml"))
	cmd.MarkFlagsRequiredTogether("want-scene", "got-scene")
	cmd.Flags().Var(cli.Optional(&d.moment, "SECONDS", command.ParseSeconds), "time", "the images show the scenes at this time of their animations")
	cli.NoCompletion(cmd, "time")
	command.JSONFlag(cmd, &d.json, "print the difference as a JSON object")
	cli.Without(cmd, "theme", "it compares two images; the scenes of --want-scene and --got-scene have their own themes")
	return cmd
}

// diffing holds the flags of one run of `render diff`.
type diffing struct {
	*command.Env
	cmd                 *cobra.Command
	want, got           string // file names
	output              string // file name
	flip                string // file name
	wantScene, gotScene string // file names
	moment              *float64
	json                bool
}

func (d *diffing) run(ctx context.Context) error {
	inputs := slices.DeleteFunc([]string{d.want, d.got, d.wantScene, d.gotScene}, func(name string) bool { return name != command.Standard })
	if len(inputs) > 1 {
		return cli.Misuse(d.cmd, "only one image or scene can come from standard input")
	}
	if d.moment != nil && d.wantScene == "" {
		return cli.Misuse(d.cmd, "--time needs --want-scene and --got-scene")
	}
	drawing, drawn, err := d.file("output", d.output)
	if err != nil {
		return err
	}
	visibility, mapped, err := d.file("flip", d.flip)
	if err != nil {
		return err
	}
	if drawn && mapped && osfile.Canonical(drawing.Name) == osfile.Canonical(visibility.Name) {
		return cli.Misuse(d.cmd, "-o and --flip would share the file %s", d.flip)
	}
	want, err := d.Image(ctx, d.want)
	if err != nil {
		return err
	}
	got, err := d.Image(ctx, d.got)
	if err != nil {
		return err
	}
	found, err := command.Await(ctx, func() (difference, error) { return compare(got, want) })
	if err != nil {
		return err
	}
	if d.wantScene != "" && !found.Passes() {
		both, err := d.scenes(ctx)
		if err != nil {
			return err
		}
		if found.annotations, err = annotations(ctx, both, want, got); err != nil {
			return err
		}
		if found.why, err = d.causes(ctx, both, want, got, found.Diff); err != nil {
			return err
		}
	}
	if drawn {
		runtime.GC() // so that the drawing uses the memory of the comparison: both may need as much as the images
		picture := golden.Picture(got, want, found.Diff)
		if err := d.Save(drawing, picture); err != nil {
			return err
		}
		d.NoteDrawing(drawing, picture.Bounds().Size())
	}
	switch {
	case mapped && found.Got != found.Want:
		return cli.Misuse(d.cmd, "--flip needs images of one size, got %v", found.Diff)
	case mapped && found.visibility == nil:
		return cli.Misuse(d.cmd, "--flip needs images that differ in at most %d pixels, got %v", golden.MaxFLIPPixels, found.Diff)
	case mapped:
		if err := d.Save(visibility, found.visibility); err != nil {
			return err
		}
		d.NoteDrawing(visibility, found.visibility.Bounds().Size())
	}
	if err := d.print(found); err != nil {
		return err
	}
	if !found.Passes() {
		return &cli.Failure{Status: cli.StatusDifferent}
	}
	return nil
}

// file checks the file name given with a flag and returns it as an output. named is false if the flag was
// not given.
func (d *diffing) file(flag, name string) (out command.Output, named bool, err error) {
	if !d.cmd.Flags().Changed(flag) {
		return command.Output{}, false, nil
	}
	if name == command.Standard {
		return command.Output{}, false, cli.Misuse(d.cmd, "standard output is for the verdict; give %s a file", cli.FlagName(d.cmd.Flag(flag)))
	}
	if out, err = d.PictureOutput(d.cmd, name); err != nil {
		return command.Output{}, false, err
	}
	inputs := []string{d.want, d.got}
	if d.wantScene != "" {
		inputs = append(inputs, d.wantScene, d.gotScene)
	}
	return out, true, d.CheckOutput(d.cmd, out.Name, inputs...)
}

// difference is the result of comparing two images.
type difference struct {
	golden.Diff
	annotations *figure.Difference // nil if no change of annotations was found, or without scenes
	why         *regress.Report    // nil if the causes are not known, or without scenes
	flip        *FLIPRecord        // nil if the sizes differ, or too many pixels
	visibility  image.Image        // nil if flip is
}

func compare(got, want image.Image) (difference, error) {
	diff, err := golden.Compare(got, want, golden.Tolerance{})
	if err != nil || diff.Got != diff.Want {
		return difference{Diff: diff}, err
	}
	flip, visibility, err := golden.MapFLIP(got, want)
	if errors.Is(err, golden.ErrFLIPTooLarge) {
		return difference{Diff: diff}, nil
	}
	if err != nil {
		return difference{}, err
	}
	return difference{Diff: diff, flip: NewFLIPRecord(flip), visibility: visibility}, nil
}

// print prints the difference as text or as JSON.
func (d *diffing) print(found difference) error {
	if d.json {
		record := struct {
			Record
			Annotations *AnnotationsRecord `json:"annotations,omitempty"` // only if some changed
			Text        string             `json:"text,omitempty"`        // the difference in words; only if the causes are known
			Why         *regress.Report    `json:"why,omitempty"`         // only if the causes are known
		}{Record: NewRecord(found.Diff), Annotations: NewAnnotationsRecord(found.annotations), Why: found.why}
		if found.why != nil {
			record.Text = found.Diff.String()
		}
		record.FLIP = found.flip
		return json.NewEncoder(d.Out).Encode(record)
	}
	if found.annotations != nil {
		d.Out.Printf("%s\n", cli.Fitted(found.annotations.String()))
	}
	d.Out.Printf("%v\n", found.Diff)
	if found.flip != nil && found.Differing > 0 {
		d.Out.Printf("visibility (FLIP, 0 to 1): mean %.4f, 99th percentile %.4f, maximum %.4f\n",
			found.flip.Mean, found.flip.P99, found.flip.Max)
	}
	if found.why != nil {
		d.Out.Printf("%s\n", cli.Fitted(found.why.Text))
	}
	return nil
}

// Record is the JSON that --json prints. Pixels are [x, y]. Rectangles are half-open: [x0, y0, x1, y1]. Missing
// values are null.
type Record struct {
	Equal    bool            `json:"equal"`
	Want     [2]int          `json:"want"` // width and height
	Got      [2]int          `json:"got"`
	Changed  int             `json:"changed"` // pixels
	First    *[2]int         `json:"first"`
	Max      int             `json:"max"` // largest difference in a channel, 0 to 255
	MaxAt    *[2]int         `json:"max_at"`
	Mean     float64         `json:"mean"` // over all channels
	FLIP     *FLIPRecord     `json:"flip"`
	Clusters []clusterRecord `json:"clusters"`      // the largest
	More     int             `json:"more_clusters"` // number of clusters that are not in Clusters
}

// maxClusters is the largest number of clusters that are listed. Noise could have a cluster in every pixel.
const maxClusters = 50

// FLIPRecord summarizes the visibility of all pixels' differences by FLIP, from 0 to 1: the mean, the 99th percentile and the maximum.
type FLIPRecord struct {
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// NewFLIPRecord returns the record of a visible difference.
func NewFLIPRecord(f golden.FLIP) *FLIPRecord { return &FLIPRecord{f.Mean, f.P99, f.Max} }

type clusterRecord struct {
	Bounds [4]int `json:"bounds"`
	Pixels int    `json:"pixels"`
	Max    int    `json:"max"`
	MaxAt  [2]int `json:"max_at"`
}

// NewRecord returns the record of a difference.
func NewRecord(d golden.Diff) Record {
	r := Record{
		Equal:    d.Passes(),
		Want:     pair(d.Want),
		Got:      pair(d.Got),
		Changed:  d.Changed,
		Max:      d.Max,
		Mean:     d.Mean,
		Clusters: []clusterRecord{},
	}
	if d.Changed > 0 {
		first, most := pair(d.First), pair(d.MaxAt)
		r.First, r.MaxAt = &first, &most
	}
	listed := min(len(d.Clusters), maxClusters)
	r.More = len(d.Clusters) - listed + d.More
	for _, c := range d.Clusters[:listed] {
		b := c.Bounds
		r.Clusters = append(r.Clusters, clusterRecord{
			Bounds: [4]int{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y},
			Pixels: c.Pixels,
			Max:    c.Max,
			MaxAt:  pair(c.MaxAt),
		})
	}
	return r
}

func pair(p image.Point) [2]int { return [2]int{p.X, p.Y} }
