package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	pov "pillbox/internal/convert/povray"
	"pillbox/internal/osfile"
	"pillbox/internal/tools/peers"
	"pillbox/scene"
)

// Penumbras are compared at equal noise: the root mean square difference, in steps of 8-bit sRGB, between a program's
// picture and its own picture with very many samples. So it does not matter that the programs define area lights
// differently.

// noisyPicture is a way to render a scene with soft shadows.
type noisyPicture struct {
	task
	settings    string // the number of samples, or the keywords of POV-Ray's area light
	noise       float64
	isReference bool
	took        []cost // for each round; none for a reference
}

func clockTime(e cost) float64     { return e.clock }
func processorTime(e cost) float64 { return e.processor }

// times returns the times of all rounds. The argument of selects the elapsed time or the processor time.
func (p *noisyPicture) times(of func(cost) float64) (list []float64) {
	for _, e := range p.took {
		list = append(list, of(e))
	}
	return list
}

const (
	// referenceSamples is the number of samples of Pillbox's reference. The area light of POV-Ray's reference has
	// referenceSide points in both directions, and POV-Ray tests all of them.
	referenceSamples, referenceSide = 4096, 65

	noisySolids = 1000
)

var noiseSize = image.Pt(240, 135)

// noisySamples are the numbers of samples that are compared.
var noisySamples = []int{4, 16, 64, 256}

// areaLight is the text of an area light in the export for POV-Ray.
var areaLight = regexp.MustCompile(`\d+, \d+ circular orient jitter adaptive \d+ area_illumination on`)

