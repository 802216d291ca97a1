package learner

import (
	"os"
	"sync"
)

// endMark follows the last byte that a program wrote to a stream. It begins with a line feed because the program's last
// line may lack one, and contains the control character "end of transmission", which no answer contains.
const endMark = "\n\x04 the program has ended\n"

// stream is a pipe to which a program writes. Its reader cannot wait for the end of the pipe, because a child process that
// was not killed may keep it open forever, nor for some time, because judging what is still in the pipe may take longer.
// So the writing end stays open here too: after the process has ended, everything it wrote is in the pipe, and endMark
// is written after it.
type stream struct {
	r, w  *os.File
	marks *sync.WaitGroup
}

// newStream returns a new pipe.
func newStream() (stream, error) {
	r, w, err := os.Pipe()
	return stream{r, w, new(sync.WaitGroup)}, err
}

// end writes endMark to the pipe without waiting until there is room for it.
func (s stream) end() {
	s.marks.Go(func() {
		// An error means that the stream was closed: nobody reads it any more.
		_, _ = s.w.WriteString(endMark)
	})
}

// close closes both ends of the pipe. A reader or writer that waits returns.
func (s stream) close() {
	s.r.Close()
	s.w.Close()
	s.marks.Wait()
}
