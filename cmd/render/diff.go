package main

import (
	"context"
	"encoding/json"
	"image"

	"github.com/spf13/cobra"

	"pillbox/golden"
)

func (p *program) diffCommand() *cobra.Command {
	d := &diffing{program: p}
	cmd := &cobra.Command{
		Use:   "diff WANT GOT",
		Short: "Compare two images",
		Long: `Compare two images pixel by pixel, whatever their formats, and say how many
pixels differ, where, and how visibly. The exit status is 1 if any does.`,
		Example: `  render diff golden/demo.png demo.png
  render diff golden/demo.png demo.png -o demo.diff.png`,
		GroupID:           groupPictures,
		Args:              wantArgs(2, 2, "two images"),
		ValidArgsFunction: imageFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			d.cmd, d.want, d.got = cmd, args[0], args[1]
			return d.run(cmd.Context())
		},
	}
	outputFlag(cmd, &d.output, "draw want, got and the changed pixels side by side to FILE")
	jsonFlag(cmd, &d.json, "print the difference as a JSON object")
	return cmd
}

// diffing is one call of diff.
type diffing struct {
	*program
	cmd       *cobra.Command
	want, got string // file names
	output    string // file name
	json      bool
}

func (d *diffing) run(ctx context.Context) error {
	if d.want == standard && d.got == standard {
		return misuse(d.cmd, "only one of the images can come from standard input")
	}
	var out output
	drawn := d.cmd.Flags().Changed("output")
	if drawn {
		if d.output == standard {
			return misuse(d.cmd, "standard output is for the verdict; give -o a file")
		}
		var err error
		if out, err = d.pictureOutput(d.cmd, d.output); err != nil {
			return err
		}
		if err := d.checkOutput(d.cmd, out.name, d.want, d.got); err != nil {
			return err
		}
	}
	want, err := d.image(ctx, d.want)
	if err != nil {
		return err
	}
	got, err := d.image(ctx, d.got)
	if err != nil {
		return err
	}
	found, err := await(ctx, func() (difference, error) { return compare(got, want, drawn) })
	if err != nil {
		return err
	}
	if drawn {
		if err := d.save(out, found.picture); err != nil {
			return err
		}
		d.noteWritten(out, found.picture.Bounds().Size())
	}
	if err := d.print(found); err != nil {
		return err
	}
	if !found.Passes() {
		return &failure{status: statusDifferent}
	}
	return nil
}

// difference is what there is to tell about two images.
type difference struct {
	golden.Diff
	flip    *flipRecord // nil if the sizes differ
	picture image.Image // nil if none is drawn
}

func compare(got, want image.Image, drawn bool) (difference, error) {
	diff, err := golden.Compare(got, want, golden.Tolerance{})
	if err != nil {
		return difference{}, err
	}
	found := difference{Diff: diff}
	if diff.Got == diff.Want {
		flip, err := golden.CompareFLIP(got, want)
		if err != nil {
			return difference{}, err
		}
		found.flip = &flipRecord{flip.Mean, flip.P99}
	}
	if drawn {
		found.picture = golden.Picture(got, want, diff)
	}
	return found, nil
}

// print tells the difference in words or as JSON.
func (d *diffing) print(found difference) error {
	if d.json {
		record := newDiffRecord(found.Diff)
		record.FLIP = found.flip
		return json.NewEncoder(d.out).Encode(record)
	}
	d.out.printf("%v\n", found.Diff)
	if found.flip != nil && found.Differing > 0 {
		d.out.printf("visibility (FLIP, 0 to 1): mean %.4f, 99th percentile %.4f\n", found.flip.Mean, found.flip.P99)
	}
	return nil
}

// diffRecord is what --json prints. Pixels are [x, y], rectangles [x0, y0, x1, y1] without
// the last column and row; what does not exist is null.
type diffRecord struct {
	Equal    bool            `json:"equal"`
	Want     [2]int          `json:"want"` // width and height
	Got      [2]int          `json:"got"`
	Changed  int             `json:"changed"` // pixels
	First    *[2]int         `json:"first"`
	Max      int             `json:"max"` // largest difference in a channel, 0 to 255
	MaxAt    *[2]int         `json:"max_at"`
	Mean     float64         `json:"mean"` // over all channels
	FLIP     *flipRecord     `json:"flip"`
	Clusters []clusterRecord `json:"clusters"`
}

type flipRecord struct {
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
}

type clusterRecord struct {
	Bounds [4]int `json:"bounds"`
	Pixels int    `json:"pixels"`
	Max    int    `json:"max"`
	MaxAt  [2]int `json:"max_at"`
}

func newDiffRecord(d golden.Diff) diffRecord {
	r := diffRecord{
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
	for _, c := range d.Clusters {
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
