//go:build !js && !plan9

package farm

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
	"pillbox/camera"
	"pillbox/internal/fixture/effort"
)

// testLease is the lease of farms in tests. It is short to make tests fast.
const testLease = 200 * time.Millisecond

// testLimit is the time after which something that a test waits for has failed. It is long, because the machine can be
// busy.
const testLimit = 5 * time.Minute

// onPort returns options for a server with its store in dir, on the given port. Port -1 means any free port.
func onPort(port int, dir string) *server.Options {
	return &server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 4 << 20}
}

// serve starts a server on a free port, with an empty store. The server runs until the test ends.
func serve(t testing.TB) *server.Server {
	t.Helper()
	s := startServer(t, onPort(-1, t.TempDir()))
	t.Cleanup(func() { stopServer(s) })
	return s
}

// startServer starts a server. The caller must first stop the jobs and workers that use it, and then the server,
// because they wait several seconds for a server that does not answer.
func startServer(t testing.TB, opt *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(opt)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(testLimit) {
		t.Fatal("no server")
	}
	return s
}

// stopServer stops a server and waits until it has ended.
func stopServer(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// loseStream deletes a stream of the server s, to which f is connected. Until the stream is deleted, the server refuses
// to create streams. Otherwise a program could create the stream again too early, and the server would delete the files
// of the new stream, too.
func loseStream(t testing.TB, s *server.Server, f *Farm, name string) {
	t.Helper()
	limit := func(limits map[string]server.JetStreamAccountLimits) {
		if err := s.GlobalAccount().UpdateJetStreamLimits(limits); err != nil {
			t.Fatal(err)
		}
	}
	limit(map[string]server.JetStreamAccountLimits{"": {MaxStreams: 1, MaxMemory: -1, MaxStore: -1, MaxConsumers: -1}})
	err := f.js.DeleteStream(t.Context(), name)
	limit(nil) // the default: any number of streams
	if err != nil {
		t.Fatal(err)
	}
}

func portOf(s *server.Server) int { return s.Addr().(*net.TCPAddr).Port }

func connect(t testing.TB, url string) *Farm { return connectTo(t, Access{URL: url, Lease: testLease}) }

func connectTo(t testing.TB, a Access) *Farm {
	t.Helper()
	f, err := Connect(t.Context(), "test", a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// startWorker runs the worker w with a connection to url. The function stop ends it and returns the error of its
// Run.
func startWorker(t testing.TB, url string, w *Worker) (stop func() error) {
	t.Helper()
	return runWorker(t, connect(t, url), w)
}

func runWorker(t testing.TB, f *Farm, w *Worker) (stop func() error) {
	t.Helper()
	w.Farm, w.Name = f, strings.Repeat("Machine.example *> ", 20)
	w.Log = func(text string) { t.Log(text) }
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// open opens a job that renders the scene crowd. By default, its units are small.
func open(t testing.TB, f *Farm, opt JobOptions) *Job {
	t.Helper()
	s, src := crowdSource(t)
	shot, err := NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Cell == (image.Point{}) {
		opt.Cell = image.Pt(32, 16)
	}
	opt.Log = func(text string) { t.Log(text) }
	j, err := f.Open(t.Context(), src, s, []Shot{shot}, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

// nextUnit takes a unit of a job from the queue.
func nextUnit(t testing.TB, j *Job) (jetstream.Msg, error) {
	t.Helper()
	consumer, err := j.farm.tasks.Consumer(t.Context(), consumerName(j.ID))
	if err != nil {
		return nil, err
	}
	return consumer.Next()
}

// wantPicture fails the test unless the picture of the job equals the picture rendered in this process.
func wantPicture(t testing.TB, j *Job) {
	t.Helper()
	s, _ := crowdSource(t)
	ctx, cancel := context.WithTimeout(t.Context(), testLimit)
	defer cancel()
	rows := 0
	film, err := j.Picture(ctx, 0, pillbox.Options{Work: pillbox.Work{Rows: func(_ *pillbox.Film, n int) { rows = n }}})
	if err != nil {
		for n, w := range j.shots[0] {
			t.Logf("unit %d: %+v", n, *w)
		}
		t.Fatal(err)
	}
	if got, want := pillbox.Hash(film.Image), renderHash(t, s); got != want || rows != 70 {
		t.Errorf("the farm renders %s, want %s; %d rows", got, want, rows)
	}
}

// rendered returns the number of units that the worker w has finished, failed at or returned to the queue.
func (w *Worker) rendered() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.units
}

// wantRendered waits until the workers have rendered n units together, and fails the test if they have rendered more.
func wantRendered(t testing.TB, n int, workers ...*Worker) {
	t.Helper()
	all := func() (sum int) {
		for _, w := range workers {
			sum += w.rendered()
		}
		return sum
	}
	wantEventually(t, func() bool { return all() >= n }) // a worker counts a unit after it has stored the result
	if got := all(); got != n {
		t.Errorf("%d units are rendered, want %d", got, n)
	}
}

// TestFarmRendersOnce checks that a farm renders the same picture as one process and renders each unit once. A
// second request must get the stored results.
func TestFarmRendersOnce(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	if f, err := Connect(t.Context(), "first", Access{URL: url}); err != nil { // with a lease longer than the test
		t.Fatal(err)
	} else {
		f.Close()
	}
	a, b := &Worker{Slots: 2, Cache: Cache{t.TempDir(), 1 << 20}}, &Worker{Slots: 1}
	startWorker(t, url, a)
	startWorker(t, url, b)
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	wantPicture(t, j)
	units := len(j.byKey)
	again := open(t, connect(t, url), JobOptions{})
	wantPicture(t, again)
	if units != 15 {
		t.Errorf("the job has %d units", units)
	}
	wantRendered(t, units, a, b)
	info, err := f.results.Info(t.Context())
	if err != nil || int(info.State.Msgs) != units {
		t.Errorf("%d results for %d units, %v", info.State.Msgs, units, err)
	}
	j.Close()
	again.Close()
	wantEventually(t, func() bool { // a busy worker can be missing
		status, err := f.Status(t.Context())
		if err != nil || len(status.Jobs) != 0 {
			t.Fatalf("%+v, %v", status, err)
		}
		return len(status.Workers) == 2 && status.Workers[0].Slots+status.Workers[1].Slots == 3
	})
}

// TestFarmMeasures checks that the farm chooses the size of units if none is given. If the same scene is requested
// again, the farm must choose the same size.
func TestFarmMeasures(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	startWorker(t, url, &Worker{Slots: 1})
	s, src := crowdSource(t)
	shot, err := NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var cells []image.Point
	for range 2 {
		j, err := connect(t, url).Open(t.Context(), src, s, []Shot{shot}, JobOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wantPicture(t, j)
		cells = append(cells, j.plan.Cell)
		j.Close()
	}
	if cells[0] != cells[1] || cells[0].X < 16 {
		t.Errorf("cells %v", cells)
	}
}

// TestFarmGoesOn checks that a job continues after its coordinator has ended, and after a worker has ended during a
// unit.
func TestFarmGoesOn(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	open(t, f, JobOptions{}).Close() // all units are in the queue
	began := make(chan struct{}, 100)
	stop := startWorker(t, url, &Worker{Slots: 1, damage: slowly(began)})
	<-began
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, open(t, f, JobOptions{}))
}

// slowly returns a function for Worker.damage that sends a value on began and then delays the result of the unit.
func slowly(began chan<- struct{}) func(string, []byte) ([]byte, error) {
	return func(_ string, r []byte) ([]byte, error) {
		began <- struct{}{}
		time.Sleep(30 * time.Millisecond)
		return r, nil
	}
}

// TestFarmServerComesBack checks that jobs continue after the server is restarted with its store.
func TestFarmServerComesBack(t *testing.T) {
	if !effort.IsCampaign() {
		t.Skip("needs -effort campaign")
	}
	dir := t.TempDir()
	srv := startServer(t, onPort(-1, dir))
	t.Cleanup(func() { stopServer(srv) })
	url := srv.ClientURL()
	j := open(t, connect(t, url), JobOptions{})
	began := make(chan struct{}, 100)
	startWorker(t, url, &Worker{Slots: 1, damage: slowly(began)})
	<-began
	port := portOf(srv)
	stopServer(srv)
	srv = startServer(t, onPort(port, dir))
	wantPicture(t, j)
}

// TestFarmPoison checks a unit that no worker can render. The job must report it with the workers' errors, and all
// other units must be rendered.
func TestFarmPoison(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	poison := j.shots[0][4]
	startWorker(t, url, &Worker{Slots: 2, damage: func(key string, r []byte) ([]byte, error) {
		if key == poison.key {
			return nil, errors.New("this one breaks")
		}
		return r, nil
	}})
	ctx, cancel := context.WithTimeout(t.Context(), testLimit)
	defer cancel()
	_, err := j.Picture(ctx, 0, pillbox.Options{})
	if err == nil || !strings.Contains(err.Error(), "pixels 32,16,64,32 cannot be rendered") || !strings.Contains(err.Error(), "this one breaks") {
		t.Errorf("got %v", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, w := range j.shots[0] {
		if (w.state == done) != (i != 4) {
			t.Errorf("unit %d is %v", i, w.state)
		}
	}
}

// flipping returns a function for Worker.damage that changes the first byte of each unit's pixels, by an exclusive
// or with bit. It works for units of the jobs that the function open returns.
func flipping(bit byte) func(string, []byte) ([]byte, error) {
	return func(_ string, r []byte) ([]byte, error) {
		for _, size := range []image.Point{{X: 32, Y: 16}, {X: 26, Y: 16}, {X: 32, Y: 6}, {X: 26, Y: 6}} {
			if film, err := decode(r, image.Rectangle{Max: size}); err == nil {
				film.Image.Pix[0] ^= bit
				return encode(film), nil
			}
		}
		return nil, errors.New("a unit of another size")
	}
}

// wantBad fails the test unless exactly the given workers are recorded as bad.
func wantBad(t testing.TB, j *Job, workers ...*Worker) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, w := range workers {
		if !j.bad[w.id] {
			t.Errorf("%v are bad, want %s", j.bad, w.id)
		}
	}
	if len(j.bad) != len(workers) {
		t.Errorf("%v are bad, want %d", j.bad, len(workers))
	}
}

// TestFarmAudit runs a worker that flips a bit and an honest one. Only the first must be excluded, and the picture
// must be right.
func TestFarmAudit(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{Audit: 1})
	began := make(chan struct{}, 100)
	flip := flipping(1)
	liar := &Worker{Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
		began <- struct{}{}
		return flip(key, r)
	}}
	stop := startWorker(t, url, liar)
	<-began
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	wantBad(t, j, liar)
	if err := stop(); err == nil || !strings.Contains(err.Error(), "pixels were wrong") {
		t.Errorf("the liar ends with %v", err)
	}
}

// TestFarmAuditManyNames runs a malicious worker that uses several names. Its wrong pixels must not get into a
// picture.
func TestFarmAuditManyNames(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{Audit: 1})
	began := make(chan struct{}, 100)
	var liars []*Worker
	for i := range 3 {
		flip := flipping(1 << i)
		w := &Worker{Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
			began <- struct{}{}
			return flip(key, r)
		}}
		liars = append(liars, w)
		startWorker(t, url, w)
		<-began
	}
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	wantBad(t, j, liars...)
}

// TestFarmAuditOtherName runs a worker that sends wrong pixels under the name of another worker. The other worker
// may be excluded, but no wrong pixels may get into the picture.
func TestFarmAuditOtherName(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{Audit: 1})
	honest := &Worker{Slots: 1}
	stop := startWorker(t, url, honest)
	wantEventually(t, func() bool { honest.mu.Lock(); defer honest.mu.Unlock(); return honest.units > 0 })
	for _, w := range j.shots[0] {
		msg := nats.NewMsg(resultSubject(j.group, w.key))
		msg.Header.Set(workerHeader, honest.id)
		msg.Header.Set(sumHeader, hashOf(nil))
		msg.Data = []byte("nonsense")
		_, _ = f.js.PublishMsg(t.Context(), msg) // before or after the worker's own result
	}
	startWorker(t, url, &Worker{Slots: 2})
	wantPicture(t, j)
	_ = stop() // the farm may have excluded it
}

// wantEventually fails the test unless is() becomes true within testLimit.
func wantEventually(t testing.TB, is func() bool) {
	t.Helper()
	const pause = 10 * time.Millisecond
	for range testLimit / pause {
		if is() {
			return
		}
		time.Sleep(pause)
	}
	t.Fatal("it never comes true")
}

// TestFarmAuditFilm checks that every frame of an audited film is right, and that a worker that flips bits is
// excluded.
func TestFarmAuditFilm(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	s, src := crowdSource(t)
	var shots []Shot
	var want []string
	for _, time := range []float64{0, 0.5, 1, 1.5} {
		at, err := s.At(time)
		if err != nil {
			t.Fatal(err)
		}
		shot, err := NewShot(s, pillbox.Options{}, &time)
		if err != nil {
			t.Fatal(err)
		}
		shots, want = append(shots, shot), append(want, renderHash(t, at))
	}
	j, err := f.Open(t.Context(), src, s, shots, JobOptions{Audit: 1, Cell: image.Pt(32, 16), Log: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	liar := &Worker{Slots: 1, damage: flipping(4)}
	startWorker(t, url, liar)
	wantEventually(t, func() bool { return liar.rendered() > 0 })
	startWorker(t, url, &Worker{Slots: 2})
	for i, want := range want {
		film, err := j.Picture(t.Context(), i, pillbox.Options{})
		if err != nil || pillbox.Hash(film.Image) != want {
			t.Errorf("frame %d is another picture, %v", i, err)
		}
	}
	wantBad(t, j, liar)
}

// TestFarmGarbledOnce checks that a unit whose result is damaged is rendered again, even if there is only one
// worker.
func TestFarmGarbledOnce(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{})
	var mu sync.Mutex
	seen := make(map[string]bool)
	startWorker(t, url, &Worker{Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if !seen[key] {
			seen[key] = true
			r[len(r)-1] ^= 1
		}
		return r, nil
	}})
	wantPicture(t, j)
}

// TestFarmAuditAlone checks an audit with a single worker, which flips bits. The coordinator must compare the units
// itself and exclude the worker.
func TestFarmAuditAlone(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	liar := &Worker{Slots: 1, damage: flipping(4)}
	startWorker(t, url, liar)
	j := open(t, connect(t, url), JobOptions{Audit: 1})
	wantEventually(t, func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return len(j.bad) > 0
	})
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	wantBad(t, j, liar)
}

