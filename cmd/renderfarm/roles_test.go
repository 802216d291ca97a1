//go:build !js && !plan9

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

// roleServer is a server with a token for each role. The token of a role is in a file with the role's name.
type roleServer struct {
	*server.Server
	url    string
	dir    string
	reopen func(t *testing.T) // closes what accompanies the server, such as the gate, and opens it again
}

func (s roleServer) token(role string) string { return filepath.Join(s.dir, role) }

// connect connects to the farm in the given role.
func (s roleServer) connect(t *testing.T, role string) *farm.Farm {
	t.Helper()
	f, err := farm.Connect(t.Context(), "test", farm.Access{URL: s.url, TokenFile: s.token(role)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// dial connects to the server in the given role, as a program can that is not renderfarm.
func (s roleServer) dial(t *testing.T, role string) *nats.Conn {
	t.Helper()
	secret := fmt.Sprintf("%032x", rand.Uint64())
	nc, err := nats.Connect(s.url, nats.Token("the token of a "+role), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.Name("attacker "+secret), nats.CustomInboxPrefix("_INBOX."+secret))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func startRoleServer(t *testing.T) roleServer {
	t.Helper()
	s := roleServer{dir: t.TempDir()}
	for _, role := range []string{"command", "worker", "viewer"} {
		writeFile(t, s.token(role), []byte("the token of a "+role+"\n"))
	}
	options := serving{listen: "127.0.0.1:0", store: filepath.Join(s.dir, "store"), lease: farm.DefaultLease,
		tokenFile: s.token("command"), workerTokenFile: s.token("worker"), viewerTokenFile: s.token("viewer")}
	p := &program{connected(io.Discard, io.Discard)}
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	srv, err := p.start(cmd, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	stop := func() {}
	s.reopen = func(t *testing.T) {
		t.Helper()
		stop()
		if stop, err = p.accompany(cmd, options, &served{srv: srv}); err != nil {
			t.Fatal(err)
		}
	}
	s.reopen(t)
	t.Cleanup(func() { stop() })
	s.Server, s.url = srv, srv.ClientURL()
	return s
}

// TestRolesDoTheirWork checks that a worker with the token of workers renders a job, and that a viewer with the
// token of viewers sees the job.
func TestRolesDoTheirWork(t *testing.T) {
	s := startRoleServer(t)
	id, want := submitBall(t, s.connect(t, "command"))
	worker := s.connect(t, "worker")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- (&farm.Worker{Farm: worker, Slots: 1, Log: func(text string) { t.Log(text) }}).Run(ctx)
	}()
	j, err := s.connect(t, "command").Attach(t.Context(), id, farm.JobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	film, err := j.Picture(t.Context(), 0, pillbox.Options{})
	if err != nil || pillbox.Hash(film.Image) != want {
		t.Fatal(err)
	}
	j.Close()
	for _, command := range []string{"status", "list"} {
		var out, messages bytes.Buffer
		status := run(t.Context(), []string{command, s.url, "--token-file", s.token("viewer")}, connected(&out, &messages))
		if status != cli.StatusDone || !strings.Contains(out.String(), id) {
			t.Errorf("%s: status %d, %s%s", command, status, out.String(), messages.String())
		}
	}
	viewer := s.connect(t, "viewer")
	for { // until the worker answers in time
		state, err := viewer.Status(t.Context())
		if err != nil || len(state.Workers) > 1 {
			t.Fatalf("the viewer sees %+v, %v", state, err)
		}
		if len(state.Workers) == 1 {
			break
		}
	}
	if _, err := viewer.Log(t.Context(), id); err != nil {
		t.Error(err)
	}
	if img, err := viewer.Preview(t.Context(), id, 1000); err != nil || pillbox.Hash(img) != want {
		t.Errorf("the viewer sees another picture, %v", err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRolesMayDoNothingElse checks that the tokens of workers and viewers do not permit deleting, submitting or
// forging anything.
func TestRolesMayDoNothingElse(t *testing.T) {
	s := startRoleServer(t)
	both := []string{
		"$JS.API.STREAM.DELETE.PILLBOX_TASKS", "$JS.API.STREAM.DELETE.KV_PILLBOX_JOBS", "$JS.API.STREAM.PURGE.PILLBOX_RESULTS",
		"$JS.API.STREAM.MSG.DELETE.PILLBOX_RESULTS", "$JS.API.STREAM.CREATE.OTHER", "$JS.API.STREAM.UPDATE.PILLBOX_NEWS",
		"$JS.API.STREAM.SNAPSHOT.PILLBOX_RESULTS", "$JS.API.CONSUMER.CREATE.PILLBOX_TASKS.x.y", "$JS.API.CONSUMER.DURABLE.CREATE.PILLBOX_TASKS.x",
		"$JS.API.CONSUMER.DELETE.PILLBOX_TASKS.x", "pillbox.task.x.y", "pillbox.wake", "$KV.PILLBOX_JOBS.job.x", "$KV.PILLBOX_JOBS.version",
		"$O.PILLBOX_FILES.C.x", "$SYS.REQ.SERVER.PING", "_INBOX.x",
		"$JS.API.CONSUMER.CREATE.KV_PILLBOX_JOBS.x", "$JS.API.CONSUMER.CREATE.OBJ_PILLBOX_FILES.x.y", "$JS.API.CONSUMER.CREATE.PILLBOX_NEWS.x", "$JS.FC.x",
		"$JS.API.CONSUMER.MSG.NEXT.PILLBOX_TASKS.x", "$JS.ACK.PILLBOX_TASKS.x.1.1.1.1.1", "$JS.ACK.x.y.PILLBOX_TASKS.x.1.1.1.1.1", "pillbox.log.x.y",
		"pillbox.news.x.y", "pillbox.news.x.y.z", "pillbox.news.x.y.0123456789abcdef", "pillbox.news.>",
	}
	rights := map[string][]string{
		"worker": append([]string{"pillbox.ping"}, both...),
		"viewer": append([]string{"pillbox.result.x.y", "pillbox.gate", "pillbox.take.x", "pillbox.ack.x.y"}, both...),
	}
	for role, forbidden := range rights {
		nc := s.dial(t, role)
		for _, subject := range forbidden {
			if err := nc.Publish(subject, nil); err != nil {
				t.Fatal(err)
			}
			if err := nc.FlushTimeout(10 * time.Second); err != nil {
				t.Fatal(err)
			}
			if err := nc.LastError(); !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), `"`+subject+`"`) {
				t.Errorf("a %s may publish to %s: %v", role, subject, err)
			}
		}
	}
	if nc, err := nats.Connect(s.url, nats.Token("an unknown token")); err == nil {
		nc.Close()
		t.Error("anyone is let in")
	}
}

// TestRolesChooseNoReplies makes the farm reply to every permitted request at subjects that change what the server stores.
// No reply may arrive there. The same requests of a client that may do everything do their damage, so the attack works.
func TestRolesChooseNoReplies(t *testing.T) {
	s := startRoleServer(t)
	f := s.connect(t, "command")
	id, _ := submitBall(t, f)
	targets := []string{
		"$KV.PILLBOX_JOBS.job." + id, "$KV.PILLBOX_JOBS.version", "$KV.PILLBOX_JOBS.forged", "pillbox.task.forged.unit", "pillbox.wake",
		"$O.PILLBOX_FILES.C.forged", "$JS.API.STREAM.PURGE.PILLBOX_TASKS", "$JS.API.STREAM.PURGE.KV_PILLBOX_JOBS", "$JS.API.STREAM.DELETE.PILLBOX_NEWS",
		"$JS.API.STREAM.DELETE.OBJ_PILLBOX_FILES", "$JS.API.CONSUMER.DELETE.PILLBOX_TASKS.job-" + id,
	}
	for _, attacker := range []struct {
		role string
		may  farm.Role
	}{{"viewer", farm.ViewerRole()}, {"worker", farm.WorkerRole()}, {"command", farm.ViewerRole()}} {
		if attacker.role == "worker" { // it may store results and reports, so these replies are not forged
			attacker.may.Requests = slices.DeleteFunc(attacker.may.Requests, func(subject string) bool {
				return strings.HasPrefix(subject, "pillbox.")
			})
			attacker.may.Reports = nil
		}
		before := stored(t, s)
		nc := s.dial(t, attacker.role)
		for _, pattern := range attacker.may.Publish("") {
			subject := strings.NewReplacer("*", "job-"+id, ">", "$KV.PILLBOX_JOBS.job."+id).Replace(pattern)
			for _, target := range targets {
				for _, request := range []string{"", `{"seq":1}`, `{"last_by_subj":"$KV.PILLBOX_JOBS.job.` + id + `"}`, `{"batch":1,"no_wait":true}`} {
					if err := nc.PublishRequest(subject, target, []byte(request)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err := nc.FlushTimeout(10 * time.Second); err != nil {
			t.Fatal(err)
		}
		if err := nc.LastError(); err != nil {
			t.Errorf("a %s may not make its own requests: %v", attacker.role, err)
		}
		if harmed := stored(t, s) != before; harmed != (attacker.role == "command") {
			t.Errorf("replies to requests of a %s have changed what the server stores: %v", attacker.role, harmed)
		}
	}
}

// stored describes what the server of a farm stores: the last message of each subject, and the number of consumers of each
// stream. It leaves out the records that coordinators renew, and waits until nothing else changes.
func stored(t *testing.T, s roleServer) string {
	t.Helper()
	js, err := jetstream.New(s.dial(t, "command"))
	if err != nil {
		t.Fatal(err)
	}
	for before := "nothing is known"; ; time.Sleep(50 * time.Millisecond) {
		now, complete := storedNow(t, js)
		if complete && now == before {
			return now
		}
		before = now
	}
}

// storedNow is [stored] without waiting. It returns false if a message was removed while it was looking.
func storedNow(t *testing.T, js jetstream.JetStream) (description string, complete bool) {
	t.Helper()
	complete = true
	var all []string
	names := js.StreamNames(t.Context())
	for name := range names.Name() {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(">"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s: %d consumers", name, info.State.Consumers))
		for subject := range info.State.Subjects {
			if subject == "$KV.PILLBOX_JOBS.beat" || subject == "$KV.PILLBOX_JOBS.coordinator" {
				continue
			}
			msg, err := stream.GetLastMsgForSubject(t.Context(), subject)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				complete = false
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s: %s, message %d", name, subject, msg.Sequence))
		}
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, "\n"), complete
}

// TestRolesLeaveNoReplies checks that the server forgets how to map the replies to requests of a role once they have arrived,
// so that its memory does not grow with the number of requests.
func TestRolesLeaveNoReplies(t *testing.T) {
	s := startRoleServer(t)
	id, _ := submitBall(t, s.connect(t, "command"))
	nc := s.dial(t, "worker")
	viewer := s.connect(t, "viewer")
	for range 50 {
		if unit := takeUnit(t, nc, id); unit != "" {
			if _, err := nc.Request(unit, []byte("+ACK"), 10*time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := viewer.Log(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := viewer.Status(t.Context()); err != nil {
		t.Fatal(err)
	}
	const few = 5 // the last requests
	for s.GlobalAccount().NumPendingAllResponses() > few || s.GlobalAccount().NumPendingReverseResponses() > few {
		if t.Context().Err() != nil {
			t.Fatal("the server keeps the replies")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// takeUnit takes a unit of a job as a worker does, and returns where to acknowledge it; "" if the job has none.
func takeUnit(t *testing.T, nc *nats.Conn, job string) string {
	t.Helper()
	unit, err := nc.Request("pillbox.take.job-"+job, nil, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return unit.Header.Get("Pillbox-Ack")
}

// nextUnit is takeUnit for a job that has a unit. It waits until the queue gives it out: a new unit, or one that was handed back, comes
// a moment later.
func nextUnit(t *testing.T, nc *nats.Conn, job string) (unit string) {
	t.Helper()
	for unit == "" {
		unit = takeUnit(t, nc, job)
	}
	return unit
}

// TestRolesEndOnlyTheirUnits attacks the unit that a worker has: with the subjects of JetStream, with guessed seals, by
// reading the replies to others, and with the seal of a lease that was handed back. The unit must stay in the queue until its
// own worker ends it.
func TestRolesEndOnlyTheirUnits(t *testing.T) {
	s := startRoleServer(t)
	id, _ := submitBall(t, s.connect(t, "command"))
	js, err := jetstream.New(s.dial(t, "command"))
	if err != nil {
		t.Fatal(err)
	}
	wantPending := func(what string, want int) {
		t.Helper()
		c, err := js.Consumer(t.Context(), "PILLBOX_TASKS", "job-"+id)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.CachedInfo().NumAckPending; got != want {
			t.Fatalf("%s: workers have %d units, want %d", what, got, want)
		}
	}
	worker, attacker := s.dial(t, "worker"), s.dial(t, "worker")
	unit := nextUnit(t, worker, id)
	taken := 1
	for takeUnit(t, worker, id) != "" { // the others
		taken++
	}
	wantPending("all are taken", taken)
	parts := strings.SplitN(unit, ".", 4) // pillbox.ack.SEAL.REST
	if len(parts) != 4 || len(parts[2]) != 32 {
		t.Fatalf("the unit is acknowledged at %q", unit)
	}
	words := []string{"+ACK", "-NAK", "+TERM", "+WPI", "+NXT", ""}
	for _, subject := range []string{
		"$JS.ACK.PILLBOX_TASKS." + parts[3], "pillbox.ack." + parts[3], "pillbox.ack.." + parts[3], "pillbox.ack.x", "pillbox.ack." + strings.Repeat("0", 32) + "." + parts[3],
		strings.TrimSuffix(unit, "0") + "1",
	} {
		for _, word := range words {
			if err := errors.Join(attacker.PublishRequest(subject, "$JS.ACK.PILLBOX_TASKS."+parts[3], []byte(word)), attacker.Publish(subject, []byte(word))); err != nil {
				t.Log(err) // not a subject
			}
		}
	}
	for _, delay := range []string{"1e18", `{"delay": 1000000000000000000}`, `{"delay": -1}`, "{"} {
		if err := worker.Publish(unit, []byte("-NAK "+delay)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(attacker.FlushTimeout(10*time.Second), worker.FlushTimeout(10*time.Second)); err != nil {
		t.Fatal(err)
	}
	wantPending("after the attack", taken)
	if takeUnit(t, attacker, id) != "" {
		t.Fatal("the attack has put the unit back")
	}
	if _, err := worker.Request(unit, []byte("-NAK"), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	later := nextUnit(t, attacker, id)
	for _, word := range words {
		if err := worker.Publish(unit, []byte(word)); err != nil { // the lease of before
			t.Fatal(err)
		}
	}
	if err := worker.FlushTimeout(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	wantPending("after the end of a former lease", taken)
	if _, err := attacker.Request(later, []byte("+ACK"), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	wantPending("ended", taken-1)
}

// TestRolesForgetFormerLeases attacks units with the seals of leases that were handed back, and with those from before the server
// was started again. No unit may leave the queue.
func TestRolesForgetFormerLeases(t *testing.T) {
	s := startRoleServer(t)
	id, _ := submitBall(t, s.connect(t, "command"))
	js, err := jetstream.New(s.dial(t, "command"))
	if err != nil {
		t.Fatal(err)
	}
	units := func() uint64 {
		t.Helper()
		stream, err := js.Stream(t.Context(), "PILLBOX_TASKS")
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().State.Msgs
	}
	worker, all := s.dial(t, "worker"), units()
	endsNothing := func(what, unit string) {
		t.Helper()
		for _, word := range []string{"+ACK", "+TERM", "-NAK", "+WPI"} {
			if _, err := worker.Request(unit, []byte(word), 10*time.Second); err != nil { // the reply comes after the attempt
				t.Fatal(err)
			}
			if got := units(); got != all {
				t.Fatalf("%s, %s: the queue has %d units, want %d", what, word, got, all)
			}
		}
	}
	unit := nextUnit(t, worker, id)
	if _, err := worker.Request(unit, []byte("-NAK"), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	endsNothing("after a unit was handed back", unit)
	unit = nextUnit(t, worker, id)
	s.reopen(t)
	endsNothing("after the server was started again", unit)
}

// TestRolesReadNoReplies checks that a client receives only the replies to its own requests, whatever its name claims.
func TestRolesReadNoReplies(t *testing.T) {
	s := startRoleServer(t)
	victim := s.dial(t, "worker")
	for _, role := range []string{"worker", "viewer"} {
		for _, name := range []string{"", "x", "x *", "x >", "x ", "*", "x " + strings.Repeat("*", 32), "x " + strings.Repeat("0", 31) + "*", "attacker " + strings.Repeat("0", 32)} {
			nc, err := nats.Connect(s.url, nats.Token("the token of a "+role), nats.Name(name), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
			if err != nil {
				t.Fatal(err)
			}
			for _, subject := range []string{">", "_INBOX.>", "_INBOX.*.>", "_INBOX.*.*", victim.NewInbox(), "_R_.>", "$JS.ACK.>", "pillbox.take.>", "pillbox.>", "pillbox.ack.>", "$KV.>", "$O.>", "$SYS.>"} {
				if _, err := nc.SubscribeSync(subject); err != nil {
					t.Fatal(err)
				}
				if err := nc.FlushTimeout(10 * time.Second); err != nil {
					t.Fatal(err)
				}
				if err := nc.LastError(); !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), `"`+subject+`"`) {
					t.Errorf("a %s with the name %q may subscribe to %s: %v", role, name, subject, err)
				}
			}
			nc.Close()
		}
	}
}

// TestRolesPushNoLinesOut checks that a worker cannot push lines of the coordinator out of a job's log.
func TestRolesPushNoLinesOut(t *testing.T) {
	s := startRoleServer(t)
	command := s.connect(t, "command")
	id, _ := submitBall(t, command)
	const line = `{"worker":"coordinator","error":"the owner's line"}`
	owner := s.dial(t, "command")
	store := func(name string) { // returns when the line is stored, and what was published before it
		t.Helper()
		if _, err := owner.Request("pillbox.log."+id+"."+name, []byte(line), 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	store("line")
	worker := s.dial(t, "worker")
	for range 50 {
		for _, subject := range []string{"pillbox.log." + id + ".line", "pillbox.news." + id + ".log.line", "pillbox.news." + id + ".line"} {
			if err := worker.Publish(subject, []byte(`{"worker":"x","error":"noise"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := worker.FlushTimeout(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	store("another")
	events, err := command.Log(t.Context(), id)
	if err != nil || len(events) != 2 || slices.ContainsFunc(events, func(e farm.Event) bool { return e.Text != "the owner's line" }) {
		t.Errorf("the log has %d lines, %+v, %v, want two of the owner", len(events), events, err)
	}
}

// reportSubject returns where a worker's connection reports about a unit of a job.
func reportSubject(nc *nats.Conn, job, unit string) string {
	may := farm.WorkerRole().Publish(nc.Opts.Name)
	return strings.Replace(may[len(may)-1], "*.*", job+"."+unit, 1)
}

// TestRolesReadWhoHasTried checks that a worker learns from the reports of others who has tried a unit. Two programs report that
// they have tried a unit, and hand it back. The worker that takes it next must add its name to both.
func TestRolesReadWhoHasTried(t *testing.T) {
	s := startRoleServer(t)
	id, _ := submitBall(t, s.connect(t, "command"))
	first, second := s.dial(t, "worker"), s.dial(t, "worker")
	request := func(nc *nats.Conn, subject, data string) nats.Header {
		t.Helper()
		m, err := nc.Request(subject, []byte(data), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return m.Header
	}
	var unit nats.Header
	for unit.Get("Pillbox-Ack") == "" { // the first unit comes a moment after the job
		unit = request(first, "pillbox.take.job-"+id, "")
	}
	_, key, _ := strings.Cut(unit.Get("Pillbox-Unit"), id+".")
	request(first, reportSubject(first, id, key), `{"worker":"one","tried":["one"],"back":true}`)
	request(second, reportSubject(second, id, key), `{"worker":"two","tried":["one","two"],"back":true}`)
	command := s.dial(t, "command")
	reports, err := command.SubscribeSync("pillbox.news." + id + "." + key + ".*")
	if err = errors.Join(err, command.FlushTimeout(10*time.Second)); err != nil {
		t.Fatal(err)
	}
	request(first, unit.Get("Pillbox-Ack"), "-NAK")

	worker := s.connect(t, "worker")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- (&farm.Worker{Farm: worker, Slots: 1}).Run(ctx) }()
	report, err := reports.NextMsgWithContext(t.Context())
	cancel()
	<-ended
	var news struct {
		Worker string
		Tried  []string
	}
	if err != nil || json.Unmarshal(report.Data, &news) != nil || !slices.Equal(news.Tried, []string{"one", "two", news.Worker}) {
		t.Errorf("the worker reports %+v, %v", news, err)
	}
}

// TestRolesPushNoReportsOut checks that a worker cannot push the reports of another worker about a unit out of a job's log.
func TestRolesPushNoReportsOut(t *testing.T) {
	s := startRoleServer(t)
	command := s.connect(t, "command")
	id, _ := submitBall(t, command)
	unit := strings.Repeat("0", 64)
	worker, attacker := s.dial(t, "worker"), s.dial(t, "worker")
	subject := func(nc *nats.Conn) string { return reportSubject(nc, id, unit) }
	if _, err := worker.Request(subject(worker), []byte(`{"worker":"one","error":"the first report"}`), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		for _, to := range []string{subject(worker), subject(attacker), strings.TrimSuffix(subject(worker), subject(worker)[len(subject(worker))-17:])} {
			if err := attacker.Publish(to, []byte(`{"worker":"two","error":"noise"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// The reply says that this message is stored, and so are those before it.
	if _, err := attacker.Request(subject(attacker), []byte(`{"worker":"two","error":"noise"}`), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	events, err := command.Log(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	noise := 0
	for _, e := range events {
		if e.Text == "noise" {
			noise++
		}
	}
	if i := slices.IndexFunc(events, func(e farm.Event) bool { return e.Text == "the first report" }); i < 0 || events[i].Unit != unit || noise != 10 {
		t.Errorf("the log has %d lines, %d of the attacker: %+v", len(events), noise, events)
	}
}

// TestRefusedRequestsLeaveFewLines makes a server refuse many long requests. Its log must stay short, and say that lines are missing.
func TestRefusedRequestsLeaveFewLines(t *testing.T) {
	var out bytes.Buffer
	l := &logger{program: &program{connected(io.Discard, &out)}}
	begin := time.Now()
	printed := 0
	for i := range 10_000 {
		ok, leftOut := l.take("127.0.0.1:1 - cid:7 - Publish Violation", false, begin.Add(time.Duration(i)*time.Second/50)) // 200 seconds
		if ok {
			printed++
		}
		if want := map[int]int{3000: 2980, 6000: 2980, 9000: 2980}[i]; leftOut != want {
			t.Errorf("%d lines were left out before line %d, want %d", leftOut, i, want)
		}
	}
	if printed != 4*linesPerMinute {
		t.Errorf("%d lines are printed", printed)
	}
	for range 1000 {
		l.Errorf("%s - cid:%d - Publish Violation - Subject %q", "127.0.0.1:1", 8, strings.Repeat("x", 4000))
	}
	l.Warnf("disk: full")
	if out.Len() > 2*linesPerMinute*maxLogLine || !strings.Contains(out.String(), "disk: full") {
		t.Errorf("the log has %d bytes", out.Len())
	}
}

// TestRolesNeedTokensOfTheirOwn checks that missing tokens, short tokens, and equal tokens for two roles are
// errors.
func TestRolesNeedTokensOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	long, other, short := filepath.Join(dir, "long"), filepath.Join(dir, "other"), filepath.Join(dir, "short")
	writeFile(t, long, []byte("0123456789abcdef"))
	writeFile(t, other, []byte("fedcba9876543210"))
	writeFile(t, short, []byte("0123456789"))
	for want, s := range map[string]serving{
		"the token of another role":     {tokenFile: long, workerTokenFile: long},
		"another role":                  {tokenFile: long, workerTokenFile: other, viewerTokenFile: other},
		"--viewer-token-file: " + short: {tokenFile: long, viewerTokenFile: short},
		"no such file":                  {tokenFile: long, viewerTokenFile: filepath.Join(dir, "none")},
	} {
		s.listen = "127.0.0.1:0"
		if _, err := s.options(new(cobra.Command)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
