package cli

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is a line that reports progress to a program.
type Event struct {
	Stage string `json:"stage"` // what is being done
	Done  int64  `json:"done"`  // the number of finished steps
	All   int64  `json:"all"`   // the number of all steps
}

// eventWriter prints the progress of one stage. A nil eventWriter prints nothing. Calls must not be concurrent.
type eventWriter struct {
	to    *Screen
	stage string
	last  time.Time // when the last event was printed
}

// newEventWriter returns a writer of the events of a stage. It returns nil if events are not wanted or quiet is set.
func newEventWriter(to *Screen, quiet bool, stage string) *eventWriter {
	if !to.Events || quiet {
		return nil
	}
	return &eventWriter{to: to, stage: stage, last: time.Now()}
}

// write prints an event. It does nothing if less than barInterval has passed since the last event or, before
// the first event, since the writer was created.
func (w *eventWriter) write(done, all int64) {
	if w == nil || time.Since(w.last) < barInterval {
		return
	}
	w.last = time.Now()
	line, _ := json.Marshal(Event{w.stage, done, all}) // never fails for such values
	fmt.Fprintf(w.to, "%s\n", line)
}
