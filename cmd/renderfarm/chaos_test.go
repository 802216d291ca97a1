//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"pillbox/internal/farm"
)

var (
	chaosFaults   = flag.Int("chaos", 0, "cause this many faults in the jobs of a farm, see scripts/farm-test")
	chaosJobs     = flag.Int("chaos-jobs", 30, "the least number of these jobs")
	chaosSeed     = flag.Uint64("seed", 1, "chooses the faults of -chaos")
	chaosPrograms = flag.String("programs", "", "for -chaos: folder of the programs render and renderfarm, and of a renderfarm that lies and one that fails")
	chaosStore    = flag.String("store", "", "for -chaos: folder of the server's store")
	chaosSmall    = flag.Bool("small-disk", false, "for -chaos: this folder is a small disk that may be filled")
	chaosScene    = flag.String("scene", "", "for -chaos: the scene")
)

const (
	// chaosSilence is the longest time without a sign of life: the command prints nothing, and neither the state of a
	// job nor its number of finished units nor the number of results changes. It also limits how long a worker takes to
	// end after SIGTERM.
	chaosSilence = 30 * time.Second

	// chaosEnd limits how long a job takes after its start or after the last fault, whichever is later.
	chaosEnd = 3 * time.Minute
)

// chaos holds a farm of local processes, and the state of the test that causes faults in this farm. Its methods,
// except watch, must not be called concurrently.
type chaos struct {
	*testing.T
	random   *rand.Rand
	dir      string
	proxy    *proxy // all programs connect to the server through it
	port     int    // of the server
	server   *process
	workers  []*process // the honest workers
	intruder *process   // a worker that lies or fails, or nil

	coordinator *process

	name    string   // of the job
	audited bool     // the job
	submit  []string // arguments of renderfarm; nil: the job is not submitted
	command []string // program and arguments that write the job's output
	id      string   // of a submitted job
	running *process // the command
	expect  string   // why the command may end without its output; "" if it may not

	bag    []fault        // the next faults: a shuffled list of all faults, so that all are about equally frequent
	counts map[string]int // of faults
	faults int
	broken []string // problems found
}

// process is a running program.
type process struct {
	cmd   *exec.Cmd
	done  chan struct{} // closed when it has ended
	err   error         // the result of Wait; valid when done is closed
	lines journal
}

// journal is an [io.Writer] that keeps the last 4 KiB of a process's standard error and the time of the last write.
// It is safe for concurrent use.
type journal struct {
	mu   sync.Mutex
	text []byte
	last time.Time
}

func (j *journal) Write(data []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	const most = 1 << 12
	j.text, j.last = append(j.text, data...), time.Now()
	j.text = j.text[max(0, len(j.text)-most):]
	return len(data), nil
}

func (j *journal) get() (text string, last time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return string(j.text), j.last
}

