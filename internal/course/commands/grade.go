package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox/golden"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/course"
	"pillbox/internal/course/learner"
	"pillbox/internal/osfile"
)

// allStages is the argument that runs the stages in order, up to the first that fails.
const allStages = "all"

func newGrade(p *command.Env) *cobra.Command {
	g := &grading{examining: examining{Env: p}}
	cmd := &cobra.Command{
		Use:   "grade STAGE -- COMMAND [ARG...]",
		Short: "Grade your own ray tracer",
		Long: `Run COMMAND, write the questions of a stage of the course to its standard input and
grade its answers: JSON Lines, in any order. The first wrong answer is shown with the
expected answer, the lesson to read, and a command that derives it; a known mistake is
named. With STAGE all, the twelve stages of the course are run in order, up to the first that
fails; --extra adds the optional stages cylinder and cut.

With --hint, no command is run: the hint is printed. Each stage has three, each of which
helps more than the one before.

With --picture, COMMAND is run once more, to render a picture: each answer is a pixel. The
picture, the right one and the pixels that differ are drawn side by side to FILE; the first
that differs is marked and described. With STAGE all, the picture is that of the last stage.

With --watch, COMMAND is graded again whenever a file that it names is saved, or a file with
the same extension in the same folder.

After the verdict, COMMAND and the processes that it has started are killed.

The exit status is 0 if all answers are right, and 1 if any is wrong, also one for the
picture. It is 3 if COMMAND cannot be run, ends with a status other than 0 or before it has
answered all questions, neither reads a question nor writes an answer for the time of
--timeout, or writes a line that does not answer an open question. It is 2 for a wrong
command line, and 130 after Ctrl-C.`,
		Example: `  render grade sphere -- python3 tracer.py
  render grade box --seed 7 -- node tracer.js
  render grade all -- ./tracer
  render grade sphere --picture sphere.png --watch -- python3 tracer.py
  render grade sphere --hint 1`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupCourse,
		ValidArgsFunction:     completeGrade,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if err := cli.CheckFlags(cmd, cli.Excludes("hint", "picture", "watch")); err != nil {
				return err
			}
			if cli.Given(cmd, "hint") && len(args) > 0 && dash != 0 {
				return g.printHint(cmd, args)
			}
			switch {
			case dash == 0 || len(args) == 0:
				return cli.Misuse(cmd, "want a stage before --, one of %s or %s", strings.Join(stageNames(), ", "), allStages)
			case dash > 1, dash < 0 && len(args) > 1:
				return cli.Misuse(cmd, "want -- between the stage and the command, as in 'render grade %s -- python3 tracer.py'", args[0])
			case len(args) == 1:
				return cli.Misuse(cmd, "want a command to judge, as in 'render grade %s -- python3 tracer.py'", args[0])
			}
			g.cmd, g.command, g.folder = cmd, args[1:], g.opt.Folder
			return g.run(cmd.Context(), args[0])
		},
	}
	g.flags(cmd)
	cmd.Flags().Var(cli.Duration(&g.timeout), "timeout", "stop when COMMAND neither reads nor writes anything for this time, such as 2s or 1m; without a unit in seconds (default: 10s)")
	g.timeout = 10 * time.Second
	command.OutputFlag(cmd, &g.output, "draw the differences of the first wrong picture to FILE")
	cmd.Flags().BoolVar(&g.extra, "extra", false, "with STAGE all, run the optional stages cylinder and cut, too")
	cmd.Flags().Var(cli.Text(&g.picture, "FILE"), "picture", "render a picture with COMMAND's answers, and draw it beside the right one to FILE")
	command.PictureFlag(cmd, "picture")
	cmd.Flags().BoolVar(&g.watch, "watch", false, "grade again whenever a file of COMMAND is saved, until Ctrl-C")
	command.JSONFlag(cmd, &g.json, "print each verdict as a JSON object")
	cmd.Flags().Var(cli.Int(&g.hint, 1, course.HintCount), "hint", fmt.Sprintf("print this hint for the stage, 1 to %d, and run nothing", course.HintCount))
	cli.NoCompletion(cmd, "timeout", "hint")
	return cmd
}

// completeGrade completes the stage, and then files for the learner's command.
func completeGrade(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return append(stageNames(), allStages), cobra.ShellCompDirectiveNoFileComp
}

