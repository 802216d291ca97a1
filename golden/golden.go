// Package golden compares images. It counts and locates the pixels that differ, applies a tolerance, measures
// how visible the differences are, draws them, and manages the reference images ("goldens") of tests in
// testdata/golden.
//
// Two conventions hold throughout. Every function that takes two images takes the one under test first: got,
// want. Coordinates count from the top left pixel of either image, whatever its Bounds, and rectangles are
// half-open: a pixel (x, y) lies in r if Min.X <= x < Max.X and Min.Y <= y < Max.Y.
//
// Images are compared exactly, as decoded pixels with straight (not premultiplied) alpha, in all four channels.
// This includes the color of fully transparent pixels, so two images that look the same may differ. An image
// with 8 bits per channel has the pixel values that image/png would write, so it equals its own PNG. If either image
// has more than 8 bits, both are compared at 16 bits, and an 8-bit value v counts as 257v. Differences are
// reported in 8-bit steps, rounded up, so the smallest difference is reported as 1.
//
// No result depends on the number of processors. Only [Assert] reads the environment and writes files;
// [ReadSidecar] reads a file. All functions are safe for concurrent use; they read images from several
// goroutines.
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"slices"

	"pillbox/internal/parallel"
	"pillbox/internal/text"
)

// Tolerance states which differences are accepted. The zero value accepts none.
type Tolerance struct {
	// MaxChannel is the largest accepted difference of a pixel in one channel, 0..255 in 8-bit steps. A pixel with a
	// larger difference counts as changed.
	MaxChannel int

	// MaxPixels is the number of changed pixels that are accepted; at least 0.
	MaxPixels int

	// Masks are rectangles whose pixels are not compared. They may overlap and may extend beyond the image.
	Masks []image.Rectangle
}

func (t Tolerance) validate() error {
	if t.MaxChannel < 0 || t.MaxChannel > 255 {
		return fmt.Errorf("golden: tolerance of a channel must be 0 to 255, got %d", t.MaxChannel)
	}
	if t.MaxPixels < 0 {
		return fmt.Errorf("golden: tolerated pixels must not be negative, got %d", t.MaxPixels)
	}
	return nil
}

func masked(masks []image.Rectangle, p image.Point) bool {
	return slices.ContainsFunc(masks, p.In)
}

// Diff describes how two images differ. Pixels under a mask count as equal. If the sizes differ, nothing
// else was compared, and all fields except Got, Want and Tolerance are zero.
type Diff struct {
	Got, Want image.Point // sizes in pixels
	Tolerance Tolerance   // what the images were compared with

	Differing int         // pixels with any difference
	Changed   int         // pixels with a difference larger than Tolerance.MaxChannel
	First     image.Point // first changed pixel in row-major order; (0, 0) if no pixel changed
	Max       int         // largest difference in a channel, 0..255 in 8-bit steps
	MaxAt     image.Point // first pixel in row-major order with the difference Max; (0, 0) if no pixel differs
	Mean      float64     // mean difference over the channels of all pixels, in 8-bit steps
	Clusters  []Cluster   // connected changed pixels, largest first, then in order of First; at most [MaxClusters]
	More      int         // clusters that are not in Clusters
}

// Cluster is a set of changed pixels that are connected by edges or corners.
type Cluster struct {
	Bounds image.Rectangle // smallest rectangle that contains the pixels
	Pixels int             // number of pixels
	First  image.Point     // first pixel in row-major order
	Max    int             // largest difference in a channel, 1..255 in 8-bit steps
	MaxAt  image.Point     // first pixel in row-major order with the difference Max
}

// Passes reports whether the images are equal within the tolerance they were compared with.
func (d Diff) Passes() bool {
	return d.Got == d.Want && d.Changed <= d.Tolerance.MaxPixels
}

// String returns the difference in one line, for people.
func (d Diff) String() string {
	if d.Got != d.Want {
		return fmt.Sprintf("size %d x %d, want %d x %d", d.Got.X, d.Got.Y, d.Want.X, d.Want.Y)
	}
	if d.Differing == 0 {
		return "no pixel differs"
	}
	largest := fmt.Sprintf("largest channel difference %d at (%d, %d)", d.Max, d.MaxAt.X, d.MaxAt.Y)
	if d.Changed == 0 {
		return fmt.Sprintf("%s within tolerance, %s", text.Count(d.Differing, "pixel"), largest)
	}
	return fmt.Sprintf("%s of %d changed in %s, %s, first at (%d, %d)",
		text.Count(d.Changed, "pixel"), d.Got.X*d.Got.Y, text.Count(len(d.Clusters)+d.More, "cluster"),
		largest, d.First.X, d.First.Y)
}

