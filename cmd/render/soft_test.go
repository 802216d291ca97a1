package main

import (
	"fmt"
	"image"
	"image/draw"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/fixture/effort"
)

// TestSoftLightIsTheSame renders a picture in soft light in many ways: with any number of workers, with and without
// vector kernels, from regions, from shards, and as a frame of a film. All must have the same pixels.
func TestSoftLightIsTheSame(t *testing.T) {
	removed := map[string]string{"adaptive": "", "full": `antialias_mode = "adaptive"`, "one ray": "antialias = 3\n"}
	for _, name := range effort.Some(t, 1, slices.Sorted(maps.Keys(removed))) {
		antialias := removed[name]
		t.Run(name, func(t *testing.T) {
			programtest.InFolder(t, map[string]string{"s.toml": strings.Replace(programtest.SoftScene(t), antialias, "", 1)})
			const args = " --width 96 --time 0.5"
			hash := func(args string) string { return strings.Fields(programtest.MustRun(t, "hash "+args).Stdout)[0] }
			programtest.MustRun(t, "s.toml -o one.png --workers 1"+args)
			programtest.MustRun(t, "s.toml -o seven.png --workers 7"+args)
			cmd := programtest.Process(t, strings.Fields("s.toml -o slow.png"+args)...)
			cmd.Env = append(cmd.Env, "GODEBUG=cpu.avx2=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("without kernels: %v\n%s", err, out)
			}
			want := hash("one.png")

			whole := image.NewNRGBA(image.Rect(0, 0, 96, 72))
			for _, r := range []image.Rectangle{image.Rect(0, 0, 31, 40), image.Rect(31, 0, 96, 40), image.Rect(0, 40, 70, 72), image.Rect(70, 40, 96, 72)} {
				programtest.MustRun(t, fmt.Sprintf("s.toml -o region.png --region %d,%d,%d,%d", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)+args)
				draw.Draw(whole, r, readPNG(t, "region.png"), image.Point{}, draw.Src)
			}
			if got := pillbox.Hash(whole); got != want {
				t.Errorf("from regions %s, want %s", got, want)
			}

			for i := range 3 {
				programtest.MustRun(t, fmt.Sprintf("s.toml --shard %d/3 -o part-%d.shard", i, i)+args)
			}
			programtest.MustRun(t, "assemble shards.png part-0.shard part-1.shard part-2.shard")
			programtest.MustRun(t, "animate s.toml -o f/%02d.png --width 96")
			for _, file := range []string{"seven.png", "slow.png", "shards.png", "f/02.png"} {
				if got := hash(file); got != want {
					t.Errorf("%s is %s, want %s", file, got, want)
				}
			}
			if hash("f/01.png") == want {
				t.Error("the film does not change the light")
			}
		})
	}
}
