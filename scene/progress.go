package scene

import "sync"

// WithProgress calls report while [Decode] reads, with the number of bytes of text that it has read and of all that it
// knows of: files that the scene names add to these when they are opened. The calls come from several goroutines, but
// one at a time and with done ascending; report must return soon. Some work remains after the last call.
func WithProgress(report func(done, all int64)) DecodeOption {
	return func(l *loader) { l.progress = &progress{report: report} }
}

// progress counts the text that a loader has read. A nil one counts nothing.
type progress struct {
	mu        sync.Mutex
	done, all int64
	report    func(done, all int64)
}

// add adds bytes that are read, and bytes that are known of.
func (p *progress) add(done, all int64) {
	if p == nil || done == 0 && all == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += done
	p.all += all
	p.report(p.done, p.all)
}

// section counts the text of one file.
type section struct {
	*progress
	mu   sync.Mutex
	left int64
}

func (p *progress) section(size int64) *section {
	p.add(0, size)
	return &section{progress: p, left: size}
}

// read adds n bytes of the file, unless more are read than it had at first.
func (s *section) read(n int) {
	s.mu.Lock()
	part := min(int64(n), s.left)
	s.left -= part
	s.mu.Unlock()
	s.add(part, 0)
}

// end adds all that is left of the file.
func (s *section) end() {
	s.mu.Lock()
	part := s.left
	s.left = 0
	s.mu.Unlock()
	s.add(part, 0)
}