// TestFarmCancel checks that canceling a job empties the queue and notifies programs that wait for the job.
func TestFarmCancel(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{Name: "crowd.toml"})
	status, err := f.Status(t.Context())
	if err != nil || len(status.Jobs) != 1 || status.Jobs[0].Waiting != 15 || status.Jobs[0].Name != "crowd.toml" || status.Jobs[0].ID != j.ID {
		t.Errorf("%+v, %v", status, err)
	}
	if err := connect(t, url).Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Picture(t.Context(), 0, pillbox.Options{}); !errors.Is(err, ErrCanceled) {
		t.Errorf("got %v", err)
	}
	if n := f.queued(t); n != 0 {
		t.Errorf("%d units are still in the queue", n)
	}
	if err := f.Cancel(t.Context(), "nothing"); err == nil {
		t.Error("canceling a job that does not exist succeeds")
	}
}

// TestFarmZombie checks that a worker that continues after its lease has ended does not change a result.
func TestFarmZombie(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	msg, err := nextUnit(t, j)
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, url, &Worker{Slots: 2})
	wantPicture(t, j)
	zombie := &Worker{Farm: f, Name: "zombie", id: "zombie", scenes: j.scenes, last: t.Context(), running: make(map[string]running), slowest: make(map[string]time.Duration)}
	zombie.take(t.Context(), msg) // after all units are done
	info, err := f.results.Info(t.Context())
	if err != nil || info.State.Msgs != 15 {
		t.Errorf("%d results, %v", info.State.Msgs, err)
	}
}

