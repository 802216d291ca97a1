//go:build !js && !plan9

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/filmfile"
	"pillbox/internal/picture"
	"pillbox/internal/text"
)

// How long a command tries to reach a server that does not answer. A command that waits for a job uses
// patient, the others use atOnce: they try only once.
const (
	atOnce  time.Duration = 0
	patient               = time.Minute
)

// jobCommand returns a command with the arguments URL and JOB. It connects to the farm and calls the function
// do with the farm and JOB.
func (p *program) jobCommand(name, short, long string, patience time.Duration, do func(ctx context.Context, f *farm.Farm, job string) error) *cobra.Command {
	a := farm.Access{Patience: patience}
	cmd := &cobra.Command{
		Use:   name + " URL JOB",
		Short: short,
		Long:  long + "\n\nJOB is the identifier of a job, the first four digits or more of one, or the name of its\nscene.",
		Args:  cli.WantArgs(2, 2, "the URL of a server and a job"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.connect(cmd.Context(), cmd, args[0], a)
			if err != nil {
				return err
			}
			defer f.Close()
			return cli.Unavailable(do(cmd.Context(), f, args[1]))
		},
	}
	accessFlags(cmd, &a)
	return cmd
}

func (p *program) cancelCommand() *cobra.Command {
	return p.jobCommand("cancel", "Cancel a job; finished units are kept",
		`Take the units of a job out of the queue. The units that are finished are kept for
seven days: 'renderfarm resubmit' continues the job.`, atOnce,
		func(ctx context.Context, f *farm.Farm, job string) error { return f.Cancel(ctx, job) })
}

func (p *program) resubmitCommand() *cobra.Command {
	return p.jobCommand("resubmit", "Continue a canceled or failed job",
		`Put the units of a job that are not finished into the queue again. The job must have been
canceled, or have units that could not be rendered.`, atOnce,
		func(ctx context.Context, f *farm.Farm, job string) error { return f.Resubmit(ctx, job) })
}

func (p *program) pauseCommand() *cobra.Command {
	return p.jobCommand("pause", "Pause a job",
		"Let workers take no more units of a job until 'renderfarm resume'. They finish those that they have.\nThe job must not have ended.", atOnce,
		func(ctx context.Context, f *farm.Farm, job string) error { return f.Pause(ctx, job) })
}

func (p *program) resumeCommand() *cobra.Command {
	return p.jobCommand("resume", "Continue a paused job", "Let workers take units of a paused job again.", atOnce,
		func(ctx context.Context, f *farm.Farm, job string) error { return f.Resume(ctx, job) })
}

func (p *program) waitCommand() *cobra.Command {
	return p.jobCommand("wait", "Wait until a job is done",
		`Wait until all units of a job are finished, or until the command that renders it ends.
If some cannot be rendered, the exit status is 3, and the message contains the workers'
errors.`, patient,
		func(ctx context.Context, f *farm.Farm, job string) error {
			return f.Wait(ctx, job, farm.JobOptions{Log: p.log})
		})
}

