//go:build !js && !plan9

package commands_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
)

// startFarm starts the server of a farm with the given number of workers, and returns the server's URL.
func startFarm(t *testing.T, workers int) string {
	t.Helper()
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if !srv.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	url := srv.ClientURL()
	for range workers {
		f := connectFarm(t, url)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- (&farm.Worker{Farm: f, Slots: 1}).Run(ctx) }()
		t.Cleanup(func() { cancel(); <-ended })
	}
	return url
}

func connectFarm(t *testing.T, url string) *farm.Farm {
	t.Helper()
	f, err := farm.Connect(t.Context(), "test", farm.Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// wantSame runs render with args twice, with and without a farm, and requires equal files. out is the name of the
// output. farm is the value of --farm and may be followed by other flags.
func wantSame(t *testing.T, args, out, farm string) {
	t.Helper()
	first := strings.Replace(out, "%02d", "00", 1)
	programtest.MustRun(t, args+" -o "+out)
	want := programtest.ReadText(t, first)
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	programtest.MustRun(t, args+" -o "+out+" --farm "+farm)
	if programtest.ReadText(t, first) != want {
		t.Errorf("%s: a farm makes another %s", args, out)
	}
}

// TestFarm checks that a farm writes the same file as a single process, for pictures and films of every kind.
func TestFarm(t *testing.T) {
	url := startFarm(t, 2)
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "bouncing.toml": programtest.Bouncing, "soft.toml": programtest.SoftScene(t),
		"clear.toml": strings.Replace(programtest.Small, "height = 30", "height = 30\nbackground = \"transparent\"", 1)})
	for _, test := range []struct{ args, out string }{
		{"small.toml --antialias 2", "out.png"},
		{"small.toml --region 3,4,30,20", "out.tif"},
		{"clear.toml", "out.png"},
		{"bouncing.toml --time 0.5", "out.png"},
		{"soft.toml --width 64", "out.png"},
		{"animate soft.toml --width 48", "f/%02d.png"},
		{"animate bouncing.toml --to 1", "out.gif"},
		{"animate bouncing.toml --to 1", "f/%02d.png"},
		{"animate small.toml --turntable 1 --fps 3", "out.png"},
	} {
		wantSame(t, test.args, test.out, url)
	}
	programtest.MustRun(t, "small.toml -o audited.png --audit 1 --farm "+url)
}