// grading holds the flags of one run of `render grade`. This command runs the program of a learner of the
// course, which is called the learner's command, and judges the program's answers.
type grading struct {
	examining
	cmd     *cobra.Command
	command []string
	timeout time.Duration
	json    bool
	extra   bool   // all includes the optional stages
	output  string // file name
	picture string // file name
	hint    int    // number of the hint to print
	watch   bool
	folder  string // of --folder; "" if it is not given

	difference *command.Output // nil: not drawn
	canvas     *command.Output // nil: not drawn
}

// printHint prints a hint for a stage.
func (g *grading) printHint(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return cli.Misuse(cmd, "--hint runs no command: leave out %q", args[1])
	}
	s, err := g.stage(cmd, args[0])
	if err != nil {
		return err
	}
	g.Out.Printf("%s\n", g.Out.Flow(0, s.Hints()[g.hint-1]))
	return nil
}

func (g *grading) run(ctx context.Context, name string) error {
	if err := g.checkStage(g.cmd, name); err != nil {
		return err
	}
	names := []string{name}
	if name == allStages {
		names = g.allNames()
	}
	for _, name := range names {
		if _, err := g.stage(g.cmd, name); err != nil {
			return err
		}
	}
	var err error
	if g.difference, err = g.drawingOutput("output", g.output); err != nil {
		return err
	}
	if g.canvas, err = g.drawingOutput("picture", g.picture); err != nil {
		return err
	}
	if g.difference != nil && g.canvas != nil && osfile.Canonical(g.output) == osfile.Canonical(g.picture) {
		return cli.Misuse(g.cmd, "--output and --picture must be different files, got %s twice", g.output)
	}
	if g.watch {
		return g.keepGrading(ctx, names)
	}
	return g.round(ctx, names)
}

// round grades the named stages in order and stops after the first that fails. It also draws the requested
// pictures.
func (g *grading) round(ctx context.Context, names []string) error {
	folder, err := g.Files.TempFolder(tempPrefix)
	if err != nil {
		return err
	}
	defer g.Files.RemoveFolder(folder)
	if g.folder != "" {
		folder = g.folder
	}
	for i, name := range names {
		g.opt.Folder = folder
		if len(names) > 1 {
			g.opt.Folder = filepath.Join(folder, name) // the files of different stages have the same names
		}
		exam, err := g.exam(g.cmd, name)
		if err != nil {
			return err
		}
		if err := g.writeScenes(g.cmd, exam); err != nil {
			return err
		}
		if err := g.grade(ctx, exam, i == len(names)-1); err != nil {
			return err
		}
	}
	return nil
}

// tempPrefix is the beginning of the names of temporary folders.
const tempPrefix = "render-grade-"

// allNames returns the names of the stages that `grade all` runs.
func (g *grading) allNames() []string {
	if g.extra {
		return stageNames()
	}
	return namesOf(course.Stages())
}

// result is the result of one exam, that is, of the questions of a stage. picture is the picture that the
// learner's command has rendered in the stage; nil if none was requested.
type result struct {
	exam    *course.Exam
	verdict course.Verdict
	trouble error    // why the command failed before it had answered all questions; nil if it did not fail
	log     []string // the last lines that the command wrote to standard error
	picture *course.Comparison
}

// grade runs the learner's command on the exam of one stage, and prints the result. If the command fails,
// grade judges the answers that it gave before. With --picture, if the stage fails or last is true, grade
// also makes the command answer a question for each pixel of a picture, and draws the picture.
func (g *grading) grade(ctx context.Context, exam *course.Exam, last bool) error {
	r := &result{exam: exam}
	var err error
	if r.log, r.trouble, err = g.runExam(ctx, exam); err != nil {
		return err
	}
	if r.verdict, err = exam.Verdict(ctx); err != nil {
		return err
	}
	if !g.json {
		g.printResult(r)
	}
	failure := g.failure(r)
	if g.canvas != nil && (failure != nil || last) {
		failure = g.drawCanvas(ctx, r, failure)
	}
	if g.json {
		g.printRecord(r)
	}
	if failure != nil && g.difference != nil {
		failure = cmp.Or(g.drawDifference(exam, *g.difference), failure)
	}
	return failure
}

// runExam runs the learner's command on an exam, and returns the last lines of its standard error. trouble
// is an error of the command while it runs. err is an error of starting the command, or the cause if ctx
// has ended.
func (g *grading) runExam(ctx context.Context, exam *course.Exam) (log []string, trouble, err error) {
	l, err := learner.Start(g.command, g.timeout)
	if err != nil {
		return nil, nil, &cli.Failure{Status: cli.StatusFile, Err: startError(g.command[0], err)}
	}
	trouble = l.Sit(ctx, exam)
	return l.Log(), trouble, context.Cause(ctx)
}

