package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/golden"
)

func (p *program) goldenReviewCommand() *cobra.Command {
	r := &reviewing{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "review [SCENE...]",
		Short: "Go through what is pending and accept it one by one",
		Long: `Show what is pending, one scene after the other, and ask: accept makes the picture
the golden; reject keeps the golden and removes the new picture; skip leaves both;
open shows them in the system's viewer. A terminal that can shows a preview.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), args)
		},
	}
	r.flags(cmd)
	return cmd
}

// reviewing is one call of golden review.
type reviewing struct {
	goldens
	lines    *bufio.Reader // what the user types
	graphics graphics
}

func (r *reviewing) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	r.lines = bufio.NewReader(r.in)
	if r.out.color {
		r.graphics = graphicsOf(os.Getenv)
	}
	pending, status := r.pending(ctx, refs)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	counts := make(map[answer]int)
	for i, ref := range pending {
		// Judged anew, for what is accepted must be what is shown. Pictures of all at once
		// might be too many, too.
		j := judge(ctx, ref)
		j.study(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		fmt.Fprintf(r.out, "\n%d of %d  ", i+1, len(pending))
		a, err := r.review(ctx, j)
		if err != nil {
			return err
		}
		counts[a]++
		if a == answerQuit {
			break
		}
	}
	left := len(pending) - counts[answerAccept]
	fmt.Fprintf(r.out, "%d accepted, %d rejected, %d pending\n", counts[answerAccept], counts[answerReject], left)
	if status != statusDone {
		return &failure{status: status}
	}
	return nil
}

// pending returns the references to review. The status is that of scenes which cannot be.
func (r *reviewing) pending(ctx context.Context, refs []reference) (pending []reference, status int) {
	for j := range r.judgements(ctx, refs, (*judgement).forget) {
		switch {
		case j.verdict.pending():
			pending = append(pending, j.reference)
		case j.verdict == failed && ctx.Err() == nil:
			r.tell(j)
			status = max(status, j.status())
		}
	}
	return pending, status
}

// An answer is what the user types, in full or its first letter.
type answer string

const (
	answerAccept answer = "accept"
	answerReject answer = "reject"
	answerSkip   answer = "skip"
	answerOpen   answer = "open"
	answerQuit   answer = "quit"
)

func answers() []answer {
	return []answer{answerAccept, answerReject, answerSkip, answerOpen, answerQuit}
}

// review shows a judgement and does what the user says, who quits at the end of the input.
func (r *reviewing) review(ctx context.Context, j *judgement) (answer, error) {
	r.printLine(j)
	if err := r.out.preview(j, r.graphics); err != nil {
		return "", err
	}
	for {
		a, err := r.ask(ctx)
		if err != nil {
			return "", err
		}
		switch a {
		case answerAccept:
			return a, r.accept(j)
		case answerReject:
			return a, r.tidy(&j.reference)
		case answerOpen:
			if err := r.open(ctx, j); err != nil {
				r.explain(err)
			}
		default:
			return a, nil
		}
	}
}

// ask prompts until the user gives an answer.
func (r *reviewing) ask(ctx context.Context) (answer, error) {
	for {
		fmt.Fprint(r.out, "accept, reject, skip, open or quit? ")
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
			fmt.Fprintln(r.out)
			return answerQuit, nil
		}
	}
}

// open shows the pictures in the system's viewer: both and the difference in one if there
// are two.
func (r *reviewing) open(ctx context.Context, j *judgement) error {
	name := j.picture()
	switch {
	case j.got != nil && j.want != nil:
		name = j.drawing()
		if err := r.write(name, golden.Picture(j.got, j.want, j.diff)); err != nil {
			return err
		}
	case j.got != nil:
		name = j.proposal()
		if err := r.propose(j); err != nil {
			return err
		}
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	opener := openerOf(runtime.GOOS)
	return exec.CommandContext(ctx, opener[0], append(opener[1:], path)...).Run()
}

func (r *reviewing) write(name string, img image.Image) error {
	return r.disk.write(name, func(w io.Writer) error { return encodePNG(w, img) })
}

// openerOf returns the command that opens a file with what the user of a system has chosen
// for its kind.
func openerOf(system string) []string {
	switch system {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		return []string{"xdg-open"}
	}
}
