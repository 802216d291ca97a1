package main

import (
	"bufio"
	"bytes"
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
		Short: "Decide on pending pictures one by one",
		Long: `Show the pending pictures one after the other, and ask: accept makes the picture
the golden; reject keeps the golden and removes the new picture; skip keeps both;
undo reverts the last answer; open shows the pictures in the system's viewer; ?
explains. You can type only the first letter. A terminal with true color shows a preview.`,
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
	redraws <-chan os.Signal

	pending []suite.Reference
	counts  map[answer]int
	last    *decision // nil: there is nothing to undo
}

// decision is an answer about a pending reference, and the files before it.
type decision struct {
	index  int
	answer answer
	backup *suite.Backup
}

func (r *reviewing) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	r.lines = bufio.NewReader(r.in)
	r.preview = r.out.Color && cli.HasTrueColor(os.Getenv)
	r.counts = make(map[answer]int)
	var worst int
	r.pending, worst = r.findPending(ctx, refs)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var stop func()
	r.redraws, stop = cli.Redraws()
	defer stop()
	err = r.reviewAll(ctx)
	if ctx.Err() != nil {
		r.out.Printf("\n") // the prompt is on this line
	}
	left := len(r.pending) - r.counts[answerAccept]
	r.out.Printf("%d accepted, %d rejected, %d pending\n", r.counts[answerAccept], r.counts[answerReject], left)
	if err == nil && worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return err
}

// reviewAll reviews what is pending until the user quits.
func (r *reviewing) reviewAll(ctx context.Context) error {
	for i := 0; i < len(r.pending); {
		// Judged anew, for what is accepted must be what is shown. Pictures of all at once
		// might be too many, too.
		result := suite.Judge(ctx, r.Options, r.pending[i])
		result.Study(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		next, err := r.review(ctx, i, result)
		if err != nil {
			return err
		}
		if next == len(r.pending) {
			if next, err = r.finish(ctx); err != nil {
				return err
			}
		}
		i = next
	}
	return nil
}

// finish lets the user of a terminal undo even the very last answer. It returns the index of the next reference.
func (r *reviewing) finish(ctx context.Context) (next int, err error) {
	end := len(r.pending)
	if r.last == nil || !r.out.IsTerminal() {
		return end, nil
	}
	ask := func() { r.out.Printf(lastPrompt) }
	ask()
	line, err := r.readLine(ctx, ask)
	if err != nil && !errors.Is(err, io.EOF) {
		return end, err
	}
	if errors.Is(err, io.EOF) {
		r.out.Printf("\n")
	}
	if word := strings.ToLower(strings.TrimSpace(line)); word != "" && strings.HasPrefix(string(answerUndo), word) {
		return r.undo(end)
	}
	return end, nil
}

// undo reverts the last answer and returns the index of its reference, or the given index without an answer.
func (r *reviewing) undo(index int) (next int, err error) {
	d := r.last
	if d == nil {
		r.out.Printf("nothing to undo\n")
		return index, nil
	}
	if d.backup != nil {
		if err := d.backup.Restore(r.files.Write); err != nil {
			return index, err
		}
	}
	r.last = nil
	r.counts[d.answer]--
	return d.index, nil
}

// findPending returns the references to review, and the status of scenes which cannot be.
func (r *reviewing) findPending(ctx context.Context, refs []suite.Reference) (pending []suite.Reference, worst int) {
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
	answerUndo   answer = "undo"
	answerOpen   answer = "open"
	answerQuit   answer = "quit"
	answerHelp   answer = "?"
)

func answers() []answer {
	return []answer{answerAccept, answerReject, answerSkip, answerUndo, answerOpen, answerQuit, answerHelp}
}

// The prompts show the keys.
const (
	prompt       = "[a]ccept, [r]eject, [s]kip, [u]ndo, [o]pen, [q]uit or [?] "
	narrowPrompt = "[a/r/s/u/o/q/?] "
	lastPrompt   = "[u]ndo or Enter to finish "

	typingRoom = 8 // columns for the answer
)

// reviewHelp is what the user gets who types a question mark.
const reviewHelp = `
  a  accept  make the new picture the golden
  r  reject  keep the golden, and remove NAME.new.png
  s  skip    leave both; the scene stays pending
  u  undo    take the last answer back: its files are as before
  o  open    show want, got and their difference in the system's viewer
  q  quit    leave this one and all others pending
`

// review shows a result, asks what to do and does it. It returns the index of the next reference, behind all if the user
// quits.
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
			return index + 1, r.decide(index, a, result)
		case answerUndo:
			if next, err := r.undo(index); err != nil || next != index {
				return next, err
			}
		case answerOpen:
			if err := r.open(ctx, result); err != nil {
				r.explain(err)
			}
		case answerHelp:
			r.out.Printf(reviewHelp)
		case answerQuit:
			r.last = nil
			return len(r.pending), nil
		}
	}
}

// decide does what the user says, so that it can be undone.
func (r *reviewing) decide(index int, a answer, result *suite.Result) error {
	d := &decision{index: index, answer: a}
	var do func() error
	switch a {
	case answerAccept:
		do = func() error { return result.Accept(r.files.Write) }
	case answerReject:
		do = result.Tidy
	}
	if do != nil {
		var err error
		if d.backup, err = result.Backup(); err != nil {
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
	r.last = d
	r.counts[a]++
	return nil
}

// show shows the verdict about a result and, if the terminal can, its pictures.
func (r *reviewing) show(index int, result *suite.Result) error {
	r.out.Measure()
	lines := lineCounter{Writer: r.out.Writer}
	out := r.out
	r.out.Writer = &lines
	position := fmt.Sprintf("%d of %d  ", index+1, len(r.pending))
	r.out.Printf("\n%s", position)
	r.printLine(len(position), result)
	r.out = out
	if !r.preview {
		return nil
	}
	return r.showPictures(result, lines.n)
}

// lineCounter counts the lines that are written.
type lineCounter struct {
	io.Writer
	n int
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte("\n"))
	return c.Writer.Write(p)
}

// showPictures shows want, got and the changed pixels, as far as they exist, below the given number of lines.
func (r *reviewing) showPictures(result *suite.Result, above int) error {
	const most, below = 3, 1
	panels := r.out.NewPanels(most, above, below)
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

// ask prompts until the user gives an answer. It shows the result anew if the size of the terminal changes.
func (r *reviewing) ask(ctx context.Context, show func() error) (answer, error) {
	printPrompt := func() {
		text := prompt
		if r.out.IsTerminal() && r.out.Columns < len(prompt)+typingRoom {
			text = narrowPrompt
		}
		r.out.Printf(text)
	}
	again := func() {
		if r.out.Measure() {
			_ = show() // otherwise printing the prompt fails, too
		} else {
			r.out.Printf("\n")
		}
		printPrompt()
	}
	for {
		printPrompt()
		// What could not be shown must not be accepted.
		if r.results.Err != nil {
			return "", r.results.Err
		}
		line, err := r.readLine(ctx, again)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if r.results.Err != nil {
			return "", r.results.Err
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

// readLine returns what the user types. It calls again when the prompt should be repeated.
func (r *reviewing) readLine(ctx context.Context, again func()) (string, error) {
	return awaitWith(ctx, func() (string, error) { return r.lines.ReadString('\n') }, r.redraws, again)
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