// Compare reports how the image got differs from the image want. If the sizes differ, the Diff does not pass, and the
// error is nil. Two empty images are equal. Compare returns an error if an image is nil or the tolerance is out of
// range.
//
// Compare reads the pixels of [image.NRGBA], [image.RGBA] and [image.NRGBA64] directly. It reads other images with
// their At method, which is slower but gives the same result.
func Compare(got, want image.Image, tol Tolerance) (Diff, error) {
	if err := errors.Join(tol.validate(), checkImages(got, want)); err != nil {
		return Diff{}, err
	}
	tol.Masks = slices.Clone(tol.Masks)
	d := Diff{Got: got.Bounds().Size(), Want: want.Bounds().Size(), Tolerance: tol}
	if d.Got != d.Want {
		return d, nil
	}
	var all clusterer
	var sum uint64
	compareStrips(got, want, tol, func(s *strip) {
		if d.Changed == 0 {
			d.First = s.first
		}
		if s.max > d.Max {
			d.Max, d.MaxAt = s.max, s.maxAt
		}
		d.Differing += s.differing
		d.Changed += s.changed
		sum += s.sum
		all.addRuns(s.runs)
	})
	if d.Differing > 0 {
		d.Mean = float64(sum) / fine / (channels * float64(d.Got.X) * float64(d.Got.Y))
	}
	d.Clusters, d.More = all.clusters()
	return d, nil
}

func checkImages(got, want image.Image) error {
	if got == nil || want == nil {
		return errors.New("golden: want two images, got nil")
	}
	return nil
}

// stripRows is the number of rows that a goroutine compares at a time. More rows reduce the overhead of
// distributing work; fewer rows divide an image of some hundred rows more evenly.
const stripRows = 16

// A strip holds the differences found in stripRows rows.
type strip struct {
	differing, changed int
	first, maxAt       image.Point
	max                int
	sum                uint64 // of all channel differences, in 16-bit steps
	runs               []run  // of changed pixels, in row-major order
}

// batchPixels is about how many pixels are compared before their strips are summed up. The runs of a strip may take more
// memory than its pixels.
const batchPixels = 1 << 20

// compareStrips compares two images of equal size, and calls the function use with each strip, from the top.
func compareStrips(got, want image.Image, tol Tolerance, use func(s *strip)) {
	size := extent(got).Size()
	all := (size.Y + stripRows - 1) / stripRows
	batch := make([]strip, min(all, 1+batchPixels/stripRows/max(1, size.X)))
	for from := 0; from < size.Y; from += len(batch) * stripRows {
		parallel.For(len(batch), func(i int) {
			s, c := &batch[i], newComparer(got, want, tol.Masks)
			*s = strip{runs: s.runs[:0]}
			for y := from + i*stripRows; y < min(from+(i+1)*stripRows, size.Y); y++ {
				c.row(y, func(x, peak int, sum uint64) { s.addPixel(x, y, peak, sum, tol) })
			}
		})
		for i := range batch {
			use(&batch[i])
		}
	}
}

// addPixel counts the pixel (x, y). peak is its largest difference in a channel, and sum is the sum of its differences
// over all channels.
func (s *strip) addPixel(x, y, peak int, sum uint64, tol Tolerance) {
	s.differing++
	s.sum += sum
	if peak > s.max {
		s.max, s.maxAt = peak, image.Pt(x, y)
	}
	if peak <= tol.MaxChannel {
		return
	}
	if s.changed == 0 {
		s.first = image.Pt(x, y)
	}
	s.changed++
	s.runs = appendPixel(s.runs, x, y, peak)
}

// A comparer finds the pixels that differ between two images of equal size. It must not be used concurrently.
type comparer struct {
	got, want *reader
	masks     []image.Rectangle
}

func newComparer(got, want image.Image, masks []image.Rectangle) *comparer {
	deep := isDeep(got) || isDeep(want)
	return &comparer{newReader(got, deep), newReader(want, deep), masks}
}

// row calls f for each pixel of row y that differs and is not masked, from left to right, with the results of
// [distance].
func (c *comparer) row(y int, f func(x, peak int, sum uint64)) {
	a, b := c.got.row(y), c.want.row(y)
	if bytes.Equal(a, b) {
		return
	}
	size := pixelSize(c.got.deep)
	for x := 0; x*size < len(a); x++ {
		p, q := a[x*size:(x+1)*size], b[x*size:(x+1)*size]
		if !bytes.Equal(p, q) && !masked(c.masks, image.Pt(x, y)) {
			peak, sum := distance(p, q, c.got.deep)
			f(x, peak, sum)
		}
	}
}
