//go:build !js && !plan9

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pillbox/internal/text"
)

// logger prints the warnings and errors of the server. A client can cause any number of them, for example with requests that its
// role does not permit. So a minute has a limited number of lines about clients, and another one of other lines. The first line of
// a later minute comes with the number of lines that were left out before it. A warning about an outdated update is printed only once. Such an update does
// no harm, because the server ignores it, but a worker that fails many units can cause hundreds.
type logger struct {
	*program
	mu             sync.Mutex
	fatal          error
	outdated       map[string]bool // the printed warnings about outdated updates
	clients, other quota
}

const (
	linesPerMinute = 20
	maxLogLine     = 500  // characters
	maxOutdated    = 1000 // lines that are remembered
)

// quota limits the lines of a minute.
type quota struct {
	begin   time.Time // of the minute
	lines   int       // that were printed in it
	leftOut int
}

// take reports whether a line may be printed at the time now, and how many lines before it were not reported as left out.
func (q *quota) take(now time.Time) (ok bool, leftOut int) {
	if now.Sub(q.begin) >= time.Minute {
		leftOut = q.leftOut
		*q = quota{begin: now}
	}
	if q.lines++; q.lines > linesPerMinute {
		q.leftOut++
		return false, 0
	}
	return true, leftOut
}

func (l *logger) Noticef(string, ...any)            {}
func (l *logger) Debugf(string, ...any)             {}
func (l *logger) Tracef(string, ...any)             {}
func (l *logger) Warnf(format string, args ...any)  { l.print(format, args) }
func (l *logger) Errorf(format string, args ...any) { l.print(format, args) }
func (l *logger) Fatalf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Errorf(format, args...)
}

func (l *logger) print(format string, args []any) {
	line := fmt.Sprintf(format, args...)
	isOutdated := slices.ContainsFunc(args, func(arg any) bool {
		err, ok := arg.(error)
		return ok && errors.Is(err, server.ErrStoreOldUpdate)
	})
	ok, leftOut := l.take(line, isOutdated, time.Now())
	if leftOut > 0 {
		l.log(fmt.Sprintf("%s of the server were left out before this one", text.Count(leftOut, "line")))
	}
	if ok {
		l.log(text.ShortenTo(line, maxLogLine))
	}
}

// take is [quota.take] for a line. It also returns false for a line about an outdated update that was printed before.
func (l *logger) take(line string, isOutdated bool, now time.Time) (ok bool, leftOut int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if isOutdated && l.outdated[line] {
		return false, 0
	}
	limit := &l.other
	if strings.Contains(line, " - cid:") {
		limit = &l.clients
	}
	if ok, leftOut = limit.take(now); ok && isOutdated {
		l.remember(line)
	}
	return ok, leftOut
}

// remember remembers a line about an outdated update. The caller holds the lock.
func (l *logger) remember(line string) {
	if l.outdated == nil || len(l.outdated) >= maxOutdated {
		l.outdated = make(map[string]bool)
	}
	l.outdated[line] = true
}

func (l *logger) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}
