package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"

	"pillbox/internal/text"
)

// StageProgress shows, on a terminal, the progress of work before rendering, such as loading: its label, the finished
// percentage and the elapsed time. The elapsed time is updated even while no step ends. It shows nothing before the
// first [StageProgress.Update].
type StageProgress struct {
	to    *Screen
	label string
	event *eventWriter // nil if no events are printed
	stop  chan struct{}
	ended sync.WaitGroup

	mu        sync.Mutex
	done, all int64
	shown     int // number of columns of the line on the terminal
}

// stageDelay is how long a stage must run before its line is shown, so that work that ends almost at once shows none.
const stageDelay = 500 * time.Millisecond

// NewStageProgress begins a stage; end it with [StageProgress.Clear]. It shows no line if quiet is set or to is not a
// terminal. It prints events if to.Events is set and quiet is not.
func NewStageProgress(to *Screen, quiet bool, label string) *StageProgress {
	g := &StageProgress{to: to, label: label, event: newEventWriter(to, quiet, label), stop: make(chan struct{})}
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

// Update sets the numbers of finished steps and of all steps. It is safe for concurrent use.
func (g *StageProgress) Update(done, all int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done, g.all = done, all
	g.event.write(done, all)
}

// tick updates the displayed line; elapsed is the time since the stage began.
func (g *StageProgress) tick(elapsed time.Duration) {
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

// print replaces the line. The caller holds the lock.
func (g *StageProgress) print(line string) {
	width := uniseg.StringWidth(line)
	fmt.Fprintf(g.to, "\r%s%s", line, strings.Repeat(" ", max(0, g.shown-width)))
	g.shown = width
}

// Clear ends the stage and removes it from the terminal.
func (g *StageProgress) Clear() {
	close(g.stop)
	g.ended.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown > 0 {
		g.print("")
		fmt.Fprint(g.to, "\r")
	}
}
