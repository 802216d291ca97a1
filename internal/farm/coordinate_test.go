//go:build !js && !plan9

package farm

import (
	"bytes"
	"context"
	"errors"
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
)

// startCoordinator runs a coordinator with its own connection, until stop is called or the test ends. window is
// the largest number of units of a job that are in the queue at a time; 0 means maxWindow.
func startCoordinator(t testing.TB, url, name string, window int, log *lines) (stop func()) {
	t.Helper()
	f := connect(t, url)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- f.coordinate(ctx, name, JobOptions{window: window, silence: 50 * time.Millisecond, slowTime: time.Millisecond, Log: func(text string) {
			t.Log(name + ": " + text)
			log.add(text)
		}})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("coordinator %s ends with %v", name, err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// submitBalls submits a film of different frames with 40 units each. It returns the job's identifier and the hash
// of each frame. window is the largest number of units that are in the queue at a time.
func submitBalls(t testing.TB, f *Farm, frames, window int, audit float64) (id string, want []string) {
	t.Helper()
	const text = `format = 1
image = { width = 10, height = 4, antialias = 1 }
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 2
[animation]
duration = 100
[[animate]]
target = "ball.center"
times = [0, 100]
values = [[-4, 0, 0], [4, 1, 0]]
`
	s, err := scene.Decode("ball.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var shots []Shot
	for i := range frames {
		time := float64(i) * 100 / float64(frames)
		shot, err := NewShot(s, pillbox.Options{}, &time)
		if err != nil {
			t.Fatal(err)
		}
		at, err := s.At(time)
		if err != nil {
			t.Fatal(err)
		}
		shots, want = append(shots, shot), append(want, renderHash(t, at))
	}
	for _, shot := range shots[:frames:frames] { // the previews
		shots = append(shots, shot)
	}
	j, err := f.Open(t.Context(), &Source{Data: []byte(text)}, s, shots, JobOptions{Name: "ball.toml", Detached: true, Audit: audit,
		Cell: image.Pt(1, 1), Output: Output{FPS: 1, Frames: frames}, window: window})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	return j.ID, want
}

// wantFilm fetches the frames of a job, ends the workers by calling the functions in stop, and deletes the job. It
// fails the test if the frames do not have the hashes in want, or if results of the job remain on the server. id is
// the job's identifier, and window is the largest number of units in the queue at a time.
func wantFilm(t testing.TB, f *Farm, id string, window int, want []string, stop ...func() error) {
	t.Helper()
	j, err := f.Attach(t.Context(), id, JobOptions{window: window})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var file bytes.Buffer
	if err := j.WriteShard(t.Context(), &file, nil); err != nil {
		t.Fatal(err)
	}
	whole, err := Assemble([]File{fileOf("film", file.Bytes())})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range want {
		film, err := whole.Picture(t.Context(), i, pillbox.Options{})
		if err != nil || pillbox.Hash(film.Image) != want {
			t.Fatalf("frame %d is another picture, %v", i, err)
		}
	}
	for _, stop := range stop {
		_ = stop() // if the lease of a unit has ended, a worker may be about to render the unit again
	}
	if err := j.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.stored(t); n > 0 {
		t.Errorf("%d results are left", n)
	}
}

// wantOver waits until the job with the identifier id is over. The reason of its failure must contain the given
// text. If the text is empty, the job must not have failed.
func wantOver(t testing.TB, f *Farm, id, failure string) {
	t.Helper()
	var r jobRecord
	wantEventually(t, func() bool {
		var err error
		r, err = f.record(t.Context(), id)
		return err == nil && r.Over
	})
	if (r.Failure == "") != (failure == "") || !strings.Contains(r.Failure, failure) {
		t.Errorf("the failure is %q, want %q", r.Failure, failure)
	}
}

const submittedFrames, submittedWindow = 10, 90

// TestCoordinatorFinishesLongJobs checks a job with many more units than may be in the queue at a time. The
// coordinator must finish the job after the command that submitted it has ended. Fetching the film must not render
// a unit again.
func TestCoordinatorFinishesLongJobs(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	url := serve(t).ClientURL()
	f, err := Connect(t.Context(), "first", Access{URL: url}) // with a lease longer than the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	var log lines
	startCoordinator(t, url, "one", submittedWindow, &log)
	id, want := submitBalls(t, f, submittedFrames, submittedWindow, 0)
	w := &Worker{Slots: 2}
	stop := startWorker(t, url, w)
	wantOver(t, f, id, "")
	wantEventually(t, func() bool { return f.queued(t) == 0 }) // a worker counts and removes a unit after it has stored the result
	before := w.rendered()
	wantFilm(t, f, id, submittedWindow, want, stop)
	if n := w.rendered(); n != before {
		t.Errorf("%d units were rendered again", n-before)
	}
}

// TestCoordinatorNeeded checks that, without a coordinator, only the first units of a submitted job enter the
// queue: as many as the window of the job permits.
func TestCoordinatorNeeded(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	id, _ := submitBalls(t, f, submittedFrames, submittedWindow, 0)
	startWorker(t, url, &Worker{Slots: 2})
	wantEventually(t, func() bool { return f.stored(t) > submittedWindow/2 })
	if r, err := f.record(t.Context(), id); err != nil || r.Fed > submittedWindow || r.Over {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCoordinatorsTakeTurns checks that another coordinator finishes the job if the leading one dies.
func TestCoordinatorsTakeTurns(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	var first, second lines
	dead := connect(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- dead.coordinate(ctx, "first", JobOptions{window: submittedWindow, Log: first.add}) }()
	wantEventually(t, func() bool { _, err := f.jobs.Get(t.Context(), leadKey); return err == nil })
	startCoordinator(t, url, "second", submittedWindow, &second)
	id, want := submitBalls(t, f, submittedFrames, submittedWindow, 0)
	goOn := make(chan struct{})
	w := &Worker{Slots: 1, damage: gate(2*submittedWindow, goOn)}
	stop := startWorker(t, url, w)
	wantEventually(t, func() bool { return w.rendered() == 2*submittedWindow })
	dead.nc.Close() // it cannot resign
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the connection to the server has ended") {
		t.Errorf("the first coordinator ends with %v", err)
	}
	close(goOn)
	wantOver(t, f, id, "")
	wantFilm(t, f, id, submittedWindow, want, stop)
}

// lying is the damage function of a worker that flips a bit of each unit's only pixel.
func lying(_ string, r []byte) ([]byte, error) {
	film, err := decode(r, image.Rect(0, 0, 1, 1))
	if err != nil {
		return nil, err
	}
	film.Image.Pix[0] ^= 1
	return encode(film), nil
}

// TestCoordinatorAudits checks that the coordinator's audits find a worker with wrong pixels, and that the command
// that waits for the job gets only right pictures.
func TestCoordinatorAudits(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	var log lines
	startCoordinator(t, url, "one", 50, &log)
	stopLiar := startWorker(t, url, &Worker{Slots: 1, damage: lying})
	id, want := submitBalls(t, f, 4, 50, 1)
	wantEventually(t, func() bool { return f.stored(t) > 0 })
	stop := startWorker(t, url, &Worker{Slots: 1})
	if err := f.Wait(t.Context(), id, JobOptions{}); err != nil {
		t.Fatal(err)
	}
	if !log.have("is in error") {
		t.Error("the liar is not found")
	}
	wantFilm(t, f, id, 50, want, stopLiar, stop)
}

// TestCoordinatorExpels checks that all units of a worker are rendered again when the worker is excluded for wrong
// pixels. These include units of finished frames, which the coordinator no longer has in memory.
func TestCoordinatorExpels(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	const window = 50
	id, want := submitBalls(t, f, 4, window, 0)
	liar := &Worker{Slots: 1, damage: lying}
	stop := startWorker(t, url, liar)
	j, err := f.Attach(t.Context(), id, JobOptions{window: window, Log: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	j.ban(liar.id)
	_ = stop()
	stop = startWorker(t, url, &Worker{Slots: 1})
	if err := j.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFilm(t, f, id, window, want, stop)
}

// TestCoordinatorStragglers checks that the coordinator gives a unit to a second worker if the first one does not
// finish it.
func TestCoordinatorStragglers(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	var log lines
	startCoordinator(t, url, "one", 0, &log)
	id, _ := submitBalls(t, f, 2, 0, 0)
	ended := make(chan struct{})
	stuck := &Worker{Slots: 1, damage: gate(2, ended)}
	startWorker(t, url, stuck)
	t.Cleanup(func() { close(ended) })
	wantEventually(t, func() bool { return stuck.rendered() == 2 })
	startWorker(t, url, &Worker{Slots: 1})
	wantOver(t, f, id, "")
}

// TestCoordinatorAfterLoss checks that a coordinator carries out new jobs after the server has lost all data.
func TestCoordinatorAfterLoss(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	srv := startServer(t, onPort(-1, t.TempDir()))
	t.Cleanup(func() { stopServer(srv) })
	url, port := srv.ClientURL(), portOf(srv)
	connect(t, url).Close() // sets the lease
	var log lines
	startCoordinator(t, url, "one", 50, &log)
	stopServer(srv)
	srv = startServer(t, onPort(port, t.TempDir()))
	f := connect(t, url)
	stop := startWorker(t, url, &Worker{Slots: 1})
	id, want := submitBalls(t, f, 4, 50, 1)
	wantOver(t, f, id, "")
	wantFilm(t, f, id, 50, want, stop)
}

// TestCoordinatorLostScene deletes the files of a submitted job from the server. Commands that wait for the job
// must report this, and it must be possible to submit the job again.
func TestCoordinatorLostScene(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	srv := serve(t)
	url := srv.ClientURL()
	f := connect(t, url)
	var log lines
	startCoordinator(t, url, "one", 50, &log)
	id, want := submitBalls(t, f, 4, 50, 1)
	waited := make(chan error, 1)
	go func() { waited <- f.Wait(t.Context(), id, JobOptions{}) }()
	loseStream(t, srv, f, "OBJ_"+filesBucket)
	if err := <-waited; err == nil || !strings.Contains(err.Error(), "submit the job again") {
		t.Fatalf("got %v", err)
	}
	stop := startWorker(t, url, &Worker{Slots: 1})
	again, _ := submitBalls(t, connect(t, url), 4, 50, 1)
	if again != id {
		t.Errorf("the job is now %s, was %s", again, id)
	}
	wantOver(t, f, id, "")
	wantFilm(t, connect(t, url), id, 50, want, stop)
}

// TestCoordinatorReportsFailures checks that commands that wait for a failed job get the reason, and that the job
// is carried out again if it is submitted again.
func TestCoordinatorReportsFailures(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	var log lines
	startCoordinator(t, url, "one", 0, &log)
	stop := startWorker(t, url, &Worker{Slots: 1, damage: func(string, []byte) ([]byte, error) { return nil, errors.New("this one breaks") }})
	id, want := submitBalls(t, f, 1, 0, 0)
	wantOver(t, f, id, "this one breaks")
	err := f.Wait(t.Context(), id, JobOptions{})
	if all, ok := err.(interface{ Unwrap() []error }); !ok || strings.Contains(all.Unwrap()[0].Error(), "\n") || !strings.Contains(err.Error(), "this one breaks") {
		t.Errorf("got %v", err)
	}
	if s, err := f.Status(t.Context()); err != nil || len(s.Jobs) != 1 || s.Jobs[0].State != "failed" || !strings.Contains(s.Jobs[0].Failure, "this one breaks") {
		t.Errorf("the status is %+v, %v", s, err)
	}
	if s, err := f.Status(t.Context()); err == nil && (s.Jobs[0].Failed == 0 || s.Jobs[0].Done+s.Jobs[0].Failed != s.Jobs[0].Units || s.Jobs[0].Done != 0) {
		t.Errorf("%d units are done and %d failed, of %d of which every one fails", s.Jobs[0].Done, s.Jobs[0].Failed, s.Jobs[0].Units)
	}
	if err := f.Pause(t.Context(), id); err == nil || !strings.Contains(err.Error(), "has failed; 'renderfarm resubmit'") {
		t.Errorf("a failed job is paused: %v", err)
	}
	_ = stop()
	stop = startWorker(t, url, &Worker{Slots: 1})
	if err := f.Resubmit(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	wantOver(t, f, id, "")
	wantFilm(t, f, id, 0, want, stop)
}

// TestNoCoordinator checks that a command that waits for an audited job reports a missing coordinator.
func TestNoCoordinator(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	id, _ := submitBalls(t, f, 1, 0, 1)
	var log lines
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() { waited <- f.Wait(ctx, id, JobOptions{Log: log.add}) }()
	wantEventually(t, func() bool { return log.have("no program coordinates submitted jobs") })
	if err := f.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, ErrCanceled) {
		t.Errorf("got %v", err)
	}
	cancel()
}

// TestFarewellWithoutServer checks the context for the last messages of a program that ends. It must end when the
// server stops, and at once if the server has already stopped.
func TestFarewellWithoutServer(t *testing.T) {
	t.Parallel()
	srv := startServer(t, onPort(-1, t.TempDir()))
	t.Cleanup(func() { stopServer(srv) })
	f := connect(t, srv.ClientURL())
	ctx, cancel := context.WithCancel(t.Context())
	last, done := f.farewell(ctx, time.Minute)
	defer done()
	cancel()
	if last.Err() != nil {
		t.Error("it ends although the server is there")
	}
	stopServer(srv)
	<-last.Done()
	if err := last.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	again, done := f.farewell(ctx, time.Minute)
	defer done()
	<-again.Done()
	if err := again.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
