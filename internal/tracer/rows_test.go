package tracer_test

import (
	"context"
	"image"
	"slices"
	"sync"
	"testing"

	"pillbox"
)

// rowsTold renders and returns a copy of each row as it was when it was told to be final.
func rowsTold(t *testing.T, ctx context.Context, opt pillbox.Options) (*pillbox.Film, []uint8) {
	t.Helper()
	var mu sync.Mutex // so that the race detector sees what Render promises
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
	film, err := pillbox.Render(ctx, load(t, "demo"), opt)
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return film, told
}

func TestRowsAreFinal(t *testing.T) {
	size := image.Pt(160, 90)
	for _, opt := range []pillbox.Options{
		{Size: size},
		{Size: size, Workers: 1},
		{Size: size, Workers: 7, TileSize: 9},
		{Size: size, Workers: 3, TileSize: 1000},
		{Size: size, Workers: 2, TileSize: 7, Region: image.Rect(31, 5, 133, 66)},
	} {
		film, told := rowsTold(t, context.Background(), opt)
		if !slices.Equal(told, film.Image.Pix) {
			t.Errorf("%+v: the rows told are not those of the film, or not all", opt)
		}
		if want := render(t, load(t, "demo"), opt).Image; !slices.Equal(film.Image.Pix, want.Pix) {
			t.Errorf("%+v: telling changes pixels", opt)
		}
	}
}

func TestRowsOfCancelledRender(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := pillbox.Options{Size: image.Pt(160, 90), Workers: 2, TileSize: 10}
	opt.Progress = func(done, all int) {
		if done >= all/2 {
			cancel()
		}
	}
	film, told := rowsTold(t, ctx, opt)
	if n := len(told); n == 0 || n == len(film.Image.Pix) || !slices.Equal(told, film.Image.Pix[:n]) {
		t.Errorf("%d of %d bytes are told to be final, or they are not", n, len(film.Image.Pix))
	}
}
