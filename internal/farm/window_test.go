//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"image"
	"runtime"
	"testing"
	"time"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// longFilm opens a job for a film with the given number of frames of 17 x 4 pixels. Each unit is one pixel, so a
// frame has 68 units, as many as a real frame at 4K.
func longFilm(t testing.TB, f *Farm, frames int, opt JobOptions) (*Job, *scene.Scene) {
	t.Helper()
	const text = "format = 1\nimage = { width = 17, height = 4, antialias = 1 }\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	s, err := scene.Decode("ball.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	shots := make([]Shot, frames)
	for i := range shots {
		time := float64(i) / 24
		if shots[i], err = NewShot(s, pillbox.Options{}, &time); err != nil {
			t.Fatal(err)
		}
	}
	opt.Cell = image.Pt(1, 1)
	j, err := f.Open(t.Context(), &Source{Data: []byte(text)}, s, shots, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j, s
}

// load holds numbers of units and of results of a job. units is the number of units in the coordinator's memory,
// and seen is the number of results that it remembers. queued is the number of units in the server's queue, and
// results is the number of results on the server.
type load struct{ units, seen, queued, results int }

func (j *Job) load(t testing.TB) load {
	t.Helper()
	j.mu.Lock()
	l := load{units: len(j.byKey), seen: len(j.seen)}
	j.mu.Unlock()
	l.queued, l.results = j.farm.queued(t), j.farm.stored(t)
	return l
}

func (l load) max(m load) load {
	return load{max(l.units, m.units), max(l.seen, m.seen), max(l.queued, m.queued), max(l.results, m.results)}
}

// TestFarmWindow renders a film with many more units than fit into the window, which limits the units that are
// handled at a time. The coordinator and the queue must never have more units than the window, and the server must
// never have more results than two windows. Every frame must be right, and no job or result may remain at the end.
func TestFarmWindow(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	const window, frames, perFrame = 200, 30, 68
	url := serve(t).ClientURL()
	f := connectTo(t, Access{URL: url}) // with a lease longer than the test, so that no unit is rendered twice
	startWorker(t, url, &Worker{Slots: 2})
	j, s := longFilm(t, f, frames, JobOptions{window: window})
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, most := pillbox.Hash(film.Image), load{}
	for i := range frames {
		wantEventually(t, func() bool { return f.queued(t) <= window }) // a worker removes a unit from the queue after it has stored the result
		most = most.max(j.load(t))
		film, err := j.Picture(t.Context(), i, pillbox.Options{})
		if err != nil || pillbox.Hash(film.Image) != want {
			t.Fatalf("frame %d is another picture, %v", i, err)
		}
	}
	if most.units > window || most.seen > window || most.results > 2*window || most.results < window {
		t.Errorf("at most %+v, with a window of %d units", most, window)
	}
	wantEventually(t, func() bool { // the job writes the record after it has put units into the queue
		r, err := f.record(t.Context(), j.ID)
		return err == nil && r.Units == frames*perFrame && r.Fed == r.Units
	})
	if err := j.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	j.Close()
	if s, err := f.Status(t.Context()); err != nil || len(s.Jobs) > 0 || f.stored(t) > 0 {
		t.Errorf("%+v and %d results are left, %v", s, f.stored(t), err)
	}
}

// TestFarmWindowDemand checks that frames can be fetched in any order and repeatedly. This includes frames that
// are not in the window of units that are being rendered, and frames whose results were deleted.
func TestFarmWindowDemand(t *testing.T) {
	t.Parallel()
	const window, frames = 150, 12
	url := serve(t).ClientURL()
	startWorker(t, url, &Worker{Slots: 2})
	j, s := longFilm(t, connect(t, url), frames, JobOptions{window: window})
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := pillbox.Hash(film.Image)
	order := []int{11, 0, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11}
	err = parallel.Each(t.Context(), 2, len(order), func(ctx context.Context, i int) error {
		film, err := j.Picture(ctx, order[i], pillbox.Options{})
		if err == nil && pillbox.Hash(film.Image) != want {
			err = errors.New("another picture")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFarmWindowResumes checks that a restarted coordinator uses the results that are still on the server.
func TestFarmWindowResumes(t *testing.T) {
	t.Parallel()
	const window, frames, perFrame = 150, 4, 68
	url := serve(t).ClientURL()
	first, err := Connect(t.Context(), "first", Access{URL: url}) // with a lease longer than the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(first.Close)
	w := &Worker{Slots: 2}
	startWorker(t, url, w)
	j, _ := longFilm(t, first, frames, JobOptions{window: window})
	for i := range frames {
		if _, err := j.Picture(t.Context(), i, pillbox.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	kept := j.farm.stored(t)
	again, _ := longFilm(t, connect(t, url), frames, JobOptions{window: window})
	for i := range frames {
		if _, err := again.Picture(t.Context(), i, pillbox.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if kept < window/2 {
		t.Errorf("the server has kept %d results", kept)
	}
	wantRendered(t, 2*frames*perFrame-kept, w) // again all units whose results the server has not kept
}

// TestFarmWindowPoison checks that Picture reports a unit that cannot be rendered, even while later frames of the
// film do not fit into the window.
func TestFarmWindowPoison(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j, _ := longFilm(t, connect(t, url), 30, JobOptions{window: 150})
	poison := j.shots[1][3].key
	startWorker(t, url, &Worker{Slots: 2, damage: func(key string, r []byte) ([]byte, error) {
		if key == poison {
			return nil, errors.New("this one breaks")
		}
		return r, nil
	}})
	if _, err := j.Picture(t.Context(), 0, pillbox.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Picture(t.Context(), 1, pillbox.Options{}); err == nil {
		t.Error("a picture comes out without one of its units")
	}
}

// TestFarmTooLargeToAudit checks that a command refuses to audit a job of more than maxWhole units, because it
// would keep all of them in memory.
func TestFarmTooLargeToAudit(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	s, src := crowdSource(t)
	shot, err := NewShot(s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(513, 512)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(t.Context(), src, s, []Shot{shot}, JobOptions{Audit: 0.1, Cell: image.Pt(1, 1)}); err == nil {
		t.Errorf("an audited job of %d units is accepted", 513*512)
	}
}

// TestFarmLongFilm simulates a film of 100,000 frames, or of the number in the flag -frames. Each frame has as many
// units as a frame at 4K. The test logs time and memory.
func TestFarmLongFilm(t *testing.T) {
	if !effort.IsCampaign() {
		t.Skip("needs -effort campaign")
	}
	url := serve(t).ClientURL()
	f, err := Connect(t.Context(), "test", Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	j, _ := longFilm(t, f, *longFrames, JobOptions{})
	answerAtOnce(t, j, connect(t, url))
	began := time.Now()
	var most load
	for i := range *longFrames {
		if _, err := j.Picture(t.Context(), i, pillbox.Options{}); err != nil {
			t.Fatal(err)
		}
		if (i+1)%max(1, *longFrames/20) == 0 {
			now := j.load(t)
			most = most.max(now)
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			t.Logf("%d units, %v: %d MB in command, server and workers, %+v", 68*(i+1), time.Since(began).Round(time.Second), m.HeapAlloc>>20, now)
		}
	}
	if most.units > maxWindow || most.queued > maxWindow || most.results > maxWindow+maxFetched {
		t.Errorf("at most %+v", most)
	}
}
