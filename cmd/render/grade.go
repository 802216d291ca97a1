package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/course"
	"pillbox/internal/course/learner"
)

// allStages is the argument that runs the stages in order, up to the first that fails.
const allStages = "all"

func (p *program) gradeCommand() *cobra.Command {
	g := &grading{examining: examining{program: p}}
	cmd := &cobra.Command{
		Use:   "grade STAGE -- COMMAND [ARG...]",
		Short: "Grade your own ray tracer",
		Long: `Run COMMAND, write the questions of a stage of the course to its standard input and
grade its answers: JSON Lines, in any order. The first wrong answer is shown with the
expected answer, the lesson to read, and a command that derives it; a known mistake is
named. With STAGE all, the twelve stages of the course are run in order, up to the first that
fails; --extra adds the optional stage cylinder.

With --hint, no command is run: the hint is printed. Each stage has three, each of which
helps more than the one before.

The exit status is 0 if all answers are right, 1 if not, and 3 if COMMAND could not be
run, gave no answer for the time of --timeout, or wrote a line that is not an answer.`,
		Example: `  render grade sphere -- python3 tracer.py
  render grade box --seed 7 -- node tracer.js
  render grade all -- ./tracer
  render grade sphere --hint 1`,
		DisableFlagsInUseLine: true,
		GroupID:               groupCourse,
		ValidArgsFunction:     completeGrade,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
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
			g.cmd, g.command = cmd, args[1:]
			return g.run(cmd.Context(), args[0])
		},
	}
	g.flags(cmd)
	cmd.Flags().Var(cli.Duration(&g.timeout), "timeout", "stop after this time without an answer, such as 2s or 1m; without a unit in seconds (default: 10s)")
	g.timeout = 10 * time.Second
	outputFlag(cmd, &g.output, "draw the differences of the first wrong picture to FILE")
	cmd.Flags().BoolVar(&g.extra, "extra", false, "with STAGE all, run the optional stage cylinder, too")
	jsonFlag(cmd, &g.json, "print each verdict as a JSON object")
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

// grading holds the flags of one run of `render grade`.
type grading struct {
	examining
	cmd     *cobra.Command
	command []string
	timeout time.Duration
	json    bool
	extra   bool   // all includes the optional stages
	output  string // file name
	hint    int    // number of the hint to print
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
	g.out.Printf("%s\n", g.out.Flow(0, s.Hints()[g.hint-1]))
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
	out, draws, err := g.differenceOutput()
	if err != nil {
		return err
	}
	folder, err := g.files.TempFolder("render-grade-")
	if err != nil {
		return err
	}
	defer g.files.RemoveFolder(folder)
	if g.opt.Folder == "" {
		g.opt.Folder = folder
	}
	for _, name := range names {
		exam, err := g.exam(g.cmd, name)
		if err != nil {
			return err
		}
		if err := g.writeScenes(exam); err != nil {
			return err
		}
		if err := g.grade(ctx, exam); err != nil {
			if draws {
				err = cmp.Or(g.drawDifference(exam, out), err)
			}
			return err
		}
	}
	return nil
}

// allNames returns the names of the stages that `grade all` runs.
func (g *grading) allNames() []string {
	if g.extra {
		return stageNames()
	}
	return namesOf(course.Stages())
}

// grade runs the learner's command on one stage. If the command fails, grade still reports the answers received before.
func (g *grading) grade(ctx context.Context, exam *course.Exam) error {
	l, err := learner.Start(g.command, g.timeout)
	if err != nil {
		return &cli.Failure{Status: cli.StatusFile, Err: startError(g.command[0], err)}
	}
	trouble := l.Sit(ctx, exam)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	v, err := exam.Verdict()
	if err != nil {
		return err
	}
	g.report(exam, v, trouble, l.Log())
	switch {
	case trouble != nil:
		return &cli.Failure{Status: cli.StatusFile, Err: g.wording(exam, trouble)}
	case !v.Passed:
		return &cli.Failure{Status: cli.StatusDifferent}
	}
	return nil
}

