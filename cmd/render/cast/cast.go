// Package cast contains the command "render cast".
package cast

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/cast"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/internal/text"
)

// New returns the command cast in an environment.
func New(p *command.Env) *cobra.Command {
	c := &casting{Env: p}
	cmd := &cobra.Command{
		Use:   "cast SCENE",
		Short: "Cast rays in bulk",
		Long: `Read rays and write the first hit of each: distance, point, normal, solid. The
answers have the bits of 'render explain --ray' and the order of the rays.

Rays come from standard input or --rays FILE, as CSV with the header
ox,oy,oz,dx,dy,dz, as JSON Lines with these keys, or as 64-bit floats, little
endian. A direction may have any length. With --segments the columns are the two
ends, ax,ay,az,bx,by,bz: t is the fraction of the way from a to b, and touches
reports whether the segment touches the solid at all.

The table of --names has the name of each solid, which f64 output lacks.

With --serve the command answers requests of a program, in binary, with one tree.

An invalid row ends the command; with --keep-going it gets a row with an error,
and the exit status is 2 at the end.`,
		Example: `  render cast scene.toml < rays.csv > hits.csv
  render cast scene.toml --rays rays.f64 -o hits.f64
  render cast scene.toml --rays rays.csv --all
  render cast scene.toml --rays paths.jsonl --segments --keep-going
  echo '{"ox":0,"oy":0,"oz":9,"dx":0,"dy":0,"dz":-1}' | render cast scene.toml --format jsonl`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.scene = cmd, args[0]
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.Var(cli.Text(&c.rays, "FILE"), "rays", "read the rays from FILE, or from standard input if it is - (default)")
	flags.VarP(cli.Text(&c.output, "FILE"), "output", "o", "write to FILE, or to standard output if it is - (default)")
	flags.Var(cli.Value(&c.format, strings.Join(castFormats(), "|"), cast.ParseFormat), "format", "of input and output: csv, jsonl, f64 or records (default: by the extension of --rays, otherwise csv)")
	flags.BoolVar(&c.segments, "segments", false, "cast segments: t is a fraction, both ends count")
	flags.BoolVar(&c.all, "all", false, "a row for every crossing ahead")
	flags.BoolVar(&c.line, "line", false, "a row for every crossing of the whole line, behind the ray's origin, too")
	flags.BoolVar(&c.opt.Count, "count", false, "only the number of crossings")
	flags.BoolVar(&c.opt.KeepGoing, "keep-going", false, "write a row with an error for an invalid row, and continue")
	flags.BoolVar(&c.serve, "serve", false, "answer binary requests from standard input until it ends, for programs")
	flags.Var(cli.Int(&c.opt.Workers, 1, math.MaxInt32), "workers", "cast on N threads; does not affect the output (default: one per processor)")
	cli.NoCompletion(cmd, "workers")
	flags.Var(cli.Text(&c.names, "FILE"), "names", "write the number, kind and name of every solid to FILE, as CSV")
	cli.Must(cmd.MarkFlagFilename("names", "csv"))
	for _, flag := range [...]string{"rays", "output"} {
		cli.Must(cmd.MarkFlagFilename(flag, "csv", "jsonl", "ndjson", "f64"))
	}
	cli.Must(cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(castFormats(), cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// casting holds the flags of one run of `render cast`.
type casting struct {
	*command.Env
	cmd *cobra.Command

	scene  string // file name
	rays   string // file name
	output string // file name
	names  string // file name, or ""
	format cast.Format
	opt    cast.Options

	segments, all, line, serve bool

	follows bool // the rays or requests follow the scene on standard input, which must be an archive
}

// run casts the rays, or answers the requests of --serve.
func (c *casting) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	s, err := c.Load(ctx, c.scene, command.LoadOptions{Unseen: true, Cameraless: true, Archived: c.follows, Shares: c.follows})
	if err != nil {
		return err
	}
	p, err := c.PrepareScene(ctx, s, pillbox.Picture{})
	if err != nil {
		return err
	}
	if c.serve {
		_, err := command.Await(ctx, func() (struct{}, error) { return struct{}{}, cast.Serve(ctx, p, c.In, c.Out, c.opt) })
		return err
	}
	c.opt.Name = func(object int32) string { return s.Objects.Name(int(object)) }
	in, err := command.Await(ctx, func() (io.ReadCloser, error) { return c.OpenInput(c.rays) }) // opening a named pipe waits for its writer
	if err != nil {
		return err
	}
	defer in.Close()
	if c.names != "" {
		if err := c.WriteOutput(ctx, c.names, func(w io.Writer) error { return cast.WriteNames(w, s) }); err != nil {
			return err
		}
	}
	totals, err := c.stream(ctx, p, in)
	if err == nil && totals.Wrong > 0 {
		err = &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%d of %s could not be cast; the field error says why", totals.Wrong, text.Count(int(totals.Rows), c.noun()))}
	}
	return err
}

// stream casts the rays and writes the hits. With --keep-going, the output file is written even if rays have errors, and
// contains these errors; otherwise the first error leaves no file.
func (c *casting) stream(ctx context.Context, p *pillbox.Prepared, in io.Reader) (cast.Totals, error) {
	if c.output == command.Standard {
		return cast.Stream(ctx, p, in, c.Out, c.opt)
	}
	return command.Await(ctx, func() (totals cast.Totals, err error) { // opening a named pipe waits for its reader
		err = c.Files.Write(c.output, func(w io.Writer) (err error) {
			totals, err = cast.Stream(ctx, p, in, w, c.opt)
			return err
		})
		return totals, err
	})
}

// check sets the defaults of flags and returns an error for flags that cannot be combined.
func (c *casting) check() error {
	for _, name := range [...]*string{&c.rays, &c.output} {
		if *name == "" {
			*name = command.Standard
		}
	}
	c.opt.Source, c.opt.Format = c.rays, c.format
	if c.rays == command.Standard {
		c.opt.Source = command.StandardInput
	}
	if !c.cmd.Flags().Changed("format") {
		c.opt.Format = formatOf(c.rays)
	}
	c.opt.Query = c.query()
	err := cli.CheckFlags(c.cmd, cli.Excludes("line", "segments", "all"), cli.Excludes("count", "all"),
		cli.Excludes("serve", "rays", "output", "format", "segments", "all", "line", "count", "keep-going", "names"))
	if err != nil {
		return err
	}
	switch {
	case c.scene == command.Standard && c.rays == command.Standard:
		c.follows = true
	case c.output == command.Standard && c.isBinary() && c.Out.IsTerminal():
		return cli.Misuse(c.cmd, "binary numbers on a terminal would be noise; redirect standard output")
	}
	if err := c.CheckFormat(c.cmd, c.output, kindOf(c.opt.Format), c.scene, c.rays); err != nil {
		return err
	}
	return c.checkNames()
}

// checkNames returns an error if the file of --names cannot be written.
func (c *casting) checkNames() error {
	switch {
	case !c.cmd.Flags().Changed("names"):
		return nil
	case c.names == "" || c.names == command.Standard:
		return cli.Misuse(c.cmd, "--names: must name a file")
	case c.output != command.Standard && osfile.Canonical(c.names) == osfile.Canonical(c.output):
		return cli.Misuse(c.cmd, "-o and --names would share the file %s", c.names)
	}
	return c.CheckFormat(c.cmd, c.names, sniff.CSV, c.scene, c.rays)
}

func (c *casting) query() cast.Query {
	switch {
	case c.segments && c.all:
		return cast.Through
	case c.segments:
		return cast.Segment
	case c.line:
		return cast.Line
	case c.all:
		return cast.Ahead
	}
	return cast.First
}

// isBinary reports whether the output is not text.
func (c *casting) isBinary() bool {
	return c.serve || c.opt.Format == cast.Float64 || c.opt.Format == cast.Records
}

func (c *casting) noun() string {
	if c.segments {
		return "segment"
	}
	return "ray"
}

// formatOf returns the format for the extension of a file's name. If the extension is missing or unknown, it
// returns CSV.
func formatOf(name string) cast.Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		return cast.JSONLines
	case ".f64":
		return cast.Float64
	}
	return cast.CSV
}

// kindOf returns the kind of file that a format is.
func kindOf(f cast.Format) string {
	switch f {
	case cast.JSONLines:
		return sniff.JSON
	case cast.CSV:
		return sniff.CSV
	}
	return sniff.Numbers
}

func castFormats() []string {
	return []string{cast.CSV.String(), cast.JSONLines.String(), cast.Float64.String(), cast.Records.String()}
}
