//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/scene"
)

// Access says where a farm is and how to get in.
type Access struct {
	URL       string // of a NATS server with JetStream, or several with commas between them
	Creds     string // file with NATS credentials, if not ""
	TLSCA     string // file with the certificates that the server's must be signed by, if not ""
	TokenFile string // file with a token, if not ""
	Replicas  int    // of all that is stored, where this is what sets the farm up; zero: 1

	// Lease is how long a worker that is silent keeps a unit, where this is what sets the farm up; zero: 30 s.
	Lease time.Duration
}

// What a farm consists of on the server.
const (
	filesBucket   = "PILLBOX_FILES"   // an object store: scenes and their files, by hash
	jobsBucket    = "PILLBOX_JOBS"    // keys and values: what there is once for a job or the farm
	tasksStream   = "PILLBOX_TASKS"   // a work queue: pillbox.task.JOB.KEY
	resultsStream = "PILLBOX_RESULTS" // pillbox.result.GROUP.KEY; results of an audit: pillbox.result.JOB.KEY
	reportsStream = "PILLBOX_REPORTS" // what went wrong with units: pillbox.report.JOB.KEY
	workersName   = "workers"         // the consumer of the work queue
	pingSubject   = "pillbox.ping"    // workers answer there

	defaultLease = 30 * time.Second
	keepResults  = 7 * 24 * time.Hour
	keepReports  = 24 * time.Hour
	maxTask      = 1 << 14 // bytes
	maxReport    = 1 << 12
)

// Farm is a connection to the server of a farm. Close must be called. Safe for concurrent use.
type Farm struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	files   jetstream.ObjectStore
	jobs    jetstream.KeyValue
	tasks   jetstream.Stream
	results jetstream.Stream
	reports jetstream.Stream
	workers jetstream.Consumer
	lease   time.Duration
	again   chan struct{} // gets an element when the connection is there again
}

// Connect connects to a farm, and sets it up if nobody has done so before. The name is for people. The
// error says that the server cannot be reached, has no JetStream, or serves another version.
func Connect(ctx context.Context, name string, a Access) (*Farm, error) {
	f := &Farm{again: make(chan struct{}, 1)}
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectHandler(func(*nats.Conn) {
			select {
			case f.again <- struct{}{}:
			default:
			}
		}),
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.TLSCA != "" {
		opts = append(opts, nats.RootCAs(a.TLSCA))
	}
	if a.TokenFile != "" {
		token, err := os.ReadFile(a.TokenFile)
		if err != nil {
			return nil, err
		}
		opts = append(opts, nats.Token(strings.TrimSpace(string(token))))
	}
	var err error
	if f.nc, err = nats.Connect(a.URL, opts...); err != nil {
		return nil, fmt.Errorf("the farm cannot be reached: %w", err)
	}
	if err := f.setUp(ctx, a); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close ends the connection.
func (f *Farm) Close() { f.nc.Close() }

// setUp finds what the farm consists of, and makes what is not there.
func (f *Farm) setUp(ctx context.Context, a Access) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if f.js, err = jetstream.New(f.nc, jetstream.WithPublishAsyncMaxPending(512)); err != nil {
		return err
	}
	replicas := cmp.Or(a.Replicas, 1)
	if f.jobs, err = f.js.KeyValue(ctx, jobsBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		f.jobs, err = f.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: jobsBucket, Replicas: replicas, MaxValueSize: maxTask})
	}
	if err != nil {
		return fmt.Errorf("the farm's server must have JetStream: %w", err)
	}
	if err := f.checkVersion(ctx); err != nil {
		return err
	}
	if f.files, err = f.js.ObjectStore(ctx, filesBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		f.files, err = f.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, Replicas: replicas})
	}
	if err != nil {
		return err
	}
	for _, s := range []struct {
		to     *jetstream.Stream
		config jetstream.StreamConfig
	}{
		// A unit that is in the queue is refused a second time.
		{&f.tasks, jetstream.StreamConfig{Name: tasksStream, Subjects: []string{"pillbox.task.>"}, Retention: jetstream.WorkQueuePolicy,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgSize: maxTask}},
		{&f.results, jetstream.StreamConfig{Name: resultsStream, Subjects: []string{"pillbox.result.>"}, MaxAge: keepResults, AllowDirect: true}},
		{&f.reports, jetstream.StreamConfig{Name: reportsStream, Subjects: []string{"pillbox.report.>"}, MaxAge: keepReports,
			MaxMsgsPerSubject: maxDeliveries + 1, MaxMsgSize: maxReport}},
	} {
		s.config.Replicas = replicas
		*s.to, err = f.js.Stream(ctx, s.config.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			*s.to, err = f.js.CreateStream(ctx, s.config)
		}
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // somebody was faster
			*s.to, err = f.js.Stream(ctx, s.config.Name)
		}
		if err != nil {
			return err
		}
	}
	f.workers, err = f.tasks.Consumer(ctx, workersName)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		// Deliveries are without end: a unit that was delivered too often is taken out by the worker that gets
		// it next. With a limit the server would leave it in the queue, delivered to nobody.
		f.workers, err = f.tasks.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: cmp.Or(a.Lease, defaultLease), MaxDeliver: -1, MaxAckPending: 1 << 16})
	}
	if errors.Is(err, jetstream.ErrConsumerExists) {
		f.workers, err = f.tasks.Consumer(ctx, workersName)
	}
	if err == nil {
		f.lease = f.workers.CachedInfo().Config.AckWait
	}
	return err
}