// start starts a program from the folder of the flag -programs. name is the name of the program's file.
func (c *chaos) start(name string, args ...string) *process {
	c.Helper()
	p := &process{cmd: exec.Command(filepath.Join(*chaosPrograms, name), args...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stderr = c.dir, &p.lines
	if err := p.cmd.Start(); err != nil {
		c.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p
}

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// kill kills the process and waits until it has ended. A nil process is ignored.
func (p *process) kill() {
	if p == nil {
		return
	}
	p.signal(syscall.SIGKILL)
	<-p.done
}

// run runs a program from the folder of the flag -programs, and returns its standard output. name is the name of
// the program's file.
func (c *chaos) run(name string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(*chaosPrograms, name), args...)
	cmd.Dir = c.dir
	var out, message bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &message
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, message.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}

// fail records a problem of the current job and fails the test.
func (c *chaos) fail(format string, args ...any) {
	text := c.name + ": " + fmt.Sprintf(format, args...)
	c.broken = append(c.broken, text)
	c.Error(text)
}

// between returns a random duration from least up to most.
func (c *chaos) between(least, most time.Duration) time.Duration {
	return least + time.Duration(c.random.Int64N(int64(most-least)))
}

func (c *chaos) startServer() {
	c.server = c.start("renderfarm", "serve", "--listen", fmt.Sprintf("127.0.0.1:%d", c.port), "--store", filepath.Join(*chaosStore, "store"),
		"--http", "127.0.0.1:0", "--lease", "2s")
	for range 600 {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", c.port))
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-c.server.done:
			text, _ := c.server.lines.get()
			c.Fatalf("the server ends: %s", text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	c.Fatal("the server does not start")
}

func (c *chaos) startWorker(program string) *process {
	return c.start(program, "work", c.proxy.url(), "--slots", "1")
}

// proxy forwards connections to the address target. The method cut closes them.
type proxy struct {
	net.Listener
	target string
	mu     sync.Mutex
	open   map[net.Conn]bool
}

func (p *proxy) url() string { return "nats://" + p.Addr().String() }

func (p *proxy) serve() {
	for {
		in, err := p.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.target)
		if err != nil {
			in.Close()
			continue
		}
		p.mu.Lock()
		p.open[in], p.open[out] = true, true
		p.mu.Unlock()
		forward := func(to, from net.Conn) {
			_, _ = io.Copy(to, from)
			to.Close()
			from.Close()
			p.mu.Lock()
			delete(p.open, to)
			p.mu.Unlock()
		}
		go forward(in, out)
		go forward(out, in)
	}
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		conn.Close()
	}
}

// fault is a way to break the farm. The function do causes the fault, and restarts what cannot recover without
// help. It returns false if this fault cannot be caused at the moment.
type fault struct {
	name string
	do   func(c *chaos) bool
}

var allFaults = []fault{
	{"kill -9 of a worker", func(c *chaos) bool {
		i := c.random.IntN(len(c.workers))
		c.workers[i].kill()
		time.Sleep(c.between(0, 2*time.Second))
		c.workers[i] = c.startWorker("renderfarm")
		return true
	}},
	{"SIGTERM of a worker", func(c *chaos) bool {
		i := c.random.IntN(len(c.workers))
		c.workers[i].signal(syscall.SIGTERM)
		select {
		case <-c.workers[i].done:
		case <-time.After(chaosSilence):
			c.fail("a worker does not end")
			c.workers[i].kill()
		}
		c.workers[i] = c.startWorker("renderfarm")
		return true
	}},
	{"a worker stopped, then continued", func(c *chaos) bool {
		w := c.workers[c.random.IntN(len(c.workers))]
		w.signal(syscall.SIGSTOP)
		time.Sleep(c.between(time.Second, 6*time.Second))
		w.signal(syscall.SIGCONT)
		return true
	}},
	{"kill -9 of the server, then a restart", func(c *chaos) bool {
		c.server.kill()
		time.Sleep(c.between(0, 3*time.Second))
		c.startServer()
		return true
	}},
	{"kill -9 of the server, then a restart on an empty store", func(c *chaos) bool {
		c.server.kill()
		if err := os.RemoveAll(filepath.Join(*chaosStore, "store")); err != nil {
			c.Fatal(err)
		}
		c.startServer()
		return c.lost()
	}},
	{"a stream deleted", func(c *chaos) bool {
		nc, err := nats.Connect(fmt.Sprintf("nats://127.0.0.1:%d", c.port))
		if err != nil {
			c.Fatal(err)
		}
		defer nc.Close()
		all := []string{"KV_PILLBOX_JOBS", "OBJ_PILLBOX_FILES", "PILLBOX_TASKS", "PILLBOX_RESULTS", "PILLBOX_NEWS"}
		js, err := nc.JetStream()
		if err != nil {
			c.Fatal(err)
		}
		if err := js.DeleteStream(all[c.random.IntN(len(all))]); err != nil {
			return false // the stream does not exist: the server has restarted with an empty store
		}
		return c.lost()
	}},
	{"a full disk, then space", func(c *chaos) bool {
		if !*chaosSmall {
			return false
		}
		ballast := filepath.Join(*chaosStore, "ballast")
		f, err := os.Create(ballast)
		if err != nil {
			c.Fatal(err)
		}
		for block := make([]byte, 1<<16); err == nil; {
			_, err = f.Write(block)
		}
		f.Close()
		time.Sleep(c.between(time.Second, 5*time.Second))
		os.Remove(ballast)
		return c.lost()
	}},
	{"a lying worker", func(c *chaos) bool { return c.audited && c.intrude("liar") }},
	{"a failing worker", func(c *chaos) bool { return c.intrude("broken") }},
	{"kill -9 of a coordinator, then another", func(c *chaos) bool {
		c.coordinator.kill()
		time.Sleep(c.between(0, 2*time.Second))
		c.coordinator = c.start("renderfarm", "coordinate", c.proxy.url())
		return true
	}},
	{"all connections closed", func(c *chaos) bool {
		c.proxy.cut()
		return true
	}},
	{"kill -9 of the command, then the same again", func(c *chaos) bool {
		c.running.kill()
		c.startCommand()
		return true
	}},
	{"a job paused, then resumed", func(c *chaos) bool {
		if _, err := c.run("renderfarm", "pause", c.proxy.url(), c.name); err != nil {
			return false // the server does not have the job
		}
		time.Sleep(c.between(0, 4*time.Second))
		if _, err := c.run("renderfarm", "resume", c.proxy.url(), c.name); err != nil && c.running.isRunning() {
			c.fail("a paused job cannot be resumed: %v", err)
		}
		return true
	}},
	{"a job canceled, then submitted again", func(c *chaos) bool {
		if !c.running.isRunning() || c.expect != "" {
			return false
		}
		c.expect = "canceled"
		if _, err := c.run("renderfarm", "cancel", c.proxy.url(), c.name); err != nil {
			c.expect = ""
			return false
		}
		return true
	}},
}

// draw removes the next fault from the shuffled list c.bag, and returns it. If the list is empty, draw first fills
// it with all faults in a new order.
func (c *chaos) draw() fault {
	if len(c.bag) == 0 {
		c.bag = slices.Clone(allFaults)
		c.random.Shuffle(len(c.bag), func(i, j int) { c.bag[i], c.bag[j] = c.bag[j], c.bag[i] })
	}
	f := c.bag[0]
	c.bag = c.bag[1:]
	return f
}

// lost records that the server may have lost the job, and returns true. The command that waits for a submitted job
// may then end without output. A command that renders the job itself must not, because it submits the job again.
func (c *chaos) lost() bool {
	if c.submit != nil {
		c.expect = "lost"
	}
	return true
}

// intrude starts program as a bad worker. It returns false if a bad worker is already running.
func (c *chaos) intrude(program string) bool {
	if c.intruder != nil && c.intruder.isRunning() {
		return false
	}
	c.intruder = c.startWorker(program)
	return true
}

func (p *process) isRunning() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// checkWorkers records a problem for each honest worker that has ended, and starts another worker in its place.
func (c *chaos) checkWorkers() {
	for i, w := range c.workers {
		if !w.isRunning() {
			text, _ := w.lines.get()
			c.fail("an honest worker ends:\n%s", text)
			c.workers[i] = c.startWorker("renderfarm")
		}
	}
}

// startCommand starts the command that writes the job's output. If the job must be submitted first and has no
// identifier yet, startCommand submits it.
func (c *chaos) startCommand() {
	if c.submit != nil && c.id == "" {
		var err error
		for range 3 {
			if c.id, err = c.run("renderfarm", c.submit...); err == nil {
				break
			}
		}
		if err != nil {
			c.Fatal(err)
		}
	}
	args := c.command[1:]
	if c.submit != nil {
		args = append(slices.Clone(args), c.id)
	}
	c.running = c.start(c.command[0], args...)
}

// prepare chooses what job n renders, and renders it in one process. It returns the name of the output file and the
// contents that the farm must produce.
func (c *chaos) prepare(n int) (output string, want []byte) {
	c.name = fmt.Sprintf("job-%d.toml", n)
	scene, err := os.ReadFile(*chaosScene)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, c.name), append(scene, fmt.Sprintf("\n# %d\n", n)...), 0o666)
	}
	if err != nil {
		c.Fatal(err)
	}
	width := fmt.Sprint(400 + n)
	render := []string{c.name, "--width", width, "--antialias", "8"}
	output = fmt.Sprintf("job-%d.png", n)
	film := n%3 == 1
	if film {
		render = []string{"animate", c.name, "--turntable", "1", "--fps", "8", "--width", fmt.Sprint(150 + n), "--antialias", "8"}
		output = fmt.Sprintf("job-%d.gif", n)
	}
	c.audited, c.submit, c.id, c.expect = n%2 == 0, nil, "", ""
	if _, err := c.run("render", append(slices.Clone(render), "-o", output)...); err != nil {
		c.Fatal(err)
	}
	if want, err = os.ReadFile(filepath.Join(c.dir, output)); err != nil {
		c.Fatal(err)
	}
	os.Remove(filepath.Join(c.dir, output))
	if n%5 == 3 || n%5 == 1 {
		c.submit = append([]string{"submit", c.proxy.url()}, render...)
		if c.audited {
			c.submit = append(c.submit, "--audit", "1")
		}
		c.command = []string{"renderfarm", "fetch", c.proxy.url(), "-o", output}
		return output, want
	}
	c.command = append(append([]string{"render"}, render...), "-o", output, "--farm", c.proxy.url())
	if c.audited {
		c.command = append(c.command, "--audit", "1")
	}
	return output, want
}

