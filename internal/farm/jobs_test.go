//go:build !js && !plan9

package farm

import (
	"bytes"
	"context"
	"errors"
	"image"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
)

// submitFilm submits a film of two frames of the scene crowd, with previews. It returns the job's identifier and
// the hashes of the frames.
func submitFilm(t testing.TB, f *Farm, opt JobOptions) (id string, want []string) {
	t.Helper()
	s, src := crowdSource(t)
	var shots []Shot
	for _, size := range []image.Point{{}, {X: 30, Y: 20}} {
		for _, time := range []float64{0, 1.5} {
			at, err := s.At(time)
			if err != nil {
				t.Fatal(err)
			}
			shot, err := NewShot(s, pillbox.Options{Picture: pillbox.Picture{Size: size}}, &time)
			if err != nil {
				t.Fatal(err)
			}
			shots = append(shots, shot)
			if size == (image.Point{}) {
				want = append(want, renderHash(t, at))
			}
		}
	}
	opt.Detached, opt.Output, opt.Cell = true, Output{FPS: 4, Frames: 2}, image.Pt(32, 16)
	j, err := f.Open(t.Context(), src, s, shots, opt)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	return j.ID, want
}

// stored returns the number of results on the server.
func (f *Farm) stored(t testing.TB) int {
	t.Helper()
	info, err := f.results.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int(info.State.Msgs)
}

// queued returns the number of units and audits in the queue. The anchor, its first message, is not counted.
func (f *Farm) queued(t testing.TB) int {
	t.Helper()
	info, err := f.tasks.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int(info.State.Msgs) - 1
}

