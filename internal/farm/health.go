//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/internal/text"
)

const (
	// checkTime is the longest time between two checks of the server. A check creates missing streams of the farm and
	// tests whether the server can store data.
	checkTime = 3 * time.Second

	// usualSilence is the time without progress after which a coordinator reports what its job is waiting for. The
	// report comes with the next check: up to checkTime later, and after the workers had time to reply. It is repeated
	// after remindTime.
	usualSilence = 5 * time.Second
	remindTime   = 20 * time.Second

	// answerLimit is the time after which a server that has not answered is regarded as away.
	answerLimit = 5 * time.Second

	// beatBytes is the size of a test write. On a full disk, a small write can still succeed in the last, partly filled
	// block of a file. A write of this size cannot.
	beatBytes = 12 << 10

	// farewellTime is how long a program that is interrupted waits until the server has its last messages.
	farewellTime = 1500 * time.Millisecond

	beatKey = "beat" // in the jobs bucket: the key of the test write
)

// reminder reports a problem once when it begins, and again every remindTime. Safe for concurrent use.
type reminder struct {
	mu   sync.Mutex
	text string
	at   time.Time
}

// remind calls say with a text, unless it did so with the same text less than remindTime ago.
func (r *reminder) remind(say func(string), format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	if text == r.text && time.Since(r.at) < remindTime {
		return
	}
	r.text, r.at = text, time.Now()
	say(text)
}

// over calls say with a text if remind has reported a problem since the last call of over. It reports whether it called
// say.
func (r *reminder) over(say func(string), text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.text == "" {
		return false
	}
	r.text = ""
	say(text)
	return true
}

// say logs a report about the connection.
func (f *Farm) say(text string) {
	if f.log != nil {
		f.log(text)
	}
}

// watchConnection returns options for the connection. With them, the connection logs its problems, and ends f.alive
// when it is closed for good.
func (f *Farm) watchConnection() []nats.Option {
	var trouble reminder
	return []nats.Option{
		nats.IgnoreAuthErrorAbort(), // credentials can be refused for a while: the server may be restarted with another token
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil if this program closes the connection
				trouble.remind(f.say, "the connection to the server is lost: %s; connecting again", escape(err))
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			trouble.remind(f.say, "the server does not answer: %s; trying again until it does", escape(err))
		}),
		nats.ReconnectHandler(func(*nats.Conn) { trouble.over(f.say, "the server answers again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if isRefusal(err) {
				trouble.remind(f.say, "the server refuses the credentials: %s; trying again until it accepts them", escape(err))
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			f.ended(fmt.Errorf("the connection to the server has ended: %w", orClosed(nc.LastError())))
		}),
	}
}

func escape(err error) string { return text.Escape(err.Error()) }

func orClosed(err error) error {
	if err == nil {
		return nats.ErrConnectionClosed
	}
	return err
}

// isRefusal reports whether err means that the server does not accept the credentials.
func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired)
}

// isOutage reports whether err is caused by the server (it does not answer, or cannot store data), not by a worker or a
// unit.
func isOutage(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrConnectionClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse) || errors.As(err, &api) && api.Code >= 500
}

// renew creates the streams that are missing on the server, and returns the creation times of all streams. If a time has
// changed, the server has lost the contents of that stream, and a program has created it again.
func (f *Farm) renew(ctx context.Context) (born map[string]time.Time, err error) {
	again := &Farm{nc: f.nc, renderer: f.renderer}
	err = again.setUp(ctx, Access{Replicas: f.access.Replicas, Lease: f.lease})
	return again.born, err
}

// check creates streams that the server has lost, and stores the data of the job there again. The error states why the
// server cannot serve the farm. If the farm has got another identity, check ends the job and returns nil.
func (j *Job) check() error {
	ctx, cancel := context.WithTimeout(j.ctx, answerLimit)
	defer cancel()
	born, err := j.farm.renew(ctx)
	var lost []string
	for _, name := range slices.Sorted(maps.Keys(born)) {
		if !born[name].Equal(j.born[name]) {
			lost = append(lost, name)
		}
	}
	var other *otherIdentity
	switch {
	case errors.As(err, &other):
		j.stop(err)
		return nil
	case err != nil:
		return fmt.Errorf("the server cannot serve the farm: %s; trying again", escape(err))
	case len(lost) > 0:
		j.log("the server has lost %s; that is set up again, and missing units are put back", strings.Join(lost, ", "))
		if err := j.restore(lost); err != nil {
			return fmt.Errorf("the job cannot be put back: %s; trying again", escape(err))
		}
		j.born = born
	}
	if _, err := j.farm.jobs.Put(ctx, beatKey, make([]byte, beatBytes)); err != nil {
		return fmt.Errorf("the server cannot store anything: %s; trying again (is its disk full?)", escape(err))
	}
	return nil
}

