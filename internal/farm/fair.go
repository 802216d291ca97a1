package farm

import (
	"cmp"
	"time"
)

// shares chooses the job that a worker takes the next unit of, so that jobs which have units get time in proportion to their
// weights, and a new job need not wait for the units of the others. It is start-time fair queuing: Goyal, Vin and
// Cheng, "Start-time Fair Queuing: A Scheduling Algorithm for Integrated Services Packet Switching Networks", 1996,
// section 2.
type shares struct {
	jobs map[string]*share
	now  float64 // the virtual time: that of the job chosen last
}

// share is what a job has had.
type share struct {
	weight float64
	used   float64       // seconds by weight; never below the virtual time when the job is chosen
	mean   time.Duration // of its units, for those that are not finished
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

// next returns the job that has had the least, without those that skip returns true for, and false if there is none.
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

// begin charges a job, which next returned, for a unit of the length that its units usually have. What it did not use
// while it had no units is not credited.
func (s *shares) begin(id string) (estimate time.Duration) {
	share := s.jobs[id]
	if share == nil {
		return 0
	}
	s.now = max(s.now, share.used)
	share.used = s.now + share.mean.Seconds()/share.weight
	return share.mean
}

// end corrects the charge for a unit when its length is known.
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