// TestFarmDetached checks that the farm renders a submitted film although the program that submitted it has closed
// the job. The job must be found by its file name, and by the first characters of its identifier. After the result
// was fetched and the job forgotten, the farm must have no record of it.
func TestFarmDetached(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	id, want := submitFilm(t, connect(t, url), JobOptions{Name: "films/crowd.toml"})
	stop := startWorker(t, url, &Worker{Slots: 2})
	f := connect(t, url)
	j, err := f.Attach(t.Context(), "crowd.toml", JobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Wait(t.Context()); err != nil || j.ID != id || !j.Detached() {
		t.Fatalf("job %s, want %s, %v", j.ID, id, err)
	}
	j.Close()
	wantEventually(t, func() bool { // a worker removes a unit from the queue after it has stored the result
		status, err := f.Status(t.Context())
		return err == nil && len(status.Jobs) == 1 && status.Jobs[0].State == "done" && status.Jobs[0].Done == status.Jobs[0].Units
	})
	if j, err = f.Attach(t.Context(), id[:4], JobOptions{}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	pixels := 0
	if err := j.WriteShard(t.Context(), &file, func(done, _ int) { pixels = done }); err != nil || pixels != j.plan.pixels() {
		t.Fatalf("%d pixels, %v", pixels, err)
	}
	whole, err := Assemble([]File{{Name: "film", ReaderAt: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}})
	if err != nil || whole.Output != j.Output() {
		t.Fatal(whole, err)
	}
	for i, want := range want {
		film, err := whole.Picture(t.Context(), i, pillbox.Options{})
		if err != nil || pillbox.Hash(film.Image) != want || whole.Note(i) == "" {
			t.Errorf("frame %d is another picture, or has no note, %v", i, err)
		}
	}
	_ = stop() // if the lease of a unit has ended, the worker may be about to render the unit again
	if err := j.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	j.Close()
	status, err := f.Status(t.Context())
	if err != nil || len(status.Jobs) != 0 || f.stored(t) != 0 {
		t.Errorf("%+v and %d results are left, %v", status, f.stored(t), err)
	}
	if _, err := f.tasks.Consumer(t.Context(), consumerName(id)); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		t.Errorf("the queue of the job is left, %v", err)
	}
}

// TestFarmSubmittedAndAttached checks that a command that renders the same scene as a submitted job does not delete
// the job's results.
func TestFarmSubmittedAndAttached(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	open(t, f, JobOptions{Name: "a", Detached: true}).Close()
	startWorker(t, url, &Worker{Slots: 2})
	j := open(t, f, JobOptions{Name: "b"})
	wantPicture(t, j)
	j.Close()
	if id, err := f.Find(t.Context(), "b"); err != nil || id != j.ID || !j.Detached() || f.stored(t) != 15 {
		t.Errorf("found %s, want %s, %v", id, j.ID, err)
	}
}

// TestFarmFind checks that a job is found by its identifier, the beginning of its identifier, or its name with or
// without the folder. Several matches must be an error. If nothing matches, the error must suggest a similar name
// or identifier.
func TestFarmFind(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	for id, r := range map[string]jobRecord{
		"aaaa0000000000000000000000000000": {Name: "films/walk.toml"},
		"aaaa1000000000000000000000000000": {Name: "films/walk.toml", Canceled: true},
		"aaab0000000000000000000000000000": {Name: "old/walk.toml", Canceled: true},
		"bbbb0000000000000000000000000000": {Name: "one.toml"},
		"cccc0000000000000000000000000000": {Name: "one.toml"},
	} {
		if _, err := f.jobs.Put(t.Context(), jobKey(id), marshal(r)); err != nil {
			t.Fatal(err)
		}
	}
	for job, want := range map[string]string{
		"aaaa0000000000000000000000000000": "aaaa0000000000000000000000000000",
		"aaaa1000000000000000000000000000": "aaaa1000000000000000000000000000",
		"aaab":                             "aaab0000000000000000000000000000",
		"bbbb0":                            "bbbb0000000000000000000000000000",
		"aaaa":                             "aaaa0000000000000000000000000000",
		"films/walk.toml":                  "aaaa0000000000000000000000000000",
		"walk.toml":                        "aaaa0000000000000000000000000000",
		"old/walk.toml":                    "aaab0000000000000000000000000000",
		"one.toml":                         "there are 2 jobs",
		"aaa":                              "there is no job",
		"two.toml":                         "there is no job \"two.toml\"; 'renderfarm list URL' shows the jobs",
		"wolk.toml":                        "there is no job \"wolk.toml\"; did you mean \"walk.toml\"?",
		"film/walk.toml":                   "there is no job \"film/walk.toml\"; did you mean \"films/walk.toml\"?",
		"bbbc0":                            "there is no job \"bbbc0\"; did you mean \"bbbb0\"?",
		"cccc0000000000000000000000000001": "there is no job \"cccc0000000000000000000000000001\"; did you mean \"cccc0000000000000000000000000000\"?",
		"":                                 "there is no job",
		"*":                                "there is no job",
	} {
		got, err := f.Find(t.Context(), job)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q finds %s, want %s", job, got, want)
		}
	}
}

// TestFarmResubmit checks that a canceled job has no units in the queue, and that waiting for it is an error until
// it is submitted again.
func TestFarmResubmit(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	id, _ := submitFilm(t, f, JobOptions{Name: "crowd.toml"})
	queued := func() int { return f.queued(t) }
	before := queued()
	if err := f.Cancel(t.Context(), "crowd.toml"); err != nil || queued() != 0 || before == 0 {
		t.Errorf("%d units of %d are in the queue, %v", queued(), before, err)
	}
	if _, err := f.Attach(t.Context(), id, JobOptions{}); !errors.Is(err, ErrCanceled) {
		t.Errorf("got %v", err)
	}
	if err := f.Pause(t.Context(), id); !errors.Is(err, ErrCanceled) {
		t.Errorf("pausing a canceled job: %v", err)
	}
	if err := f.Resubmit(t.Context(), "crowd.toml"); err != nil || queued() != before {
		t.Errorf("%d units are in the queue, want %d, %v", queued(), before, err)
	}
	if err := f.Resubmit(t.Context(), "crowd.toml"); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("a running job is submitted again: %v", err)
	}
	startWorker(t, url, &Worker{Slots: 2})
	j, err := f.Attach(t.Context(), id, JobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := errors.Join(j.Wait(t.Context()), j.Failures()); err != nil {
		t.Error(err)
	}
}

