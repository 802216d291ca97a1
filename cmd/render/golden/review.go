package golden

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

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/review"
	"pillbox/internal/text"
	"pillbox/suite"
)

func goldenReviewCommand(p *command.Env) *cobra.Command {
	r := &reviewing{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "review [SCENE...]",
		Short: "Decide on pending pictures one by one",
		Long: `Show the pending pictures one after the other, and ask: accept makes the picture
the golden; reject keeps the golden and removes the new picture; skip keeps both;
undo reverts the last answer; open shows the pictures in the system's viewer; ?
explains. You can type only the first letter. A terminal with true color shows a preview.

An edit that changed several pictures, such as one of an included file, is one question
about all pictures that no other edit changed.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), args)
		},
	}
	r.flags(cmd)
	r.limitFlag(cmd)
	r.allFlag(cmd)
	return cmd
}

// reviewing holds the flags and the state of one run of `render golden review`.
type reviewing struct {
	goldens
	lines   *bufio.Reader // the user's input
	preview bool          // whether the terminal can show pictures
	redraws <-chan os.Signal

	session *review.Session
}

func (r *reviewing) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	r.lines = bufio.NewReader(r.In)
	r.preview = r.Out.Color && cli.HasTrueColor(os.Getenv)
	worst := cli.StatusDone
	pending := review.Pending(ctx, r.Options, refs, func(failed *suite.Result) {
		r.printFailure(failed)
		worst = max(worst, status(failed))
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.session = review.New(pending, r.Files.Rewrite)
	var stop func()
	r.redraws, stop = cli.Redraws()
	defer stop()
	err = r.reviewAll(ctx)
	if ctx.Err() != nil {
		r.Out.Printf("\n") // ends the line of the prompt
	}
	r.Out.Printf("%d accepted, %d rejected, %d pending\n", r.session.Count(review.Accept), r.session.Count(review.Reject), r.session.Left())
	if err == nil && worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return err
}

// reviewAll reviews the pending references until the user quits.
func (r *reviewing) reviewAll(ctx context.Context) error {
	for i := 0; i < r.session.Len(); {
		result, err := r.session.Judge(ctx, r.Options, i)
		if err != nil {
			return err
		}
		next, err := r.review(ctx, i, result)
		if err != nil {
			return err
		}
		if next == r.session.Len() {
			if next, err = r.finish(ctx); err != nil {
				return err
			}
		}
		i = next
	}
	return nil
}

// finish offers to undo the last answer after all references were reviewed on a terminal. It returns the index of the
// next reference to review.
func (r *reviewing) finish(ctx context.Context) (next int, err error) {
	end := r.session.Len()
	if !r.session.CanUndo() || !r.Out.IsTerminal() {
		return end, nil
	}
	ask := func() { r.Out.Printf(lastPrompt) }
	ask()
	line, err := r.readLine(ctx, ask)
	if err != nil && !errors.Is(err, io.EOF) {
		return end, err
	}
	if errors.Is(err, io.EOF) {
		r.Out.Printf("\n")
	}
	if word := strings.ToLower(strings.TrimSpace(line)); word != "" && strings.HasPrefix(string(answerUndo), word) {
		return r.undo(end)
	}
	return end, nil
}

// undo reverts the last answer and returns the index of its reference. If there is nothing to undo, it returns index.
func (r *reviewing) undo(index int) (next int, err error) {
	if !r.session.CanUndo() {
		r.Out.Printf("nothing to undo\n")
		return index, nil
	}
	return r.session.Undo()
}

// review shows a result, asks for a decision and carries it out. It returns the index of the next reference, or the
// number of references if the user quits.
func (r *reviewing) review(ctx context.Context, index int, result *suite.Result) (next int, err error) {
	if err := r.show(index, result); err != nil {
		return 0, err
	}
	for {
		a, err := r.ask(ctx, func() error { return r.show(index, result) })
		if err != nil {
			return 0, err
		}
		switch a {
		case answerAccept, answerReject, answerSkip:
			return index + 1, r.decide(ctx, index, review.Decision(a), result)
		case answerUndo:
			if next, err := r.undo(index); err != nil || next != index {
				return next, err
			}
		case answerOpen:
			if err := r.open(ctx, result); err != nil {
				r.Report(err)
			}
		case answerHelp:
			r.Out.Printf(reviewHelp)
		case answerQuit:
			r.session.Forget()
			return r.session.Len(), nil
		}
	}
}

// decide carries out a decision about a result, or about all results of a cause.
func (r *reviewing) decide(ctx context.Context, index int, d review.Decision, result *suite.Result) error {
	if cause, _ := r.session.Shared(index); cause == nil {
		return r.session.Decide(index, d, result)
	}
	changed, err := r.session.DecideAll(ctx, r.Options, index, d)
	if len(changed) > 0 {
		r.Report(fmt.Errorf("%s changed during the review and stay pending: %s", text.Count(len(changed), "scene"), strings.Join(changed, ", ")))
	}
	return err
}

// open shows the result in the system's image viewer: one picture with both versions and their difference, or the only
// version.
func (r *reviewing) open(ctx context.Context, result *suite.Result) error {
	name, err := r.session.Picture(result)
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