// restore stores the source, the plan and the record of the job again, and puts its units without a result into the
// queue. lost lists the streams that the server has lost. A job from Attach has no source. If the files or the records
// are lost, restore ends such a job.
func (j *Job) restore(lost []string) error {
	switch {
	case j.source != nil:
		if err := j.farm.putSource(j.ctx, j.source); err != nil {
			return err
		}
	case slices.Contains(lost, "OBJ_"+filesBucket) || slices.Contains(lost, "KV_"+jobsBucket):
		j.stop(errLost)
		return nil
	}
	if r, err := j.farm.record(j.ctx, j.ID); err == nil && r.Canceled {
		j.stop(ErrCanceled)
		return nil
	}
	if j.source != nil {
		if err := j.enlist(j.ctx); err != nil {
			return err
		}
	}
	if err := j.farm.startLeasing(j.ctx, j.ID); err != nil {
		return err
	}
	j.mu.Lock()
	if slices.Contains(lost, resultsStream) {
		for _, w := range j.byKey {
			if !w.fetched && j.apply(w, lostStore) {
				w.stored = stored{}
			}
		}
		clear(j.seen)
		j.window.fetched = nil
		j.rewind()
	}
	j.endEpoch()
	j.epoch, j.endEpoch = context.WithCancel(j.ctx)
	j.touch()
	j.mu.Unlock()
	return j.sweep(j.ctx)
}

// farewell returns the context last, for the last messages of a program or a job that ends with ctx. After the end of
// ctx, last ends as soon as there is no connection to the server, or at the latest after the duration limit. The caller
// must call cancel.
func (f *Farm) farewell(ctx context.Context, limit time.Duration) (last context.Context, cancel context.CancelFunc) {
	last, end := context.WithCancel(context.WithoutCancel(ctx))
	lost := f.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		defer end()
		select {
		case <-ctx.Done():
		case <-last.Done():
		}
		for late := time.After(limit); last.Err() == nil && f.nc.IsConnected(); {
			select {
			case <-lost:
			case <-late:
				return
			case <-last.Done():
			}
		}
	}()
	return last, func() {
		end()
		<-watched
		f.nc.RemoveStatusListener(lost)
	}
}

// currentEpoch returns a context that ends when the server has lost data, so that the streams must be read again, or when
// the job ends.
func (j *Job) currentEpoch() context.Context {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.epoch
}

// explainSilence reports what the job is waiting for if there has been no progress for a while.
func (j *Job) explainSilence(trouble *reminder) {
	j.mu.Lock()
	quiet, open := time.Since(j.progress), j.open
	j.mu.Unlock()
	if open == 0 || j.opt.silence < 0 || quiet < cmp.Or(j.opt.silence, usualSilence) {
		return
	}
	if j.paused.Load() {
		trouble.remind(j.say, "%s left, and the job is paused; continue it with 'renderfarm resume URL %.8s'", text.Count(open, "unit"), j.ID)
		return
	}
	workers, err := j.farm.ping()
	if err != nil {
		return // check reports such errors
	}
	running, slots := 0, 0
	var names []string
	for _, w := range workers {
		slots += w.Slots
		if n := w.Running[j.ID]; n > 0 {
			running += n
			names = append(names, text.Escape(w.ID))
		}
	}
	const most = 5
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("%d more", len(names)-most))
	}
	switch {
	case len(workers) == 0:
		trouble.remind(j.say, "%s left, and no worker is connected; start one with 'renderfarm work URL'", text.Count(open, "unit"))
	case running == 0:
		trouble.remind(j.say, "%s left, and no worker has one; the %s of the farm may be busy with other jobs", text.Count(open, "unit"), text.Count(slots, "slot"))
	case quiet > remindTime:
		trouble.remind(j.say, "no unit was finished for a while; %d of %d are with %s", running, open, text.Series(names, "and"))
	}
}

func (j *Job) say(text string) { j.log("%s", text) }

// connectPatiently connects to the server and sets up the farm. While the server does not answer, it tries again until
// f.access.Patience is over. While f.access.Await is set and no program has set up the farm, it tries again until ctx
// ends. It returns other errors at once.
func (f *Farm) connectPatiently(ctx context.Context, opts []nats.Option) (err error) {
	var trouble reminder
	for began := time.Now(); ; {
		slow := time.AfterFunc(answerLimit, func() { trouble.remind(f.say, "the server has not answered yet; waiting for it") })
		err = f.enter(ctx, opts)
		slow.Stop()
		if err == nil {
			trouble.over(f.say, "the server answers")
			return nil
		}
		if errors.Is(err, errNotSetUp) && ctx.Err() == nil {
			pause(ctx, time.Second)
			continue
		}
		patient := f.access.Patience < 0 || time.Since(began) < f.access.Patience
		if !patient || ctx.Err() != nil || !isAway(err) && !(isOutage(err) && !errors.Is(err, jetstream.ErrJetStreamNotEnabled)) {
			break
		}
		trouble.remind(f.say, "%s; trying again until the server answers", escape(err))
		if pause(ctx, time.Second/2); errors.Is(ctx.Err(), context.Canceled) {
			err = context.Cause(ctx)
			break
		}
	}
	if f.nc != nil {
		f.Close()
	}
	return err
}

