package tracer_test

import (
	"context"
	"image"
	"slices"
	"sync"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/shipped"
)

// rowsTold renders a picture. It returns the film, and a copy of each row made when the row was reported as final.
func rowsTold(t *testing.T, ctx context.Context, opt options) (*pillbox.Film, []uint8) {
	t.Helper()
	var mu sync.Mutex // lets the race detector check that calls do not overlap
	var told []uint8
	last := 0
	opt.Rows = func(film *pillbox.Film, n int) {
		if !mu.TryLock() {
			t.Error("two calls at once")
			return
		}
		defer mu.Unlock()
		if height := film.Image.Rect.Dy(); n <= last || n > height {
			t.Errorf("%d rows of %d are final after %d", n, height, last)
			return
		}
		told = append(told, film.Image.Pix[last*film.Image.Stride:n*film.Image.Stride]...)
		last = n
	}
	film, err := renderUntil(ctx, shipped.Load(t, "demo"), opt)
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return film, told
}

func TestRowsAreFinal(t *testing.T) {
	size := image.Pt(160, 90)
	for _, opt := range []options{
		{},
		{Work: pillbox.Work{Workers: 1}},
		{Work: pillbox.Work{Workers: 7}, tileSize: 9},
		{Work: pillbox.Work{Workers: 3}, tileSize: 1000},
		{Work: pillbox.Work{Workers: 2}, tileSize: 7, Picture: pillbox.Picture{Region: image.Rect(31, 5, 133, 66)}},
	} {
		opt.Size = size
		film, told := rowsTold(t, context.Background(), opt)
		if !slices.Equal(told, film.Image.Pix) {
			t.Errorf("%+v: the rows told are not those of the film, or not all", opt)
		}
		if want := render(t, shipped.Load(t, "demo"), opt).Image; !slices.Equal(film.Image.Pix, want.Pix) {
			t.Errorf("%+v: telling changes pixels", opt)
		}
	}
}

// TestRowsOfCancelledRender checks that the rows reported before a render is canceled are final. It uses a single
// worker. With two, one could render half of the tiles while the other is still in the first row of tiles, so that
// no row would be final.
func TestRowsOfCancelledRender(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := options{Picture: pillbox.Picture{Size: image.Pt(160, 90)}, Work: pillbox.Work{Workers: 1}, tileSize: 10}
	opt.Progress = func(done, all int) {
		if done >= all/2 {
			cancel()
		}
	}
	film, told := rowsTold(t, ctx, opt)
	if n := len(told); n == 0 || n == len(film.Image.Pix) || !slices.Equal(told, film.Image.Pix[:n]) {
		t.Errorf("%d of %d bytes are reported as final, or they are not final", n, len(film.Image.Pix))
	}
}