// watch calls report if there is no sign of life for chaosSilence. It returns when ctx ends.
func (c *chaos) watch(ctx context.Context, running func() *process, report func(quiet time.Duration, status string)) {
	f, last, before := (*farm.Farm)(nil), time.Now(), ""
	defer func() {
		if f != nil {
			f.Close()
		}
	}()
	for told := false; ctx.Err() == nil; time.Sleep(500 * time.Millisecond) {
		short, cancel := context.WithTimeout(ctx, time.Second)
		if f == nil {
			f, _ = farm.Connect(short, "watch", farm.Access{URL: fmt.Sprintf("nats://127.0.0.1:%d", c.port), Lease: 2 * time.Second})
		}
		now := ""
		if f != nil {
			if s, err := f.Status(short); err == nil {
				for _, j := range s.Jobs {
					now += fmt.Sprint(j.State, j.Done, " ")
				}
				now += fmt.Sprint(s.Results)
			}
		}
		cancel()
		if now != "" && now != before {
			last, before = time.Now(), now
		}
		if _, said := running().lines.get(); said.After(last) {
			last = said
		}
		if quiet := time.Since(last); quiet < chaosSilence {
			told = false
		} else if !told {
			told = true
			report(quiet, now)
		}
	}
}

// job renders job number n and checks the output. In the meantime, it causes up to the given number of faults.
func (c *chaos) job(n, faults int) {
	output, want := c.prepare(n)
	var mu sync.Mutex
	c.startCommand()
	current := c.running
	ctx, cancel := context.WithCancel(c.Context())
	var watching sync.WaitGroup
	var silent []string
	watching.Go(func() {
		c.watch(ctx, func() *process { mu.Lock(); defer mu.Unlock(); return current }, func(quiet time.Duration, status string) {
			mu.Lock()
			defer mu.Unlock()
			silent = append(silent, fmt.Sprintf("no message for %v; %s", quiet, status))
		})
	})
	began, caused := time.Now(), []string{}
	for deadline := time.Now().Add(chaosEnd); ; {
		gap := c.between(300*time.Millisecond, 1200*time.Millisecond)
		select {
		case <-c.running.done:
		case <-time.After(gap):
		}
		c.checkWorkers()
		if c.running.isRunning() {
			if faults > 0 {
				f := c.draw()
				if at := time.Since(began).Round(100 * time.Millisecond); f.do(c) {
					c.counts[f.name]++
					c.faults++
					faults--
					caused = append(caused, fmt.Sprintf("%v %s", at, f.name))
					deadline = time.Now().Add(chaosEnd)
				}
			}
			mu.Lock()
			current = c.running
			mu.Unlock()
			if time.Now().After(deadline) {
				text, _ := c.running.lines.get()
				c.fail("the command does not end; it says:\n%s", text)
				c.running.kill()
				break
			}
			continue
		}
		if c.running.err == nil {
			got, err := os.ReadFile(filepath.Join(c.dir, output))
			if err != nil || !bytes.Equal(got, want) {
				c.fail("another picture, %v", err)
			}
			break
		}
		text, _ := c.running.lines.get()
		if c.expect == "" || !errors.As(c.running.err, new(*exec.ExitError)) {
			c.fail("the command ends with %v:\n%s", c.running.err, text)
			c.id = ""
		}
		switch c.expect {
		case "canceled":
			if c.submit != nil {
				_, _ = c.run("renderfarm", "resubmit", c.proxy.url(), c.id)
			}
		case "lost":
			c.id = ""
		}
		c.expect = ""
		c.startCommand()
	}
	cancel()
	watching.Wait()
	for _, text := range silent {
		c.fail("%s", text)
	}
	if c.intruder != nil {
		c.intruder.kill()
		c.intruder = nil
	}
	c.Logf("job %d in %v: %s", n, time.Since(began).Round(100*time.Millisecond), strings.Join(caused, "; "))
}

