//go:build !js && !plan9

package farm

import "time"

// work is a unit of a job, with its state in the coordinator. The lock of the job guards it.
type work struct {
	Unit
	key    string
	shots  int  // number of shots in the window that contain it
	audit  bool // its result must be compared with that of another worker
	state  state
	stored // valid in the states doubted, compared and done
	attempts
	own     []byte    // in the state replaced: the result that the coordinator has rendered
	second  bool      // it was given to a second worker
	fetched bool      // its result was read from the server and is part of a picture
	asked   time.Time // in the state compared: when the comparison was ordered
	errors  []string  // why results of it were lost

	settled chan struct{} // closed when the job no longer waits for the unit; nil: no goroutine waits for that
}

// stored describes a result on the server.
type stored struct {
	worker string // the worker that rendered it, according to the message
	sum    string // hash of its pixels
	seq    uint64 // its sequence number in the stream of results
}

// state is the progress of a unit from the plan to the picture. It changes only by events, see [Job.apply].
type state uint8

const (
	queued   state = iota // it has no result, and is in the queue or with a worker
	unqueued              // it has no result, and must be put back into the queue
	doubted               // it has a result that must be compared, and the comparison is not yet ordered
	compared              // it has a result that another worker compares
	done                  // it has a result that need not be compared
	replaced              // the coordinator has rendered it, because the stored result was wrong
	failed                // it cannot be rendered
)

func (s state) String() string {
	return [...]string{"queued", "unqueued", "doubted", "compared", "done", "replaced", "failed"}[s]
}

// event is something that changes the state of a unit.
type event uint8

const (
	arrived   event = iota // a result was stored
	unproven               // a result was stored that must be compared
	suspected              // the worker of its result has reported wrong pixels for another unit
	ordered                // the coordinator has ordered the comparison of the result
	confirmed              // another worker, or the coordinator, has rendered the same pixels
	corrected              // the coordinator has rendered other pixels than the stored ones
	lost                   // the stored result is gone, or was deleted
	lostOften              // the stored result is gone, and too many were lost before
	lostStore              // the server has lost all results; the caller puts all units without a result into the queue
	removed                // a worker has removed it from the queue without a result, or a round of attempts has ended
	requeued               // the coordinator has put it back into the queue
	abandoned              // too many workers have failed at it
)

// after returns the state that follows s. It returns false if the event does not apply to s because it comes too late.
func (s state) after(e event) (next state, ok bool) {
	switch e {
	case arrived:
		return done, s != replaced
	case unproven:
		return doubted, s != replaced
	case suspected:
		return doubted, s == done
	case ordered:
		return compared, s == doubted
	case confirmed:
		return done, s.hasResult()
	case corrected:
		return replaced, s != replaced
	case lost:
		return unqueued, s.hasResult()
	case lostOften:
		return failed, s.hasResult()
	case lostStore:
		return queued, s.hasResult()
	case removed:
		return unqueued, s == queued
	case requeued:
		return queued, s == unqueued
	case abandoned:
		return failed, s.waits()
	}
	panic("an unknown event")
}

// waits reports whether the unit has no result but can still get one.
func (s state) waits() bool { return s == queued || s == unqueued }

// isOpen reports whether the job waits for the unit: it has no result, or its result must still be compared.
func (s state) isOpen() bool { return s.waits() || s == doubted || s == compared }

// hasResult reports whether the server has a result of the unit, according to the messages that the coordinator
// received.
func (s state) hasResult() bool { return s == doubted || s == compared || s == done }

// apply changes the state of a unit according to an event. It returns false if the event does not apply to the state.
// The caller holds the lock.
func (j *Job) apply(w *work, e event) bool {
	next, ok := w.state.after(e)
	if !ok {
		return false
	}
	if w.state.isOpen() {
		j.open--
	}
	if w.state = next; w.state.isOpen() {
		j.open++
	} else if w.settled != nil {
		close(w.settled)
		w.settled = nil
	}
	return true
}
