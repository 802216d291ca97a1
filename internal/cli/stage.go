package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"

	"pillbox/internal/text"
)

// Stage is some work before rendering, such as loading, of which a terminal shows the share that is done and the time, even
// while no step ends. Nothing is shown before the first [Stage.Update].
type Stage struct {
	to    *Screen
	label string
	stop  chan struct{}
	ended sync.WaitGroup

	mu        sync.Mutex
	done, all int64
	shown     int // columns of the line on the terminal
}

// stageDelay avoids lines that flash by.
const stageDelay = 500 * time.Millisecond

// NewStage begins a stage, which ends with [Stage.Clear]. With quiet, or if to is not a terminal, nothing is shown.
func NewStage(to *Screen, quiet bool, label string) *Stage {
	g := &Stage{to: to, label: label, stop: make(chan struct{})}
	if !to.IsTerminal() || quiet {
		return g
	}
	ticker := time.NewTicker(barInterval)
	start := time.Now()
	g.ended.Go(func() {
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				g.tick(now.Sub(start))
			case <-g.stop:
				return
			}
		}
	})
	return g
}

// Update sets the number of finished steps and of all. It may be called from several goroutines.
func (g *Stage) Update(done, all int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done, g.all = done, all
}

// tick shows the stage as it is so long after its start.
func (g *Stage) tick(elapsed time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if elapsed < stageDelay || g.all == 0 {
		return
	}
	share := fmt.Sprintf(" %3d%% [%ds]", 100*g.done/g.all, int(elapsed.Seconds()))
	label := []rune(text.Escape(g.label))
	for len(label) > 0 && uniseg.StringWidth(string(label)+share) >= g.to.Columns {
		label = label[:len(label)-1]
	}
	g.print(string(label) + share)
}

// print replaces the line. The lock is held.
func (g *Stage) print(line string) {
	width := uniseg.StringWidth(line)
	fmt.Fprintf(g.to, "\r%s%s", line, strings.Repeat(" ", max(0, g.shown-width)))
	g.shown = width
}

// Clear ends the stage and removes it from the terminal.
func (g *Stage) Clear() {
	close(g.stop)
	g.ended.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown > 0 {
		g.print("")
		fmt.Fprint(g.to, "\r")
	}
}