// TestFarmLog checks that the log of a job contains the workers' errors and the decisions of the coordinator.
func TestFarmLog(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{Name: "crowd.toml"})
	j.log("an audit")
	poison := j.shots[0][4].key
	startWorker(t, url, &Worker{Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
		if key == poison {
			return nil, errors.New("this one breaks")
		}
		return r, nil
	}})
	wantEventually(t, func() bool {
		events, err := f.Log(t.Context(), "crowd.toml")
		if err != nil {
			t.Fatal(err)
		}
		return len(events) > 1 && events[0].Worker == coordinator && events[0].Unit == "" && events[0].Text == "an audit" &&
			events[1].Unit == poison && events[1].Text == "this one breaks"
	})
	if _, err := f.Log(t.Context(), "none"); err == nil {
		t.Error("a job that does not exist has a log")
	}
}

// TestFarmPlanOfAnother checks that a stored plan that is invalid or belongs to another job is an error, and that
// reading a plan after the context has ended is one, too.
func TestFarmPlanOfAnother(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	id, _ := submitFilm(t, f, JobOptions{})
	r, err := f.record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	good, err := f.plan(t.Context(), id, r)
	if err != nil {
		t.Fatal(err)
	}
	other, huge, none := good, good, good
	other.Plan.Shots = good.Plan.Shots[:1]
	huge.Plan.Cell = image.Pt(1, -1)
	none.Plan.Shots = nil
	for _, p := range []storedPlan{other, huge, none} {
		data := marshal(p)
		if err := f.put(t.Context(), data); err != nil {
			t.Fatal(err)
		}
		if _, err := f.plan(t.Context(), id, jobRecord{Plan: hashOf(data)}); err == nil {
			t.Errorf("%+v is taken for the plan of another job", p)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.plan(ctx, id, r); err == nil {
		t.Error("a plan is read after the context has ended")
	}
}

// TestPlanCounts compares the result of count with the number of units that Units yields.
func TestPlanCounts(t *testing.T) {
	for _, region := range []image.Rectangle{image.Rect(0, 0, 64, 48), image.Rect(5, 17, 6, 18), image.Rect(15, 16, 33, 49)} {
		for _, cell := range []image.Point{{}, {X: 16, Y: 16}, {X: 1, Y: 7}, {X: 64, Y: 48}, {X: 100, Y: 100}} {
			p := Plan{Shots: []Shot{{Size: image.Pt(64, 49), Region: region}, {Size: image.Pt(64, 49), Region: region}}, Cell: cell}
			n := 0
			for range p.Units() {
				n++
			}
			if got := p.count(); got != n {
				t.Errorf("%v in cells of %v: %d units, want %d", region, cell, got, n)
			}
		}
	}
}

// TestFarmSkipsDamagedRecords stores records that are no records. The status must name them and still show the other jobs,
// and jobs must still be found.
func TestFarmSkipsDamagedRecords(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	const good = "aaaa0000000000000000000000000000"
	records := map[string]string{good: string(marshal(jobRecord{Name: "walk.toml"})), "empty": "", "text": "no record", "number": "3", "other": `{"unknown": 1}`, "list": "[]"}
	for id, data := range records {
		if _, err := f.jobs.Put(t.Context(), jobKey(id), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := f.Status(t.Context())
	if err != nil || len(s.Jobs) != len(records) {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, j := range s.Jobs {
		if isDamaged := j.State == stateDamaged && j.Failure != ""; isDamaged != (j.ID != good) {
			t.Errorf("job %s is %s: %s", j.ID, j.State, j.Failure)
		}
	}
	if id, err := f.Find(t.Context(), "walk.toml"); id != good {
		t.Errorf("found %q, %v", id, err)
	}
}