// version is what all who take part must have in common.
type version struct {
	Format int    `json:"format"`
	Probe  string `json:"probe"` // the hash of the probe scene's picture
}

func (v version) String() string {
	return fmt.Sprintf("format %d and bits %.12s...", v.Format, v.Probe)
}

// checkVersion compares the program's version with that of the farm, which the first one has set.
func (f *Farm) checkVersion(ctx context.Context) error {
	own := version{Format, ProbeHash}
	if _, err := f.jobs.Create(ctx, "version", marshal(own)); err == nil {
		return nil
	} else if !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	entry, err := f.jobs.Get(ctx, "version")
	if err != nil {
		return err
	}
	var farm version
	if err := unmarshal(entry.Value(), &farm); err != nil || farm != own {
		return fmt.Errorf("the farm has %v, and this program %v: it needs the same version", farm, own)
	}
	return nil
}

// putSource stores what is not there of a source.
func (f *Farm) putSource(ctx context.Context, s *Source) error {
	for _, data := range s.Files {
		if err := f.put(ctx, data); err != nil {
			return err
		}
	}
	if err := f.put(ctx, s.Data); err != nil {
		return err
	}
	return f.put(ctx, s.manifest()) // last: whoever finds it finds the rest
}

func (f *Farm) put(ctx context.Context, data []byte) error {
	hash := hashOf(data)
	if info, err := f.files.GetInfo(ctx, hash); err == nil && info.Size == uint64(len(data)) {
		return nil
	}
	_, err := f.files.PutBytes(ctx, hash, data)
	return err
}

// get returns the stored file of a hash, which it really has.
func (f *Farm) get(ctx context.Context, hash string) ([]byte, error) {
	info, err := f.files.GetInfo(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("file %.12s...: %w", hash, err)
	}
	if info.Size > scene.MaxBulkBytes {
		return nil, fmt.Errorf("file %.12s... has %d bytes, more than a scene's may", hash, info.Size)
	}
	data, err := f.files.GetBytes(ctx, hash)
	if err != nil {
		return nil, err
	}
	if got := hashOf(data); got != hash {
		return nil, fmt.Errorf("file %.12s... has the hash %.12s...", hash, got)
	}
	return data, nil
}

// maxUnit returns the most pixels that a unit may have, so that its result fits into a message.
func (f *Farm) maxUnit() int {
	const headers = 1 << 12
	most := int(f.nc.MaxPayload()) - headers
	pixels := most / 4
	for pixels > 0 && maxResult(pixels) > most {
		pixels -= pixels / 64
	}
	return max(pixels, 1)
}

// isAlreadyThere reports whether publishing failed because the message was there before.
func isAlreadyThere(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant ||
		strings.Contains(api.Description, "maximum messages per subject"))
}
