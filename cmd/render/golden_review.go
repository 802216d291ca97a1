package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/golden"
	"pillbox/internal/cli"
	"pillbox/suite"
)

func (p *program) goldenReviewCommand() *cobra.Command {
	r := &reviewing{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "review [SCENE...]",
		Short: "Go through what is pending and accept it one by one",
		Long: `Show what is pending, one scene after the other, and ask: accept makes the picture
the golden; reject keeps the golden and removes the new picture; skip leaves both;
open shows them in the system's viewer; ? explains. The first letter will do. A
terminal that can shows a preview.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), args)
		},
	}
	r.flags(cmd)
	r.limitFlag(cmd)
	return cmd
}

// reviewing is one call of golden review.
type reviewing struct {
	goldens
	lines   *bufio.Reader // what the user types
	preview bool          // the terminal can show pictures
}

func (r *reviewing) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	r.lines = bufio.NewReader(r.in)
	r.preview = r.out.Color && cli.HasTrueColor(os.Getenv)
	pending, worst := r.pending(ctx, refs)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	counts := make(map[answer]int)
	for i, ref := range pending {
		// Judged anew, for what is accepted must be what is shown. Pictures of all at once
		// might be too many, too.
		result := suite.Judge(ctx, r.Options, ref)
		result.Study(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		position := fmt.Sprintf("%d of %d  ", i+1, len(pending))
		r.out.Printf("\n%s", position)
		r.printLine(len(position), result)
		a, err := r.review(ctx, result)
		if err != nil {
			return err
		}
		counts[a]++
		if a == answerQuit {
			break
		}
	}
	left := len(pending) - counts[answerAccept]
	r.out.Printf("%d accepted, %d rejected, %d pending\n", counts[answerAccept], counts[answerReject], left)
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}

// pending returns the references to review, and the status of scenes which cannot be.
func (r *reviewing) pending(ctx context.Context, refs []suite.Reference) (pending []suite.Reference, worst int) {
	for result := range suite.Run(ctx, r.Options, refs, (*suite.Result).Release) {
		switch {
		case result.Verdict.Pending():
			pending = append(pending, result.Reference)
		case result.Verdict == suite.Failed && ctx.Err() == nil:
			r.printFailure(result)
			worst = max(worst, status(result))
		}
	}
	return pending, worst
}

// An answer is what the user types, in full or its first letter.
type answer string

const (
	answerAccept answer = "accept"
	answerReject answer = "reject"
	answerSkip   answer = "skip"
	answerOpen   answer = "open"
	answerQuit   answer = "quit"
	answerHelp   answer = "?"
)

func answers() []answer {
	return []answer{answerAccept, answerReject, answerSkip, answerOpen, answerQuit, answerHelp}
}

// prompt shows the keys.
const prompt = "[a]ccept, [r]eject, [s]kip, [o]pen, [q]uit or [?] "

// reviewHelp is what the user gets who types a question mark.
const reviewHelp = `
  a  accept  make the new picture the golden
  r  reject  keep the golden, and remove NAME.new.png
  s  skip    leave both; the scene stays pending
  o  open    show want, got and their difference in the system's viewer
  q  quit    leave this one and all others pending
`

// review shows the pictures of a result and does what the user says, who quits at the end of the input.
func (r *reviewing) review(ctx context.Context, result *suite.Result) (answer, error) {
	if r.preview {
		if err := r.show(result); err != nil {
			return "", err
		}
	}
	for {
		a, err := r.ask(ctx)
		if err != nil {
			return "", err
		}
		switch a {
		case answerAccept:
			return a, result.Accept(r.files.Write)
		case answerReject:
			return a, result.Tidy()
		case answerOpen:
			if err := r.open(ctx, result); err != nil {
				r.explain(err)
			}
		case answerHelp:
			r.out.Printf(reviewHelp)
		default:
			return a, nil
		}
	}
}

// show shows what changed: want, got and the changed pixels, as far as they exist.
func (r *reviewing) show(result *suite.Result) error {
	const most = 3
	panels := r.out.NewPanels(most)
	if result.Want != nil {
		panels.Add(result.Want)
	}
	if result.Got != nil {
		panels.Add(result.Got)
	}
	if result.Want != nil && result.Got != nil && result.Diff.Got == result.Diff.Want {
		panels.AddMarks(golden.Changes(result.Got, result.Want, result.Diff))
	}
	return panels.Print(&r.out)
}

// ask prompts until the user gives an answer.
func (r *reviewing) ask(ctx context.Context) (answer, error) {
	for {
		r.out.Printf(prompt)
		line, err := await(ctx, func() (string, error) { return r.lines.ReadString('\n') })
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		word := strings.ToLower(strings.TrimSpace(line))
		for _, a := range answers() {
			if word != "" && strings.HasPrefix(string(a), word) {
				return a, nil
			}
		}
		if err != nil {
			r.out.Printf("\n")
			return answerQuit, nil
		}
	}
}

// open shows the pictures in the system's viewer: both and the difference in one if there
// are two.
func (r *reviewing) open(ctx context.Context, result *suite.Result) error {
	name, err := r.drawn(result)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	wait, err := cli.OpenViewer(ctx, path)
	if err != nil {
		return fmt.Errorf("%w; the picture is %s", err, name)
	}
	return wait()
}

// drawn returns the file that shows a result, and makes it.
func (r *reviewing) drawn(result *suite.Result) (name string, err error) {
	switch {
	case result.Got == nil:
		return result.Picture(), nil
	case result.Want == nil:
		return result.Proposal(), result.Propose(r.files.Write)
	default:
		return result.Drawing(), result.Draw(r.files.Write)
	}
}