func (p *program) logCommand() *cobra.Command {
	var asJSON bool
	cmd := p.jobCommand("log", "Show what went wrong in a job",
		"Print the errors of workers and the decisions of the coordinator in the last 24 hours.", atOnce,
		func(ctx context.Context, f *farm.Farm, job string) error {
			events, err := f.Log(ctx, job)
			if err != nil {
				return err
			}
			for _, e := range events {
				if asJSON {
					err = json.NewEncoder(p.out).Encode(e)
				} else {
					about := e.Worker
					if e.Unit != "" {
						about += fmt.Sprintf(": unit %.12s...", e.Unit)
					}
					_, err = fmt.Fprintf(p.out, "%s %s: %s\n", e.Time.Format(time.RFC3339), about, text.Escape(e.Text))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each line as a JSON object")
	return cmd
}

func (p *program) fetchCommand() *cobra.Command {
	var output string
	var keep bool
	cmd := p.jobCommand("fetch", "Write the result of a job to a file",
		`Wait until a job that was submitted is done, write the file that 'render -o FILE' would
have written, and delete the result from the server. For a film in a format other than
.shard, it needs the program render, in the folder of this program or on the PATH. Of a
.shard, 'render assemble' makes any format.`, patient,
		func(ctx context.Context, f *farm.Farm, job string) error {
			return p.fetch(ctx, f, job, output, keep)
		})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case output == "":
			return cli.Misuse(cmd, "want an output, as in 'renderfarm fetch %s %s -o out.png'", args[0], args[1])
		case !isPicture(output) && !isFilm(output) && !isShard(output):
			return cli.Misuse(cmd, "output must end in %s for a picture, in %s for a film, or in .shard, got %q", text.Series(picture.Extensions(), "or"), text.Series(filmfile.Extensions(), "or"), output)
		}
		return run(cmd, args)
	}
	cmd.Example = `  renderfarm fetch nats://farm:4222 chess.toml -o chess.png
  renderfarm fetch nats://farm:4222 walk.toml -o walk.mp4
  renderfarm fetch nats://farm:4222 walk.toml -o frames/%04d.png`
	cmd.Flags().VarP(cli.Text(&output, "FILE"), "output", "o", "write the result to FILE")
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the job and its result on the server")
	return cmd
}

func isShard(name string) bool { return strings.EqualFold(filepath.Ext(name), ".shard") }

func isPicture(name string) bool {
	_, ok := picture.FormatOf(name)
	return ok
}

// isFilm reports whether render can write a film to a file with that name.
func isFilm(name string) bool {
	_, err := filmfile.Parse(name)
	return err == nil
}

func (p *program) fetch(ctx context.Context, f *farm.Farm, job, output string, keep bool) error {
	made, err := f.Output(ctx, job)
	if err != nil {
		return err
	}
	wrong := func(text string) error { return &cli.Failure{Status: cli.StatusWrong, Err: errors.New(text)} }
	film := made.Frames > 0
	switch {
	case film && !isShard(output) && !isFilm(output):
		return wrong("the job is a film: the output must end in " + text.Series(append(filmfile.Extensions(), ".shard"), "or"))
	case !film && !isShard(output) && !isPicture(output):
		return wrong("the job is a picture: the output must end in " + text.Series(append(picture.Extensions(), ".shard"), "or"))
	case !film || isShard(output):
		if err := p.files.Check(output); err != nil {
			return err
		}
	}
	if err := f.Wait(ctx, job, farm.JobOptions{Log: p.log}); err != nil {
		return err
	}
	j, err := f.Attach(ctx, job, farm.JobOptions{Log: p.log})
	if err != nil {
		return err
	}
	defer j.Close()
	shard := func(w io.Writer) error { return j.WriteShard(ctx, w, nil) }
	switch {
	case isShard(output):
		err = p.files.Write(output, shard)
	case film:
		err = p.fetchFilm(ctx, output, shard)
	default:
		err = p.fetchPicture(ctx, j, output)
	}
	if err != nil || keep {
		return err
	}
	return j.Forget(ctx)
}

func (p *program) fetchPicture(ctx context.Context, j *farm.Job, output string) error {
	film, err := j.Picture(ctx, 0, pillbox.Options{})
	if err != nil {
		return err
	}
	format, _ := picture.FormatOf(output)
	return p.files.Write(output, func(w io.Writer) error { return format.Encode(w, film.Image, 0) })
}

// fetchFilm writes a film to output. It calls the function shard to write the film as a shard file, and
// runs render assemble on that file.
func (p *program) fetchFilm(ctx context.Context, output string, shard func(w io.Writer) error) error {
	dir, err := p.files.TempFolder("renderfarm-")
	if err != nil {
		return err
	}
	defer p.files.RemoveFolder(dir)
	name := filepath.Join(dir, "film.shard")
	if err := p.files.Write(name, shard); err != nil {
		return err
	}
	return p.runRender(ctx, "assemble", output, name)
}

func (p *program) listCommand() *cobra.Command {
	return p.listingCommand(listing{
		use: "list URL", short: "List jobs", json: "print them as a JSON array",
		part:  func(s *farm.Status) any { return s.Jobs },
		table: func(w io.Writer, s *farm.Status) { showJobs(w, s.Jobs) },
	})
}

// submitCommand returns the command submit. It runs the program render, so it takes the same flags.
func (p *program) submitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "submit URL [animate] SCENE [FLAG]...",
		Short: "Submit a picture or a film, and print its job",
		Long: `Submit the work of 'render SCENE' or 'render animate SCENE' to a farm, print the
identifier of the job, and exit. The flags are those of render. It needs the program
render, in the folder of this program or on the PATH.`,
		Example: `  renderfarm submit nats://farm:4222 chess.toml --width 3840
  renderfarm submit nats://farm:4222 animate walk.toml --fps 60 --token-file token`,
		DisableFlagParsing:    true,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			if len(args) < 2 || strings.HasPrefix(args[0], "-") {
				return cli.Misuse(cmd, "want the URL of a server and what to render, got %s", cli.Quoted(args))
			}
			return p.submit(cmd.Context(), args[0], args[1:])
		},
	}
	return cmd
}

func (p *program) submit(ctx context.Context, url string, args []string) error {
	return p.runRender(ctx, append(args, "--farm", url, "--detach")...)
}

// runRender runs the program render with the streams of this one.
func (p *program) runRender(ctx context.Context, args ...string) error {
	render, err := cli.FindProgram("render")
	if err != nil {
		return cli.Unavailable(err)
	}
	cmd := exec.CommandContext(ctx, render, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.in, p.out.Writer, p.err.Writer
	cmd.Cancel = func() error { // render then removes its temporary files
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill() // Windows has no such signal
		}
		return nil
	}
	cmd.WaitDelay = 2 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return &cli.Failure{Status: exit.ExitCode()} // render has printed the error
	}
	return cli.Unavailable(err)
}