// noise renders scenes at several levels of noise, and prints how long POV-Ray takes at the noise of Pillbox.
func (b *bench) noise(ctx context.Context, out io.Writer) error {
	if b.povray == "" {
		return fmt.Errorf("-noise needs povray")
	}
	t := table{head: []string{"scene", "samples", "RMS error of 255", "Pillbox, s", "POV-Ray, s", "POV-Ray / Pillbox", "processor time"}}
	steps := table{head: []string{"scene", "area light of POV-Ray", "RMS error of 255", "seconds", "processor seconds"}}
	for _, make := range []func() (name, text string, err error){stillLife, noisyCube} {
		name, text, err := make()
		if err != nil {
			return err
		}
		mine, theirs, err := b.noisyPictures(text)
		if err != nil {
			return err
		}
		if err := b.measureNoise(ctx, name, mine, theirs); err != nil {
			return err
		}
		for _, p := range mine[:len(mine)-1] {
			clock, work := b.atNoise(theirs, p.noise, clockTime), b.atNoise(theirs, p.noise, processorTime)
			t.addRow(name, p.settings, fmt.Sprintf("%.2f", p.noise), middle(p.times(clockTime), 2), clock.text(middle(clock.times, 2)),
				clock.text(spread(ratios(clock.times, p.times(clockTime)), 1)), work.text(spread(ratios(work.times, p.times(processorTime)), 1)))
		}
		for _, p := range theirs {
			if len(p.took) > 0 {
				steps.addRow(name, p.settings, fmt.Sprintf("%.2f", p.noise), middle(p.times(clockTime), 2), middle(p.times(processorTime), 2))
			}
		}
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, %d threads, %d x %d pixels, rounds: %d\n\n", processor(), b.threads, noiseSize.X, noiseSize.Y, b.rounds)
	t.print(w)
	fmt.Fprint(w, "\nPOV-Ray's times are interpolated between its settings. With > its most accurate setting has more noise: the ratio is larger.\n\n")
	steps.print(w)
	return w.Flush()
}

// stillLife returns the shipped still life, without ambient occlusion, which POV-Ray does not have.
func stillLife() (name, text string, err error) {
	data, err := os.ReadFile("scenes/still-life.toml")
	if err != nil {
		return "", "", err
	}
	line := regexp.MustCompile(`(?m)^occlusion = .*\n`)
	return "still life", string(line.ReplaceAll(data, nil)), nil
}

// noisyCube returns a scene of random solids with soft shadows.
func noisyCube() (name, text string, err error) {
	s := peers.Random(seed, noisySolids)
	softKinds()[0].change(s)
	var b bytes.Buffer
	err = s.WriteTOML(&b)
	return count(noisySolids) + " solids", b.String(), err
}

// noisyPictures returns the ways to render a scene with Pillbox (mine) and with POV-Ray (theirs). The last element of
// the list mine is the reference for the noise of the others. The list theirs has two halves, without and with the
// keyword area_illumination. The last element of each half is the reference of that half.
func (b *bench) noisyPictures(text string) (mine, theirs []noisyPicture, err error) {
	add := func(list *[]noisyPicture, program, settings, file, text string, args func(scene, picture string) []string) {
		p := noisyPicture{settings: settings, task: task{program: program, picture: filepath.Join(b.work, file+".png"), decode: decodePNG}}
		name := filepath.Join(b.work, file)
		if e := new(osfile.Outputs).Write(name, func(w io.Writer) error { _, e := io.WriteString(w, text); return e }); e != nil {
			err = e
		}
		p.args = args(name, p.picture)
		*list = append(*list, p)
	}
	size := []string{"--width", fmt.Sprint(noiseSize.X), "--height", fmt.Sprint(noiseSize.Y), "--antialias", "1"}
	for _, n := range append(slices.Clone(noisySamples), referenceSamples) {
		changed := strings.Replace(text, "\nsamples = 16\n", fmt.Sprintf("\nsamples = %d\n", n), 1)
		add(&mine, b.render, fmt.Sprint(n), fmt.Sprintf("noise-%d.toml", n), changed,
			func(scene, picture string) []string { return append(b.renderArgs(scene, picture), size...) })
	}
	s, err := scene.Decode("noise.toml", []byte(text))
	if err != nil {
		return nil, nil, err
	}
	s.Image.Width, s.Image.Height, s.Image.Antialias = noiseSize.X, noiseSize.Y, 1
	var exported bytes.Buffer
	if err := pov.Write(&exported, s); err != nil {
		return nil, nil, err
	}
	povArgs := func(scene, picture string) []string {
		return []string{"+I" + scene, "+O" + picture, fmt.Sprint("+W", noiseSize.X), fmt.Sprint("+H", noiseSize.Y), "-D", "-A", fmt.Sprint("+WT", b.threads)}
	}
	for k, illumination := range []string{"", " area_illumination on"} {
		for i, grid := range povGrids() {
			light := grid + illumination
			changed := areaLight.ReplaceAllString(exported.String(), light)
			add(&theirs, b.povray, light, fmt.Sprintf("noise-%d-%d.pov", k, i), changed, povArgs)
		}
	}
	return mine, theirs, err
}

// povGrids returns the settings of POV-Ray's area light. The last one is the reference, which tests all points.
func povGrids() (list []string) {
	for _, side := range []int{3, 5, 9, 17, 33} {
		for adaptive := 0; 1<<adaptive < side && adaptive <= 3; adaptive++ {
			list = append(list, fmt.Sprintf("%d, %[1]d circular orient jitter adaptive %d", side, adaptive))
		}
	}
	return append(list, fmt.Sprintf("%d, %[1]d circular orient jitter", referenceSide))
}

// measureNoise renders the references and all pictures, and records noise and times.
func (b *bench) measureNoise(ctx context.Context, name string, mine, theirs []noisyPicture) error {
	n := len(theirs) / 2
	for _, list := range [][]noisyPicture{mine, theirs[:n], theirs[n:]} {
		last := len(list) - 1
		list[last].isReference = true
		say("%s: the reference of %s", name, filepath.Base(list[last].program))
		want, err := b.look(ctx, &list[last].task)
		if err != nil {
			return err
		}
		for i := range list[:last] {
			got, err := b.look(ctx, &list[i].task)
			if err != nil {
				return err
			}
			list[i].noise = rms(got, want)
			say("%s: %s: error %.3f", name, list[i].settings, list[i].noise)
		}
	}
	for round := range b.rounds {
		say("round %d of %d: %s", round+1, b.rounds, name)
		for _, list := range [][]noisyPicture{mine, theirs} {
			for i := range list {
				if list[i].isReference {
					continue
				}
				took, err := b.run(ctx, &list[i].task)
				if err != nil {
					return err
				}
				list[i].took = append(list[i].took, took)
			}
		}
	}
	return nil
}

// rms returns the root mean square difference of pictures of the same size, over all channels.
func rms(a, b *picture) float64 {
	sum := 0.0
	for i, c := range a.pixels {
		for k := range c {
			d := float64(c[k]) - float64(b.pixels[i][k])
			sum += d * d
		}
	}
	return math.Sqrt(sum / float64(3*len(a.pixels)))
}

// noisyTimes are the times that a program takes for pictures with a level of noise, one for each round.
type noisyTimes struct {
	times   []float64
	isLeast bool // the times are lower bounds: all measured pictures have more noise than this level, so the program would need more time
}

// text returns a number that was computed from the times. If the number is only a lower bound, "> " precedes it.
func (n noisyTimes) text(number string) string {
	if n.isLeast {
		return "> " + number
	}
	return number
}

// atNoise returns the times in which the settings reach a level of noise.
func (b *bench) atNoise(list []noisyPicture, noise float64, of func(cost) float64) (n noisyTimes) {
	for round := range b.rounds {
		var all []noisePoint
		for i := range list {
			if !list[i].isReference {
				all = append(all, noisePoint{list[i].noise, of(list[i].took[round])})
			}
		}
		took, isLeast := timeAtNoise(all, noise)
		n.times = append(n.times, took)
		n.isLeast = n.isLeast || isLeast
	}
	return n
}

// noisePoint is the noise and the time of a picture.
type noisePoint struct{ noise, time float64 }

// timeAtNoise returns the time for a level of noise. It interpolates, on logarithmic scales, between the points that
// no other point beats in both noise and time. If all points have more noise than the level, it returns the time of
// the point with the least noise, and isLeast is true. If all have less, it returns the smallest time.
func timeAtNoise(points []noisePoint, noise float64) (time float64, isLeast bool) {
	points = slices.SortedFunc(slices.Values(points), func(a, b noisePoint) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.noise, b.noise))
	})
	last := points[0]
	for _, p := range points {
		switch {
		case last.noise <= noise:
			return last.time, false
		case p.noise <= noise:
			share := math.Log(last.noise/noise) / math.Log(last.noise/p.noise)
			return last.time * math.Pow(p.time/last.time, share), false
		case p.noise < last.noise:
			last = p
		}
	}
	return last.time, true
}
