package cli

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"pillbox/internal/text"
)

// Progress counts the finished steps of some work, usually pixels, and shows a progress bar on a terminal.
type Progress struct {
	done, all int
	start     time.Time
	bar       *progressbar.ProgressBar // nil if no bar is shown
	events    *eventWriter             // nil if no events are printed
}

const (
	// barDelay prevents a bar for work that ends almost at once. Its first time estimates would be guesses anyway.
	barDelay = 200 * time.Millisecond

	barInterval = 100 * time.Millisecond
)

// NewProgress returns the progress of work with the given number of steps. It shows no bar if quiet is set or to is not
// a terminal. It prints events if to.Events is set and quiet is not.
func NewProgress(to *Screen, quiet bool, label, unit string, all int) *Progress {
	g := &Progress{all: all, start: time.Now(), events: newEventWriter(to, quiet, label)}
	if !to.IsTerminal() || quiet {
		return g
	}
	g.bar = progressbar.NewOptions(g.all,
		progressbar.OptionSetWriter(to.Writer),
		progressbar.OptionSetDescription(text.Escape(label)),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowIts(), // also updates the displayed times between two percentages
		progressbar.OptionSetItsString(unit),
		progressbar.OptionThrottle(barInterval),
		progressbar.OptionClearOnFinish(),
	)
	g.bar.StartWithoutRender()
	return g
}

// Update sets the number of finished steps.
func (g *Progress) Update(done int) {
	g.done = done
	g.events.write(int64(done), int64(g.all))
	if g.bar != nil && time.Since(g.start) > barDelay {
		_ = g.bar.Set(done) // the work continues even if the terminal is gone
	}
}

// Clear removes the bar from the terminal.
func (g *Progress) Clear() {
	if g.bar != nil {
		_ = g.bar.Clear()
	}
}

// All returns the total number of steps.
func (g *Progress) All() int { return g.all }

// Percent returns the finished percentage, rounded down, so 100 means that all steps are finished.
func (g *Progress) Percent() int {
	return int(100 * int64(g.done) / int64(g.all))
}
