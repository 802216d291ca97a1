package command

import "time"

// Stopwatch measures successive stages.
type Stopwatch struct{ lap time.Time }

// NewStopwatch starts a stopwatch.
func NewStopwatch() *Stopwatch { return &Stopwatch{time.Now()} }

// Seconds returns the time since the previous call, or since the stopwatch was created.
func (w *Stopwatch) Seconds() float64 {
	now := time.Now()
	d := now.Sub(w.lap)
	w.lap = now
	return d.Seconds()
}
