package farm

import (
	"cmp"
	"time"
)

// shares decides which job a worker takes its next unit from. Jobs with units in the queue get time in proportion to
// their weights. A new job does not have to wait until the units of older jobs are finished. The algorithm is
// start-time fair queuing: Goyal, Vin and Cheng, "Start-time Fair Queuing: A Scheduling Algorithm for Integrated
// Services Packet Switching Networks", 1996, section 2.
type shares struct {
	jobs map[string]*share
	now  float64 // virtual time: the largest value of used that a chosen job had when it was chosen
}

// share contains the time that one job has used.
type share struct {
	weight float64
	used   float64       // seconds divided by weight; raised to the virtual time when the job is chosen
	mean   time.Duration // moving average of the durations of its units; charged for a unit that has just begun
}

// set adds a job, or changes its weight.
func (s *shares) set(id string, weight float64) {
	if s.jobs == nil {
		s.jobs = make(map[string]*share)
	}
	if s.jobs[id] == nil {
		s.jobs[id] = &share{used: s.now}
	}
	s.jobs[id].weight = weight
}

// remove removes a job.
func (s *shares) remove(id string) { delete(s.jobs, id) }

// next returns the job that has used the least time for its weight, except for jobs for which skip returns true. It
// returns false if no job is left.
func (s *shares) next(skip func(id string) bool) (id string, ok bool) {
	for job, share := range s.jobs {
		if skip(job) {
			continue
		}
		used := max(share.used, s.now)
		if best := s.jobs[id]; !ok || cmp.Or(cmp.Compare(used, max(best.used, s.now)), cmp.Compare(job, id)) < 0 {
			id, ok = job, true
		}
	}
	return id, ok
}

// begin charges a job for a unit before its duration is known. It charges the average duration of the job's units, and
// returns this estimate. A job gets no credit for the time in which it had no units.
func (s *shares) begin(id string) (estimate time.Duration) {
	share := s.jobs[id]
	if share == nil {
		return 0
	}
	s.now = max(s.now, share.used)
	share.used = s.now + share.mean.Seconds()/share.weight
	return share.mean
}

// cancel refunds the charge of begin if the job turned out to have no unit.
func (s *shares) cancel(id string, estimate time.Duration) {
	if share := s.jobs[id]; share != nil {
		share.used -= estimate.Seconds() / share.weight
	}
}

// end corrects the charge for a unit when its duration is known.
func (s *shares) end(id string, estimate, took time.Duration) {
	const inertia = 4
	share := s.jobs[id]
	if share == nil {
		return
	}
	share.used += (took - estimate).Seconds() / share.weight
	if share.mean == 0 {
		share.mean = took
	}
	share.mean += (took - share.mean) / inertia
}
