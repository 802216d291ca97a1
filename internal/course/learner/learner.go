// Package learner runs the learner's program: it writes the questions of an exam to the program's standard input, and
// passes the answers to the exam.
//
// The exam always ends, whatever the program does: when the program ends, makes an error, or gives no answer for some time.
// The program and its children are then killed: on Linux all of them, on other systems those in its process group.
package learner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pillbox/internal/cli"
	"pillbox/internal/course"
)

// maxAnswer is the maximum length of an answer. Right answers have some hundred bytes.
const maxAnswer = 1 << 20

// Learner is a running learner's program.
type Learner struct {
	cmd     *exec.Cmd
	family  *cli.Descendants
	timeout time.Duration
	in      io.WriteCloser
	out     stream
	log     stream
	tail    tail

	moved   atomic.Int64 // when it last gave an answer or read a question, as the time since started
	started time.Time

	lines  chan []byte
	failed chan error    // error of reading the output, nil at its end
	logged chan struct{} // closed when the standard error has been read
	exited chan error    // error of the process
	quit   chan struct{} // closed when lines are no longer received
}

// Start starts a command, which is a program and its arguments. It kills the program if, for the duration timeout,
// the program neither reads a question nor gives an answer. Call [Learner.Sit] once; it ends the program and its
// children. Start no other process before Sit has returned: on Linux, Sit kills all processes started since Start.
func Start(command []string, timeout time.Duration) (*Learner, error) {
	l := &Learner{
		timeout: timeout, started: time.Now(),
		lines: make(chan []byte, 64), failed: make(chan error, 1), logged: make(chan struct{}),
		exited: make(chan error, 1), quit: make(chan struct{}),
	}
	l.cmd = exec.Command(command[0], command[1:]...)
	cli.Isolate(l.cmd)
	l.family = cli.WatchDescendants()
	in, err := l.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	l.in = in
	if l.out, err = newStream(); err != nil {
		return nil, err
	}
	if l.log, err = newStream(); err != nil {
		l.out.close()
		return nil, err
	}
	l.cmd.Stdout, l.cmd.Stderr = l.out.w, l.log.w
	if err := l.cmd.Start(); err != nil {
		l.out.close()
		l.log.close()
		return nil, err
	}
	go l.readLines()
	go func() {
		defer close(l.logged)
		l.tail.fill(l.log.r)
	}()
	go func() { l.exited <- l.cmd.Wait() }()
	return l, nil
}

// move records the current time as the last time at which the program read a question or gave an answer.
func (l *Learner) move() { l.moved.Store(int64(time.Since(l.started))) }

// readLines sends the lines of the program's output, except blank ones, to the channel lines.
func (l *Learner) readLines() {
	s := bufio.NewScanner(l.out.r)
	s.Buffer(make([]byte, 1<<16), maxAnswer)
	for s.Scan() {
		if string(s.Bytes()) == strings.TrimSpace(endMark) {
			break
		}
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		select {
		case l.lines <- bytes.Clone(s.Bytes()):
		case <-l.quit:
			return
		}
	}
	close(l.lines)
	l.failed <- s.Err()
}

// kill ends the program and its children.
func (l *Learner) kill() {
	cli.KillGroup(l.cmd)
	l.family.Kill(l.cmd)
}

// stop ends the program, its children, and the goroutines that wait for them.
func (l *Learner) stop() {
	close(l.quit)
	l.kill()
	l.in.Close()
	l.out.close()
	l.log.close()
}

// Sit writes the questions of an exam to the program, and has the exam judge the answers until the program ends, makes an
// error or times out. It returns after the program has ended or was killed. The error describes what the program did
// wrong. It is worded to follow the program's name, unless it is a [*course.NonsenseError]. If ctx ends, Sit returns its
// cause.
func (l *Learner) Sit(ctx context.Context, exam *course.Exam) error {
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		w := bufio.NewWriterSize(l.in, 1<<15)
		if exam.WriteQuestions(ctx, w, l.move) == nil {
			w.Flush()
		}
		l.move()
		l.in.Close()
	}()
	err := l.judge(ctx, exam)
	l.stop()
	<-wrote
	return err
}

// judge judges the answers as they arrive.
func (l *Learner) judge(ctx context.Context, exam *course.Exam) error {
	timer := time.NewTimer(l.timeout)
	defer timer.Stop()
	exited, lines, logged := l.exited, l.lines, l.logged
	var status error
	for exited != nil || lines != nil || logged != nil {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, ok := <-lines:
			if !ok {
				if err := <-l.failed; errors.Is(err, bufio.ErrTooLong) {
					return fmt.Errorf("a line of the answers is longer than %d bytes", maxAnswer)
				}
				lines = nil
				continue
			}
			if err := exam.Judge(line); err != nil {
				return err
			}
			l.move()
		case status = <-exited:
			exited = nil
			l.kill()     // kills its children
			timer.Stop() // the program is not responsible for the time from here on
			l.out.end()
			l.log.end()
		case <-logged:
			logged = nil
		case <-timer.C:
			quiet := time.Since(l.started) - time.Duration(l.moved.Load())
			if quiet >= l.timeout {
				return l.timedOut(exam)
			}
			timer.Reset(l.timeout - quiet)
		}
	}
	return l.ended(exam, status)
}

// timedOut describes what the program failed to do in time.
func (l *Learner) timedOut(exam *course.Exam) error {
	if _, open := exam.Unanswered(); !open {
		return fmt.Errorf("answered everything but did not end within %v: it must end when its standard input ends", l.timeout)
	}
	return fmt.Errorf("gave no answer for %v: %s", l.timeout, exam.Progress())
}

// ended returns the error for a program that has ended: with a bad status, or without all answers. It returns nil if
// neither is true.
func (l *Learner) ended(exam *course.Exam, status error) error {
	_, open := exam.Unanswered()
	switch {
	case status != nil && open:
		return fmt.Errorf("ended with %v: %s", status, exam.Progress())
	case status != nil:
		return fmt.Errorf("answered everything and ended with %v", status)
	case open:
		return fmt.Errorf("ended without all answers: %s", exam.Progress())
	}
	return nil
}

// tail keeps the last part of what a program writes to a stream.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// Limits of the kept part, in bytes, and of the returned part, in lines.
const (
	tailBytes = 4 << 10
	tailLines = 12
)

// fill reads r until its end, [endMark] or an error, and keeps the last bytes that it read.
func (t *tail) fill(r io.Reader) {
	buffer := make([]byte, 1<<15)
	for {
		n, err := r.Read(buffer)
		t.mu.Lock()
		t.data = append(t.data, buffer[:n]...)
		var ended bool
		t.data, _, ended = bytes.Cut(t.data, []byte(endMark))
		if over := len(t.data) - tailBytes; over > 0 {
			t.data = append(t.data[:0], t.data[over:]...)
		}
		t.mu.Unlock()
		if err != nil || ended {
			return
		}
	}
}

// Log returns the last lines, at most 12, that the program wrote to its standard error. The beginning of the first may be
// missing.
func (l *Learner) Log() []string { return l.tail.lines() }

// lines returns the last lines that were kept. The beginning of the first line may be missing.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.data))
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	return all[max(0, len(all)-tailLines):]
}
