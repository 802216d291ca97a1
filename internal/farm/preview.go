//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"image"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrNoPreview is the error of [Farm.Preview] if it finds no result.
var ErrNoPreview = errors.New("no result to show")

// maxPreviewUnits is the largest number of units of a shot for which a preview requests results.
const maxPreviewUnits = 256

// Preview returns the part of a picture of the job for which the server has results. Of a film, it shows one frame:
// the last one with results among a few of the latest. The preview is at most width pixels wide. Pixels without a
// result are transparent. The error is [ErrNoPreview] if Preview finds no result.
func (f *Farm) Preview(ctx context.Context, job string, width int) (*image.NRGBA, error) {
	id, err := f.Find(ctx, job)
	if err != nil {
		return nil, err
	}
	r, err := f.record(ctx, id)
	if err != nil {
		return nil, err
	}
	p, err := f.plan(ctx, id, r)
	if err != nil {
		return nil, err
	}
	status, err := f.jobStatus(ctx, id, r, nil)
	if err != nil {
		return nil, err
	}
	frames := len(p.Plan.Shots)
	if p.Output.Frames > 0 {
		frames = p.Output.Frames // the other shots are small previews of the frames
	}
	latest, left := 0, status.Done
	for ; latest < frames-1 && left >= p.Plan.countOf(latest); latest++ {
		left -= p.Plan.countOf(latest)
	}
	const most = 8 // frames that workers may be rendering at the same time
	for shot := latest; shot >= max(0, latest-most); shot-- {
		img, err := f.previewOf(ctx, &p.Plan, shot, width)
		if !errors.Is(err, ErrNoPreview) {
			return img, err
		}
	}
	return nil, ErrNoPreview
}

// previewOf returns the part of a shot for which the server has results.
func (f *Farm) previewOf(ctx context.Context, p *Plan, shot, width int) (*image.NRGBA, error) {
	region := p.Shots[shot].Region
	width = min(width, region.Dx())
	img := image.NewNRGBA(image.Rect(0, 0, width, max(1, region.Dy()*width/region.Dx())))
	group, read, found := f.groupOf(p), 0, false
	for r := range cells(region, p.Cell) {
		if read++; read > maxPreviewUnits {
			break
		}
		t := p.task(Unit{shot, r})
		msg, err := f.results.GetLastMsgForSubject(ctx, resultSubject(group, t.key()))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		film, err := decode(msg.Data, r)
		if err != nil {
			continue // the coordinator lets a worker render the unit again
		}
		found = true
		shrink(img, film.Image, r.Sub(region.Min), region.Size())
	}
	if !found {
		return nil, ErrNoPreview
	}
	return img, nil
}

// shrink copies pixels of a unit to the reduced picture dst. The image src has the unit's pixels, and r is the unit's
// rectangle in the full picture of the given size. Each pixel of dst shows one pixel of the full picture. shrink sets
// the pixels of dst whose pixel lies in r.
func shrink(dst, src *image.NRGBA, r image.Rectangle, size image.Point) {
	b := dst.Bounds()
	for y := r.Min.Y * b.Dy() / size.Y; y < b.Dy() && y*size.Y/b.Dy() < r.Max.Y; y++ {
		for x := r.Min.X * b.Dx() / size.X; x < b.Dx() && x*size.X/b.Dx() < r.Max.X; x++ {
			from := image.Pt(x*size.X/b.Dx(), y*size.Y/b.Dy())
			if from.In(r) {
				dst.SetNRGBA(x, y, src.NRGBAAt(from.X-r.Min.X, from.Y-r.Min.Y))
			}
		}
	}
}
