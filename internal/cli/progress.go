package cli

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"pillbox/internal/text"
)

// Progress counts steps of some work, pixels mostly, and shows them as a bar on a terminal.
type Progress struct {
	done, all int
	start     time.Time
	bar       *progressbar.ProgressBar // nil without a terminal
}

const (
	// barDelay avoids bars that flash by; their first predictions would be guesses.
	barDelay = 200 * time.Millisecond

	barInterval = 100 * time.Millisecond
)

// NewProgress returns the progress of work of so many steps. With quiet, or if to is not a terminal, nothing is
// shown.
func NewProgress(to *Screen, quiet bool, label, unit string, all int) *Progress {
	g := &Progress{all: all, start: time.Now()}
	if !to.IsTerminal() || quiet {
		return g
	}
	g.bar = progressbar.NewOptions(g.all,
		progressbar.OptionSetWriter(to.Writer),
		progressbar.OptionSetDescription(text.Escape(label)),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowIts(), // also makes the times move between one percent and the next
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
	if g.bar != nil && time.Since(g.start) > barDelay {
		_ = g.bar.Set(done) // a terminal that is gone is no reason to stop
	}
}

// Clear removes the bar from the terminal.
func (g *Progress) Clear() {
	if g.bar != nil {
		_ = g.bar.Clear()
	}
}

// All returns the number of steps.
func (g *Progress) All() int { return g.all }

// Percent returns the finished percentage, rounded down, so that 100 means all.
func (g *Progress) Percent() int {
	return int(100 * int64(g.done) / int64(g.all))
}