// TestChaos breaks a farm of real processes in random ways while it renders one job after another.
func TestChaos(t *testing.T) {
	if *chaosFaults == 0 {
		t.Skip("without -chaos")
	}
	c := &chaos{T: t, random: rand.New(rand.NewPCG(*chaosSeed, 1)), dir: t.TempDir(), counts: make(map[string]int)}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.port = free.Addr().(*net.TCPAddr).Port
	free.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.proxy = &proxy{Listener: listener, target: fmt.Sprintf("127.0.0.1:%d", c.port), open: make(map[net.Conn]bool)}
	go c.proxy.serve()
	defer c.proxy.Close()
	c.startServer()
	for range 3 {
		c.workers = append(c.workers, c.startWorker("renderfarm"))
	}
	c.coordinator = c.start("renderfarm", "coordinate", c.proxy.url()) // beside that of the server
	defer func() {
		for _, p := range append(c.workers, c.running, c.intruder, c.coordinator, c.server) {
			p.kill()
		}
	}()
	jobs := 0
	for ; jobs < *chaosJobs || c.faults < *chaosFaults; jobs++ {
		left := *chaosFaults - c.faults
		c.job(jobs, (left+max(*chaosJobs-jobs, 1)-1)/max(*chaosJobs-jobs, 1))
	}
	for _, f := range allFaults {
		t.Logf("%4d x %s", c.counts[f.name], f.name)
	}
	t.Logf("%d faults over %d jobs, seed %d: %d problems", c.faults, jobs, *chaosSeed, len(c.broken))
}