// failure returns the error with which grading a stage ends. It returns nil if the stage was passed.
func (g *grading) failure(r *result) error {
	switch {
	case r.trouble != nil:
		return &cli.Failure{Status: cli.StatusFile, Err: g.commandError(r.exam, r.trouble)}
	case !r.verdict.Passed:
		return &cli.Failure{Status: cli.StatusDifferent}
	}
	return nil
}

// drawingOutput returns the output of a flag for a drawing; nil if the flag is not given.
func (g *grading) drawingOutput(flag, name string) (*command.Output, error) {
	if !g.cmd.Flags().Changed(flag) {
		return nil, nil
	}
	if name == command.Standard {
		return nil, cli.Misuse(g.cmd, "standard output is for the verdict; give %s a file", cli.FlagName(g.cmd.Flag(flag)))
	}
	out, err := g.PictureOutput(g.cmd, name)
	if err != nil {
		return nil, err
	}
	return &out, g.CheckOutput(g.cmd, out.Name, append(slices.Clone(g.scenes), g.command...)...)
}

// drawDifference draws how the first wrong picture differs from the right one, if there is a wrong one.
func (g *grading) drawDifference(exam *course.Exam, out command.Output) error {
	got, want, ok := exam.FirstPicture()
	if !ok {
		return nil
	}
	d, err := golden.Compare(got, want, golden.Tolerance{MaxChannel: course.PictureStep})
	if err != nil {
		return err
	}
	img := golden.Picture(got, want, d)
	if err := g.Save(out, img); err != nil {
		return err
	}
	g.NoteDrawing(out, img.Bounds().Size())
	return nil
}

// startError returns the error for a command that cannot be started.
func startError(name string, err error) error {
	var missing *exec.Error
	if errors.As(err, &missing) {
		err = missing.Err
	}
	return fmt.Errorf("cannot run %s: %w", name, err)
}

// commandError returns the error for the user if the learner's command has failed. It adds the names of the
// stage and of the command to trouble.
func (g *grading) commandError(exam *course.Exam, trouble error) error {
	var nonsense *course.NonsenseError
	if errors.As(trouble, &nonsense) {
		return fmt.Errorf("%s: %s: %w", exam.Stage.Name, g.command[0], trouble)
	}
	return fmt.Errorf("%s: %s %w", exam.Stage.Name, g.command[0], trouble)
}

// printResult prints a result for people.
func (g *grading) printResult(r *result) {
	if r.verdict.First != nil || r.trouble == nil {
		g.printSpans(r.verdict.Report())
	}
	if r.trouble == nil {
		return
	}
	for _, line := range r.log {
		g.Err.Printf("| %s\n", line)
	}
}

// printRecord prints a result as one line of JSON.
func (g *grading) printRecord(r *result) {
	record := struct {
		course.Verdict
		Failure string         `json:"failure,omitempty"` // why grading stopped before all answers
		Stderr  []string       `json:"stderr,omitempty"`  // the last lines that the command wrote to standard error
		Picture *pictureRecord `json:"picture,omitempty"`
	}{Verdict: r.verdict, Picture: g.pictureRecord(r)}
	if r.trouble != nil {
		record.Failure, record.Stderr = g.commandError(r.exam, r.trouble).Error(), r.log
	}
	command.PrintJSON(g.Out, []any{record})
}

// printSpans prints the pieces of a report to standard output, each with its look: paragraphs, plain text
// or colored text.
func (g *grading) printSpans(all []course.Span) {
	out := &g.Out
	for _, s := range all {
		switch s.Look {
		case course.Flow:
			out.Printf("%s", out.Flow(2, s.Text))
		case "":
			for i, line := range strings.Split(s.Text, "\n") {
				if i > 0 {
					out.Printf("\n")
				}
				out.Printf("%s", line)
			}
		default:
			out.Printf("%s", out.Paint(colorOf(s.Look), s.Text))
		}
	}
}

// colorOf returns the color of emphasized text.
func colorOf(l course.Look) string {
	switch l {
	case course.Good:
		return cli.Cyan
	case course.Bad:
		return cli.Red
	case course.Name:
		return cli.Yellow
	}
	return cli.Bold
}