// enter connects to the server, unless there is a connection already, and sets up the farm.
func (f *Farm) enter(ctx context.Context, opts []nats.Option) (err error) {
	if f.nc == nil {
		d := new(dialer)
		stop := context.AfterFunc(ctx, d.abort)
		f.nc, err = nats.Connect(f.access.URL, append(opts, nats.SetCustomDialer(d))...)
		stop()
		if d.hasAborted() {
			if err == nil {
				f.nc.Close()
			}
			err = context.Cause(ctx)
		}
		if err != nil {
			f.nc = nil
			return &unreachable{withoutCredentials(f.access.URL), err}
		}
	}
	return f.setUp(ctx, f.access)
}

// unreachable is the error for servers to which no connection can be made.
type unreachable struct {
	urls string
	err  error
}

func (e *unreachable) Error() string {
	reason := escape(e.err)
	var op *net.OpError
	switch {
	case errors.Is(e.err, nats.ErrNoServers):
		reason = "no server answers"
	case errors.As(e.err, &op) && op.Op == "read" && op.Timeout():
		reason = "something accepts the connection, but does not answer as a NATS server does; 'renderfarm serve' prints the URL of its server"
	}
	return fmt.Sprintf("the farm at %s cannot be reached: %s", text.Escape(e.urls), reason)
}

func (e *unreachable) Unwrap() error { return e.err }

// ErrURL is the error for a URL whose scheme is not one of a NATS server.
var ErrURL = errors.New("the URL of a farm must begin with nats://, tls://, ws:// or wss://")

// checkURL returns an error that wraps [ErrURL] if one of the given URLs does not have a scheme of NATS servers.
func checkURL(urls string) error {
	for url := range strings.SplitSeq(withoutCredentials(urls), ",") {
		switch scheme, _, _ := strings.Cut(strings.TrimSpace(url), "://"); strings.ToLower(scheme) {
		case "nats", "tls", "ws", "wss":
		case "http", "https":
			return fmt.Errorf("%w, got %q, the address of a web page; 'renderfarm serve' prints both", ErrURL, url)
		default:
			return fmt.Errorf("%w, got %q", ErrURL, url)
		}
	}
	return nil
}

// withoutCredentials returns the addresses of servers without the names, passwords and tokens in them.
func withoutCredentials(urls string) string {
	all := strings.Split(urls, ",")
	for i, url := range all {
		scheme, rest, found := strings.Cut(url, "://")
		if !found {
			scheme, rest = "nats", url
		}
		all[i] = scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
	}
	return strings.Join(all, ",")
}

// dialer makes connections for [nats.Connect], which does not take a context. Safe for concurrent use.
type dialer struct {
	mu      sync.Mutex
	last    net.Conn
	aborted bool
}

// Dial implements [nats.CustomDialer].
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, answerLimit)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last = conn; d.aborted {
		conn.Close()
	}
	return conn, nil
}

// abort closes the last connection and makes Dial close all later ones.
func (d *dialer) abort() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.aborted = true; d.last != nil {
		d.last.Close()
	}
}

// hasAborted reports whether abort was called and a connection was closed because of it.
func (d *dialer) hasAborted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.aborted && d.last != nil
}

// isAway reports whether err means that no server answers at the address: it does not run, or the network is down.
func isAway(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.As(err, &name) || errors.As(err, &op) && op.Op == "dial"
}

// watchHealth checks the server until the job ends, and logs problems that stop the job.
func (j *Job) watchHealth() {
	var trouble, quiet reminder
	for {
		if pause(j.ctx, min(checkTime, j.farm.lease)); j.ctx.Err() != nil {
			return
		}
		if !j.farm.nc.IsConnected() {
			continue // watchConnection reports this
		}
		if err := j.check(); j.ctx.Err() != nil {
			return
		} else if err != nil {
			trouble.remind(j.say, "%v", err)
			continue
		}
		if trouble.over(j.say, "the server serves the farm again") {
			j.tell(j.sweep(j.ctx)) // units that the server refused in the meantime
		}
		j.explainSilence(&quiet)
		j.tell(j.duplicate())
	}
}