// TestFarmRefusesOtherRenderers connects a program with another renderer. It must be refused with a message that
// names both renderers, until Purge is called with its renderer. Then the earlier workers must end, and earlier
// results must not be used.
func TestFarmRefusesOtherRenderers(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	ended := make(chan error, 1)
	go func() { ended <- (&Worker{Farm: f, Slots: 1}).Run(t.Context()) }()
	wantPicture(t, open(t, f, JobOptions{}))
	other := Access{URL: url, renderer: hashOf(nil)}
	_, err := Connect(t.Context(), "late", other)
	want := fmt.Sprintf("the farm has renderer %.12q (version", pillbox.SourceHash())
	wantAlso := fmt.Sprintf("and this program renderer %.12q (version", hashOf(nil))
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), wantAlso) {
		t.Errorf("got %v, want %s, %s", err, want, wantAlso)
	}
	waiting := open(t, f, JobOptions{Cell: image.Pt(64, 64)})
	if n, err := Purge(t.Context(), "other", other); err != nil || n < 15 {
		t.Errorf("purged %d results, %v", n, err)
	}
	wantEventually(t, func() bool { return waiting.ctx.Err() != nil })
	// The job ends even if its units are done. It notices either that it is canceled, or that the farm has another
	// renderer.
	if err := context.Cause(waiting.ctx); !errors.Is(err, ErrCanceled) && !strings.Contains(err.Error(), "and this program renderer") {
		t.Errorf("the job ends with %v", err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "and this program renderer") {
		t.Errorf("the worker ends with %v", err)
	}
	g := connectTo(t, other)
	info, err := g.results.Info(t.Context())
	if err != nil || info.State.Msgs > 1 { // the unit that the worker was rendering
		t.Errorf("%d results are left, %v", info.State.Msgs, err)
	}
	// A result of the old renderer that arrives after the purge is not used.
	j := open(t, g, JobOptions{})
	w := j.shots[0][0]
	black := encode(&pillbox.Film{Image: image.NewNRGBA(image.Rectangle{Max: w.Rect.Size()})})
	if _, err := g.js.PublishMsg(t.Context(), f.resultMessage(j.group, w.key, "old", black)); err != nil {
		t.Fatal(err)
	}
	runWorker(t, g, &Worker{Slots: 1})
	wantPicture(t, j)
	_, err = readOrder(marshal(order{task: j.plan.task(w.Unit), Group: j.group}), w.key, 1<<20, pillbox.SourceHash())
	if want := fmt.Sprintf("the task is of renderer %.12q, and this program has renderer %.12q", hashOf(nil), pillbox.SourceHash()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestFarmTakesNoNonsense puts invalid messages into the queue and among the results. They must not change the
// picture or end a worker or job.
func TestFarmTakesNoNonsense(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	publish := func(subject string, data []byte) {
		if _, err := f.js.PublishMsg(t.Context(), &nats.Msg{Subject: subject, Data: data, Header: nats.Header{}}); err != nil {
			t.Fatal(err)
		}
	}
	huge := order{task: j.plan.task(j.shots[0][0].Unit), Group: j.group}
	huge.Size, huge.Region = image.Pt(1<<14, 1<<14), image.Rect(0, 0, 1<<14, 1<<14)
	odd := order{task: j.plan.task(j.shots[0][0].Unit), Group: "../../x", Audit: ">"}
	odd.Antialias = 3
	lost := order{task: j.plan.task(j.shots[0][0].Unit), Group: j.group}
	lost.Scene = hashOf([]byte("nowhere"))
	blind := order{task: j.plan.task(j.shots[0][0].Unit), Group: j.group}
	blind.Camera = new(camera.Camera)
	for _, o := range []order{huge, odd, lost, blind} {
		publish("pillbox.task."+j.ID+"."+o.key(), marshal(o))
	}
	publish("pillbox.task.x.y.z", []byte("{}"))
	publish("pillbox.task."+j.ID+"."+hashOf(nil), marshal(huge))
	publish("pillbox.task."+j.ID+"."+hashOf([]byte{1}), bytes.Repeat([]byte("["), 10000))
	publish(resultSubject(j.group, j.shots[0][1].key), []byte("nonsense"))
	publish(resultSubject(j.group, j.shots[0][2].key), nil)
	publish(resultSubject(j.group, hashOf(nil)), []byte("nonsense"))
	publish("pillbox.news."+j.ID+"."+j.shots[0][3].key, []byte(`{"worker":7}`))
	publish("pillbox.news."+j.ID+".x", []byte(`nonsense`))
	publish("pillbox.news."+j.ID+"."+j.shots[0][3].key, []byte(`{"worker":"../*\u001b","sum":"x"}`))
	startWorker(t, url, &Worker{Slots: 2})
	wantPicture(t, j)
	if err := f.nc.PublishRequest(pingSubject, pingSubject, []byte("x")); err != nil {
		t.Error(err)
	}
	if _, err := f.Status(t.Context()); err != nil {
		t.Error(err)
	}
	// A stored file that does not have the hash in its name.
	if _, err := f.files.PutBytes(t.Context(), hashOf([]byte("a")), []byte("b")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.get(t.Context(), hashOf([]byte("a"))); err == nil || !strings.Contains(err.Error(), "has the hash") {
		t.Errorf("got %v", err)
	}
	to, err := f.files.GetInfo(t.Context(), hashOf([]byte("a")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.files.AddLink(t.Context(), hashOf([]byte("b")), to); err != nil {
		t.Fatal(err)
	}
	if _, err := f.get(t.Context(), hashOf([]byte("b"))); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("got %v", err)
	}
}

// TestFarmMissedResult checks that the coordinator finds a result even if it has missed the message about it.
func TestFarmMissedResult(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{})
	startWorker(t, url, &Worker{Slots: 1})
	if err := j.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := j.shots[0][3]
	j.lose(w, w.seq, "as if its result were gone", "")
	wantPicture(t, j)
}

// TestCacheIsBounded checks that the cache keeps the most recently used files, and does not remove other files from
// its folder.
func TestCacheIsBounded(t *testing.T) {
	c := Cache{t.TempDir(), 350}
	foreign := filepath.Join(c.Dir, "foreign")
	if err := os.WriteFile(foreign, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	files := make([][]byte, 5)
	for i := range files {
		files[i] = bytes.Repeat([]byte{byte(i)}, 100)
		if err := c.keep(hashOf(files[i]), files[i]); err != nil {
			t.Fatal(err)
		}
		// Set the time of the last use to long ago. The call of read below then makes file 0 the most recently used one.
		then := time.Unix(int64(i), 0)
		if err := os.Chtimes(filepath.Join(c.Dir, hashOf(files[i])), then, then); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.read(hashOf(files[0])); !ok {
			t.Errorf("file 0 is gone with file %d", i)
		}
	}
	for i, want := range []bool{true, false, false, true, true} {
		if data, ok := c.read(hashOf(files[i])); ok != want || ok && !bytes.Equal(data, files[i]) {
			t.Errorf("file %d is there: %v", i, ok)
		}
	}
	large := make([]byte, 351)
	if err := c.keep(hashOf(large), large); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(c.Dir); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, hashOf(files[4])), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.read(hashOf(files[4])); ok {
		t.Error("a file that was changed is taken")
	}
}

var (
	longFrames = flag.Int("frames", 100_000, "of the film of TestFarmLongFilm")
)

// TestFarmTenThousandUnits checks that each of many small units is rendered once. It logs the time per unit.
func TestFarmTenThousandUnits(t *testing.T) {
	if !effort.IsCampaign() {
		t.Skip("needs -effort campaign")
	}
	url := serve(t).ClientURL()
	first, err := Connect(t.Context(), "first", Access{URL: url}) // with the usual lease
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	w := &Worker{Slots: 2}
	startWorker(t, url, w)
	s, src := crowdSource(t)
	f, err := Connect(t.Context(), "test", Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	shot, err := NewShot(s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(800, 800), Antialias: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	j, err := f.Open(t.Context(), src, s, []Shot{shot}, JobOptions{Cell: image.Pt(8, 8)})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	film, err := j.Picture(t.Context(), 0, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	want, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Size: shot.Size, Antialias: 1}})
	if err != nil || pillbox.Hash(want.Image) != pillbox.Hash(film.Image) {
		t.Error("another picture", err)
	}
	info, err := f.results.Info(t.Context())
	if err != nil || info.State.Msgs != 10000 {
		t.Errorf("%d results, %v", info.State.Msgs, err)
	}
	wantRendered(t, 10000, w)
	t.Logf("10000 units in %v: %v each on one slot", took.Round(time.Millisecond), took*time.Duration(w.Slots)/10000)
}