// differenceOutput returns the output for the picture of the difference, and whether -o was given.
func (g *grading) differenceOutput() (out output, wanted bool, err error) {
	if !g.cmd.Flags().Changed("output") {
		return output{}, false, nil
	}
	if g.output == standard {
		return output{}, false, cli.Misuse(g.cmd, "standard output is for the verdict; give -o a file")
	}
	if out, err = g.pictureOutput(g.cmd, g.output); err != nil {
		return output{}, false, err
	}
	return out, true, g.checkOutput(&g.claims, g.cmd, out.name, g.scenes...)
}

// drawDifference draws how the first wrong picture differs from the right one, if there is a wrong one.
func (g *grading) drawDifference(exam *course.Exam, out output) error {
	img, ok := exam.Difference()
	if !ok {
		return nil
	}
	if err := g.save(out, img); err != nil {
		return err
	}
	g.noteDrawing(out, img.Bounds().Size())
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

// wording returns the error that describes what is wrong with the learner's command.
func (g *grading) wording(exam *course.Exam, trouble error) error {
	var nonsense *course.NonsenseError
	if errors.As(trouble, &nonsense) {
		return fmt.Errorf("%s: %s: %w", exam.Stage.Name, g.command[0], trouble)
	}
	return fmt.Errorf("%s: %s %w", exam.Stage.Name, g.command[0], trouble)
}

// report prints a verdict.
func (g *grading) report(exam *course.Exam, v course.Verdict, trouble error, log []string) {
	if g.json {
		g.reportJSON(exam, v, trouble, log)
		return
	}
	if v.First != nil || trouble == nil {
		g.printVerdict(v)
	}
	if trouble == nil {
		return
	}
	for _, line := range log {
		g.err.Printf("| %s\n", line)
	}
}

// reportJSON prints a verdict as one line of JSON.
func (g *grading) reportJSON(exam *course.Exam, v course.Verdict, trouble error, log []string) {
	record := struct {
		course.Verdict
		Failure string   `json:"failure,omitempty"` // why grading stopped before all answers
		Stderr  []string `json:"stderr,omitempty"`  // the last lines that the command wrote to standard error
	}{Verdict: v}
	if trouble != nil {
		record.Failure, record.Stderr = g.wording(exam, trouble).Error(), log
	}
	printJSON(g.out, []any{record})
}

// printVerdict prints a verdict for people.
func (g *grading) printVerdict(v course.Verdict) {
	out := &g.out
	if v.Passed {
		answers := fmt.Sprintf("all %d answers are right", v.Questions)
		if v.Questions == 1 {
			answers = "the answer is right"
		}
		out.Printf("%s: %s %s\n", v.Stage, out.Paint(cli.Cyan, "passed:"), answers)
		return
	}
	w := v.First
	out.Printf("%s: %s %d of %d answers are right, %d before the first that is wrong\n", v.Stage, out.Paint(cli.Red, "not passed:"), v.Right, v.Questions, v.Before)
	for _, c := range v.Classes {
		if c.Questions > 0 {
			out.Printf("  %-10s  %d of %d wrong\n", string(c.Class), c.Wrong, c.Questions)
		}
	}
	out.Printf("\nQuestion %d, %s: %s\n", w.ID, string(w.Class), w.Case)
	out.Printf("  question  %s\n  answer    %s\n  expected  %s\n", string(w.Question), inJSON(w.Answer), inJSON(w.Expected))
	out.Printf("\n%s: %s", out.Paint(cli.Bold, w.Field), w.Problem)
	if w.Want != nil || w.Got != nil {
		out.Printf("; expected %s, got %s", inJSON(w.Want), inJSON(w.Got))
	}
	out.Printf("\n")
	switch len(v.Mistakes) {
	case 0:
	case 1:
		out.Printf("\nThe wrong answers are those of a known mistake: ")
	default:
		out.Printf("\nThe wrong answers are those of known mistakes that these questions do not tell apart:\n")
	}
	for _, m := range v.Mistakes {
		out.Printf("%s.\n  %s\n  Read docs/lessons/%s\n", out.Paint(cli.Yellow, m.Name), out.Flow(2, m.Advice), m.Lesson)
	}
	out.Printf("\nThe lesson: docs/lessons/%s\nThis derives the question:\n%s\n", w.Lesson, cli.Fitted(w.Derive.Command())) // a command made of numbers and known words, so it is printed without escaping
}

// inJSON returns a value as JSON.
func inJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
