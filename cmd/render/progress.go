package main

import (
	"image"
	"time"

	"github.com/schollz/progressbar/v3"

	"pillbox/internal/text"
)

// progress knows how much of a picture is rendered and shows it on a terminal.
type progress struct {
	done, all int // pixels
	start     time.Time
	bar       *progressbar.ProgressBar // nil without a terminal
}

const (
	// A bar that flashes by is of no use, and its first prediction would be a guess.
	barDelay = 200 * time.Millisecond

	barInterval = 100 * time.Millisecond
)

// newProgress returns the progress of rendering what label names, a picture of the given
// size.
func (p *program) newProgress(label string, size image.Point) *progress {
	g := &progress{all: size.X * size.Y, start: time.Now()}
	if !p.err.isTerminal() || p.quiet {
		return g
	}
	g.bar = progressbar.NewOptions(g.all,
		progressbar.OptionSetWriter(p.err.Writer),
		progressbar.OptionSetDescription(text.Escape(label)),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowIts(), // also makes the times move between one percent and the next
		progressbar.OptionSetItsString("px"),
		progressbar.OptionThrottle(barInterval),
		progressbar.OptionClearOnFinish(),
	)
	g.bar.StartWithoutRender()
	return g
}

// update is for [pillbox.Options.Progress].
func (g *progress) update(done, _ int) {
	g.done = done
	if g.bar != nil && time.Since(g.start) > barDelay {
		_ = g.bar.Set(done) // a terminal that is gone is no reason to stop
	}
}

// clear takes the bar off the terminal.
func (g *progress) clear() {
	if g.bar != nil {
		_ = g.bar.Clear()
	}
}

// percent is how much is done, rounded down, so that 100 means all.
func (g *progress) percent() int {
	return int(100 * int64(g.done) / int64(g.all))
}
