package scene

import "sync"

// WithProgress makes [Decode] call report with the number of bytes that it has read and the number of all bytes known
// so far. Files that the scene refers to are added when they are opened. If a file is a binary table, each of its
// records counts as one byte. The calls come from several goroutines, but one at a time and with done ascending.
// report must return quickly. After the last call, Decode still has some work to do.
func WithProgress(report func(done, all int64)) DecodeOption {
	return func(l *loader) { l.progress = &progress{report: report} }
}

// progress counts the bytes that a loader has read. A nil progress does nothing.
type progress struct {
	mu        sync.Mutex
	done, all int64
	report    func(done, all int64)
}

// addBytes adds to the number of bytes read and to the number of all bytes.
func (p *progress) addBytes(done, all int64) {
	if p == nil || done == 0 && all == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += done
	p.all += all
	p.report(p.done, p.all)
}

// section counts the bytes of one file.
type section struct {
	*progress
	mu   sync.Mutex
	left int64
}

func (p *progress) section(size int64) *section {
	p.addBytes(0, size)
	return &section{progress: p, left: size}
}

// read counts n more bytes of the file, but in all no more than the size that the file had when it was opened.
func (s *section) read(n int) {
	s.mu.Lock()
	part := min(int64(n), s.left)
	s.left -= part
	s.mu.Unlock()
	s.addBytes(part, 0)
}

// end adds the remaining bytes of the file.
func (s *section) end() {
	s.mu.Lock()
	part := s.left
	s.left = 0
	s.mu.Unlock()
	s.addBytes(part, 0)
}
