package commands_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestShards renders pictures and films of several kinds as three shards each. A shard is a file with a part of
// the work. Assembling the shards must give the same file as rendering in a single process.
func TestShards(t *testing.T) {
	for _, test := range []struct{ what, args, out, first string }{ // first is the number in the name of the first file
		{"small.toml", "--antialias 2", "out.png", ""},
		{"small.toml", "--region 3,4,30,20", "out.tif", ""},
		{"clear.toml", "", "out.png", ""},
		{"animate bouncing.toml", "--to 2", "out.gif", ""},
		{"animate bouncing.toml", "--from 0.5 --to 2", "out.png", ""},
		{"animate small.toml", "--turntable 1 --fps 5", "f/%02d.png", "00"},
		{"animate bouncing.toml", "--from 0.5 --to 1 --fps 10", "f/%02d.png", "05"},
	} {
		programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "clear.toml": strings.Replace(programtest.Small, "height = 30", "height = 30\nbackground = \"transparent\"", 1), "bouncing.toml": programtest.Bouncing})
		const count = 3
		parts := ""
		for i := range count {
			programtest.MustRun(t, fmt.Sprintf("%s %s --shard %d/%d -o part-%d.shard", test.what, test.args, i, count, i))
			parts += fmt.Sprintf(" part-%d.shard", i)
		}
		programtest.MustRun(t, test.what+" "+test.args+" -o "+test.out)
		first := strings.Replace(test.out, "%02d", test.first, 1)
		want := programtest.ReadText(t, first)
		if err := os.Remove(first); err != nil {
			t.Fatal(err)
		}
		programtest.MustRun(t, "assemble "+test.out+parts)
		if programtest.ReadText(t, first) != want {
			t.Errorf("%s %s: shards make another %s", test.what, test.args, test.out)
		}
	}
}

// TestShardsAreChecked checks the messages about invalid shards and flags of shards.
func TestShardsAreChecked(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	programtest.MustRun(t, "s.toml --shard 0/2")
	for args, want := range map[string]string{
		"s.toml --shard 2/2":                                  "--shard: must be I/N, such as 0/8",
		"s.toml --shard 1/2 -o x.png":                         `the output of --shard must end in .shard, got "x.png"`,
		"s.toml --shard 1/2 --verify":                         "want --verify or --shard, not both",
		"animate s.toml --shard 1/2 -o x.gif":                 "must end in .shard",
		"assemble x.png":                                      "want an output and its shards, got 1: x.png",
		"assemble s-0.shard x.png":                            "the output comes first",
		"assemble x.png s-0.shard":                            "missing of 2 shards: 1",
		"assemble x.png s.toml":                               "s.toml: not a shard file, or truncated",
		"assemble x.png none.shard":                           "none.shard",
		"animate s.toml --turntable 0 --shard 1/2 -o x.shard": "--turntable: must be more than 0",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status == cli.StatusDone || !strings.Contains(got.Stderr, want) {
			t.Errorf("render %s: %v, want %q", args, got, want)
		}
	}
	programtest.WantFiles(t, "s-0.shard", "s.toml")
}