// TestFarmInterrupted checks that, after Ctrl-C, the user's answer decides whether the job is kept or canceled. If
// the scene comes from standard input, the rest of the input must not be taken for an answer.
func TestFarmInterrupted(t *testing.T) {
	url := startFarm(t, 0)
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small})
	f := connectFarm(t, url)
	const view = "[camera]\nposition = [0, 0, 10]\nlook_at = [0, 0, 0]\n"
	for _, test := range []struct {
		scene, in string
		columns   int // of the terminal
		asked     bool
		left      int // number of jobs afterwards
	}{
		{"small.toml", "cancel\n", 80, true, 0},
		{"small.toml", "leave\n", 80, true, 1},
		{"small.toml", "", 80, true, 1},
		{"small.toml", "cancel\n", 0, false, 1},
		{"-", "camera = { position = [1, 2, 9], look_at = [0, 0, 0] }\n" + strings.Replace(programtest.Small, view, "", 1), 80, false, 1},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if s, err := f.Status(ctx); err == nil && len(s.Jobs) > 0 && s.Jobs[len(s.Jobs)-1].Waiting > 0 {
					cancel()
				}
			}
		}()
		got := programtest.Invocation{Ctx: ctx, Stdin: strings.NewReader(test.in), ErrColumns: test.columns}.Run(test.scene, "-o", "out.png", "--farm", url)
		asked := strings.Contains(got.Stderr, "[leave/cancel]")
		goesOn := strings.Contains(got.Stderr, "the job goes on")
		if got.Status != cli.StatusInterrupted || asked != test.asked || goesOn != (test.left > 0) {
			t.Errorf("%s, %q: %v", test.scene, test.in, got)
		}
		s, err := f.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		running := slices.DeleteFunc(s.Jobs, func(j farm.JobStatus) bool { return j.State != "running" })
		if len(running) != test.left {
			t.Fatalf("%s, %q: %+v are left, want %d", test.scene, test.in, running, test.left)
		}
		for _, job := range running {
			if err := f.Cancel(t.Context(), job.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestFarmDetached checks that --detach submits a job and prints its identifier, and that assembling the job's
// results gives the same file as a single process.
func TestFarmDetached(t *testing.T) {
	url := startFarm(t, 1)
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "bouncing.toml": programtest.Bouncing})
	f := connectFarm(t, url)
	for _, test := range []struct{ args, out string }{
		{"small.toml --antialias 2", "out.png"},
		{"animate bouncing.toml --to 1", "out.gif"},
	} {
		programtest.MustRun(t, test.args+" -o "+test.out)
		want := programtest.ReadText(t, test.out)
		id := strings.TrimSpace(programtest.MustRun(t, test.args+" --detach --farm "+url).Stdout)
		j, err := f.Attach(t.Context(), id, farm.JobOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var shard bytes.Buffer
		if err := j.WriteShard(t.Context(), &shard, nil); err != nil {
			t.Fatal(err)
		}
		j.Close()
		if err := os.WriteFile("job.shard", shard.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		programtest.MustRun(t, "assemble "+test.out+" job.shard")
		if programtest.ReadText(t, test.out) != want {
			t.Errorf("%s: a submitted job makes another %s", test.args, test.out)
		}
	}
}

// TestFarmMisuse checks the messages and the exit status for invalid farm flags, and that no file is written.
func TestFarmMisuse(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	for args, want := range map[string]struct {
		status int
		text   string
	}{
		"s.toml --farm local:0":                              {cli.StatusWrong, "local:N"},
		"s.toml --farm nats://127.0.0.1:1 --token-file none": {cli.StatusFile, "none"},
		"s.toml --farm nats://127.0.0.1:1 --creds none":      {cli.StatusFile, "none"},
		"s.toml --audit 0.5":                                 {cli.StatusWrong, "--audit needs --farm"},
		"s.toml --creds f":                                   {cli.StatusWrong, "--creds needs --farm"},
		"s.toml --tls-ca f":                                  {cli.StatusWrong, "--tls-ca needs --farm"},
		"animate s.toml -o x.gif --token-file f":             {cli.StatusWrong, "--token-file needs --farm"},
		"s.toml --farm local:1 --token-file f":               {cli.StatusWrong, "without --creds, --tls-ca, --token-file, --detach and --priority"},
		"s.toml --farm local:1 --detach":                     {cli.StatusWrong, "without --creds, --tls-ca, --token-file, --detach and --priority"},
		"s.toml --detach":                                    {cli.StatusWrong, "--detach needs --farm"},
		"s.toml --farm local:1 --priority 11":                {cli.StatusWrong, "without --creds, --tls-ca, --token-file, --detach and --priority"},
		"s.toml --priority 11":                               {cli.StatusWrong, "--priority needs --farm"},
		"s.toml --farm x --priority 101":                     {cli.StatusWrong, "must be 1 to 100"},
		"s.toml --detach --farm x -o o.png":                  {cli.StatusWrong, "want --detach or -o, not both"},
		"s.toml --detach --farm x --workers 2":               {cli.StatusWrong, "want --detach or --workers, not both"},
		"s.toml --farm local:1 --shard 0/2":                  {cli.StatusWrong, "want --shard or --farm, not both"},
		"animate s.toml -o x.shard --farm x --shard 0/2":     {cli.StatusWrong, "want --shard or --farm, not both"},
		"s.toml --farm local:1 --verify":                     {cli.StatusWrong, "want --verify or --farm, not both"},
		"s.toml --audit 2":                                   {cli.StatusWrong, "must be 0 to 1"},
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != want.status || !strings.Contains(got.Stderr, want.text) {
			t.Errorf("render %s: %v, want %d and %q", args, got, want.status, want.text)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	got := programtest.Invocation{Ctx: ctx}.Run("s.toml", "--farm", "nats://127.0.0.1:1")
	if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "the farm at nats://127.0.0.1:1 cannot be reached: no server answers; trying again until the server answers\n") {
		t.Errorf("a server that does not answer: %v", got)
	}
	programtest.WantFiles(t, "s.toml")
}

// TestFarmWarnsOfWorkers checks the warning that --workers has no effect on frames that a farm renders. The farm of
// this test does not start, but the warning comes before that.
func TestFarmWarnsOfWorkers(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	const warning = "--workers has no effect"
	for args, want := range map[string]bool{"-o f%02d.png --workers 2": true, "-o f.png --workers 2": true, "-o f.gif --workers 2": false, "-o f%02d.png": false} {
		got := programtest.Invocation{}.Run(strings.Fields("animate s.toml --turntable 1 --farm local:0 " + args)...)
		if got.Status != cli.StatusWrong || strings.Contains(got.Stderr, warning) != want {
			t.Errorf("%s: %+v, want the warning: %t", args, got, want)
		}
	}
}

// TestFarmLocal checks that --farm local:N renders with processes on this machine and leaves no files behind.
func TestFarmLocal(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it builds a program")
	}
	dir := t.TempDir()
	fixture.Program(t, "renderfarm", dir)
	t.Setenv("PATH", dir)
	t.Setenv("TMPDIR", t.TempDir())
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "bouncing.toml": programtest.Bouncing})
	wantSame(t, "small.toml", "out.png", "local:2")
	wantSame(t, "animate bouncing.toml --to 1", "out.gif", "local:2 --audit 0.5")
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
