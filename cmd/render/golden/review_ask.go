package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"pillbox/golden"
	"pillbox/internal/command"
	"pillbox/internal/review"
	"pillbox/suite"
)

// An answer is a word that the user can type. Its first letters are enough.
type answer string

const (
	answerAccept        = answer(review.Accept)
	answerReject        = answer(review.Reject)
	answerSkip          = answer(review.Skip)
	answerUndo   answer = "undo"
	answerOpen   answer = "open"
	answerQuit   answer = "quit"
	answerHelp   answer = "?"
)

func answers() []answer {
	return []answer{answerAccept, answerReject, answerSkip, answerUndo, answerOpen, answerQuit, answerHelp}
}

// The prompts list the keys.
const (
	prompt       = "[a]ccept, [r]eject, [s]kip, [u]ndo, [o]pen, [q]uit or [?] "
	narrowPrompt = "[a/r/s/u/o/q/?] "
	lastPrompt   = "[u]ndo or Enter to finish "

	typingRoom = 8 // columns for the user's answer
)

// reviewHelp is printed when the user types a question mark.
const reviewHelp = `
  a  accept  make the new picture the golden
  r  reject  keep the golden, and remove NAME.new.png
  s  skip    leave both; the scene stays pending
  u  undo    take the last answer back: its files are as before
  o  open    show want, got and their difference in the system's viewer
  q  quit    leave this one and all others pending
`

// ask prompts until the user gives a valid answer. At the end of the input, the answer is answerQuit. If the size of the
// terminal changes, ask calls show and prompts again.
func (r *reviewing) ask(ctx context.Context, show func() error) (answer, error) {
	printPrompt := func() {
		text := prompt
		if r.Out.IsTerminal() && r.Out.Columns < len(prompt)+typingRoom {
			text = narrowPrompt
		}
		r.Out.Printf(text)
	}
	again := func() {
		if r.Out.Measure() {
			_ = show() // if this fails, printing the prompt fails, too
		} else {
			r.Out.Printf("\n")
		}
		printPrompt()
	}
	for {
		printPrompt()
		// Stop if printing has failed: the user must not accept a picture that was not shown.
		if r.Results.Err != nil {
			return "", r.Results.Err
		}
		line, err := r.readLine(ctx, again)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if r.Results.Err != nil {
			return "", r.Results.Err
		}
		word := strings.ToLower(strings.TrimSpace(line))
		for _, a := range answers() {
			if word != "" && strings.HasPrefix(string(a), word) {
				return a, nil
			}
		}
		if err != nil {
			r.Out.Printf("\n")
			return answerQuit, nil
		}
	}
}

// readLine returns the line that the user types. If the size of the terminal changes meanwhile, it calls
// the function again, which repeats the prompt.
func (r *reviewing) readLine(ctx context.Context, again func()) (string, error) {
	return command.AwaitWith(ctx, func() (string, error) { return r.lines.ReadString('\n') }, r.redraws, again)
}

// show prints the verdict about a result and, if the terminal can show them, its pictures.
func (r *reviewing) show(index int, result *suite.Result) error {
	r.Out.Measure()
	lines := lineCounter{Writer: r.Out.Writer}
	out := r.Out
	r.Out.Writer = &lines
	position := fmt.Sprintf("%d of %d  ", index+1, r.session.Len())
	r.Out.Printf("\n%s", position)
	if cause, results := r.session.Shared(index); cause != nil {
		r.printCause(cause, len(position))
		if others := len(cause.Changed) - len(results); others > 0 {
			r.printIndented(fmt.Sprintf("this question is about those without other causes, %d of %d", len(results), len(cause.Changed)))
		}
		if r.preview {
			r.printIndented("the picture of " + result.Name + ":")
		}
	} else {
		r.printLine(len(position), result)
	}
	r.Out = out
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

// showPictures shows the golden, the new picture and the changed pixels, side by side. It omits what does
// not exist, such as the golden of a new scene. The parameter above is the number of lines of text above
// the pictures.
func (r *reviewing) showPictures(result *suite.Result, above int) error {
	const most, below = 3, 1
	panels := r.Out.NewPanels(most, above, below)
	if result.Want != nil {
		panels.Add(result.Want)
	}
	if result.Got != nil {
		panels.Add(result.Got)
	}
	if result.Want != nil && result.Got != nil && result.Diff.Got == result.Diff.Want {
		panels.AddMarks(golden.Changes(result.Got, result.Want, result.Diff))
	}
	return panels.Print(&r.Out)
}
