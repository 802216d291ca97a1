package picture

import (
	"context"
	"fmt"
	"image"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// runVerify renders twice, with the acceleration structure and by testing every solid, and compares the pictures.
func (r *rendering) runVerify(ctx context.Context) error {
	sc, err := r.Load(ctx, r.scene, r.loading())
	if err != nil {
		return err
	}
	if err := r.prepare(ctx, sc); err != nil {
		return err
	}
	return r.compareWithBrute(ctx, sc)
}

// compareWithBrute returns an error for the first pixel whose color depends on the search method.
func (r *rendering) compareWithBrute(ctx context.Context, sc *scene.Scene) error {
	fast, _, err := r.draw(ctx, sc, r.opt, "fast")
	if err != nil {
		return err
	}
	oracle := new(pillbox.Prepared)
	follow.Hold(oracle, follow.Of(r.prepared).Brute())
	brute, _, err := r.DrawBy(ctx, command.RenderPrepared(oracle), sc, r.opt, "brute force")
	if err != nil {
		return err
	}
	at, found := firstDifference(fast.Image, brute.Image)
	if !found {
		r.Out.Printf("%s: %d x %d pixels, equal to brute force\n", sc.Name, fast.Region.Dx(), fast.Region.Dy())
		return nil
	}
	pixel := at.Add(fast.Region.Min)
	r.Out.Printf("%s: pixel (%d, %d): %s, by brute force %s; %s\n", sc.Name, pixel.X, pixel.Y,
		hex(fast.Image, at), hex(brute.Image, at), describeDisagreement(follow.Of(r.prepared), follow.Of(oracle), pixel))
	return &cli.Failure{Status: cli.StatusDifferent}
}

// firstDifference returns the first pixel in row-major order that differs between two images of equal size.
func firstDifference(a, b *image.NRGBA) (image.Point, bool) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if a.NRGBAAt(x, y) != b.NRGBAAt(x, y) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}

func hex(img *image.NRGBA, at image.Point) string {
	c := img.NRGBAAt(at.X, at.Y)
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

// describeDisagreement explains a pixel whose color depends on the search method. It describes the first
// ray through the pixel for which the two searches find different hits. If there is no such ray, it
// describes the hit of the first ray.
func describeDisagreement(fast, brute *follow.Prepared, pixel image.Point) string {
	packet := fast.PixelRays(pixel, fast.Antialias)
	got, want := make([]accel.Hit, packet.Len()), make([]accel.Hit, packet.Len())
	fast.World.Nearest(&packet, got)
	brute.World.Nearest(&packet, want)
	for i := range got {
		if got[i] != want[i] {
			return fmt.Sprintf("hit %s, by brute force %s", hitText(fast.Scene, got[i]), hitText(fast.Scene, want[i]))
		}
	}
	return fmt.Sprintf("both hit %s, so a shadow or a reflection differs", hitText(fast.Scene, want[0]))
}

func hitText(sc *scene.Scene, hit accel.Hit) string {
	if hit.Object == accel.None {
		return "nothing"
	}
	return fmt.Sprintf("%s at distance %v, normal %v", sc.Label(int(hit.Object)), hit.T, hit.Normal)
}
