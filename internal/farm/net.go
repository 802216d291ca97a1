//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"pillbox/scene"
)

// Access contains the address and the credentials of a farm.
type Access struct {
	URL       string // of a NATS server with JetStream; several servers of a cluster are separated by commas
	Creds     string // file with NATS credentials; "": none
	TLSCA     string // file with the certificates of the authorities that sign the server's certificate; "": those of the system
	TokenFile string // file with a token; "": none

	Server   nats.InProcessConnProvider `json:"-"` // a server in this process, used instead of URL; nil: none
	Replicas int                        // number of servers that store each item, used only if this call sets up the farm; 0 means 1

	// Lease is the time after which the server gives a unit to another worker if the first worker is silent. It is used
	// only if this call sets up the farm; 0 means 30 s.
	Lease time.Duration

	// Patience is how long Connect tries to reach a server that does not answer; negative: until ctx ends.
	Patience time.Duration
	Await    bool              // wait, until ctx ends, for another program to set up the farm
	Log      func(text string) `json:"-"` // called with a line when the connection has a problem and when the problem is over; may be nil

	purges   bool   // set the identity of the farm to that of this program
	renderer string // for tests: used instead of the hash of this program's source; "": none
}

// The streams, buckets and subjects of a farm on the server, and their limits.
const (
	filesBucket   = "PILLBOX_FILES"   // an object store: scenes, their files and plans, by hash
	jobsBucket    = "PILLBOX_JOBS"    // a key-value store: records of jobs, excluded workers, and settings of the farm
	tasksStream   = "PILLBOX_TASKS"   // a work queue: pillbox.task.JOB.KEY, with a consumer for each job
	resultsStream = "PILLBOX_RESULTS" // pillbox.result.GROUP.KEY
	newsStream    = "PILLBOX_NEWS"    // other reports of workers about units: pillbox.news.JOB.KEY.MARK; lines of logs: pillbox.log.JOB.LINE
	pingSubject   = "pillbox.ping"    // workers reply to requests on it

	keepResults = 7 * 24 * time.Hour
	keepFiles   = 2 * keepResults
	keepNews    = 24 * time.Hour
	maxTask     = 1 << 14 // bytes; also the limit of a worker's reply to a ping
	maxNews     = 1 << 12
)

// DefaultLease is the lease of a new farm if its first program does not set Lease in [Access].
const DefaultLease = 30 * time.Second

// Farm is a connection to the server of a farm. Close must be called. Safe for concurrent use.
type Farm struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	files   jetstream.ObjectStore
	jobs    jetstream.KeyValue
	tasks   jetstream.Stream
	results jetstream.Stream
	news    jetstream.Stream
	lease   time.Duration

	mark     string // in the subjects of the reports of this connection
	renderer string // hash of its source code
	access   Access
	streams  map[string]jetstream.Stream // all, also those of the buckets
	born     map[string]time.Time        // creation times of the streams when this connection was set up
	log      func(text string)
	alive    context.Context // ends when the connection is closed
	ended    context.CancelCauseFunc
}

// Connect connects to a farm, and sets it up if it does not exist. The server's logs show the name. Connect returns an
// error if the server cannot be reached, has no JetStream, or serves another renderer. The error wraps [ErrURL] if the
// URL does not have a scheme of NATS servers. If the connection is lost later, the client reconnects as soon as the
// server answers.
func Connect(ctx context.Context, name string, a Access) (*Farm, error) {
	opts, mark := private(name)
	opts = append(opts, nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond),
		nats.Timeout(answerLimit), nats.PingInterval(2*time.Second), nats.MaxPingsOutstanding(2))
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.TLSCA != "" {
		opts = append(opts, nats.RootCAs(a.TLSCA))
	}
	if a.TokenFile != "" {
		if _, err := os.ReadFile(a.TokenFile); err != nil {
			return nil, err
		}
		opts = append(opts, nats.TokenHandler(func() string {
			token, _ := os.ReadFile(a.TokenFile) // the server refuses an empty token
			return strings.TrimSpace(string(token))
		}))
	}
	if a.Server == nil {
		if err := checkURL(a.URL); err != nil {
			return nil, err
		}
	} else {
		a.URL = nats.DefaultURL // without TLS
		opts = append(opts, nats.InProcessServer(a.Server))
	}
	f := &Farm{mark: mark, renderer: cmp.Or(a.renderer, ownRenderer()), access: a, log: a.Log}
	f.alive, f.ended = context.WithCancelCause(context.Background())
	if err := f.connectPatiently(ctx, append(opts, f.watchConnection()...)); err != nil {
		return nil, err
	}
	return f, nil
}

// Lease returns the time after which a unit of a silent worker goes to another one.
func (f *Farm) Lease() time.Duration { return f.lease }

// Replicas returns the number of servers on which each result is stored.
func (f *Farm) Replicas() int { return f.results.CachedInfo().Config.Replicas }

// Close ends the connection.
func (f *Farm) Close() {
	f.nc.Close()
	f.ended(nats.ErrConnectionClosed)
}

// setUp opens the streams and buckets of the farm, and creates those that do not exist.
func (f *Farm) setUp(ctx context.Context, a Access) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if f.js, err = jetstream.New(f.nc, jetstream.WithPublishAsyncMaxPending(512), jetstream.WithPublishAsyncTimeout(5*time.Second)); err != nil {
		return err
	}
	if a.Await {
		if err := f.isSetUp(ctx); err != nil {
			return err
		}
	}
	replicas := cmp.Or(a.Replicas, 1)
	f.jobs, err = findOrMake(func() (jetstream.KeyValue, error) { return f.js.KeyValue(ctx, jobsBucket) }, func() (jetstream.KeyValue, error) {
		return f.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: jobsBucket, Replicas: replicas, MaxValueSize: maxTask})
	})
	if err != nil {
		return fmt.Errorf("the farm's server must have JetStream: %w", err)
	}
	if a.purges {
		_, err = f.jobs.Put(ctx, versionKey, marshal(f.identity()))
	} else {
		err = f.checkIdentity(ctx)
	}
	if err != nil {
		return err
	}
	f.files, err = findOrMake(func() (jetstream.ObjectStore, error) { return f.js.ObjectStore(ctx, filesBucket) }, func() (jetstream.ObjectStore, error) {
		return f.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, Replicas: replicas, TTL: keepFiles})
	})
	if err != nil {
		return err
	}
	stream := func(c jetstream.StreamConfig) (jetstream.Stream, error) {
		c.Replicas = replicas
		return findOrMake(func() (jetstream.Stream, error) { return f.js.Stream(ctx, c.Name) },
			func() (jetstream.Stream, error) { return f.js.CreateStream(ctx, c) })
	}
	// once makes the server refuse a message if the stream contains one with the same subject. Such a message would put
	// a unit into the queue twice, or store a second result of a unit.
	once := func(c jetstream.StreamConfig) jetstream.StreamConfig {
		c.MaxMsgsPerSubject, c.Discard, c.DiscardNewPerSubject = 1, jetstream.DiscardNew, true
		return c
	}
	f.tasks, err = findOrMake(func() (jetstream.Stream, error) { return f.js.Stream(ctx, tasksStream) }, func() (jetstream.Stream, error) {
		made, err := f.js.CreateStream(ctx, once(jetstream.StreamConfig{Name: tasksStream, Subjects: []string{"pillbox.task.>"},
			Retention: jetstream.WorkQueuePolicy, MaxMsgSize: maxTask, Replicas: replicas}))
		if err == nil {
			err = f.anchor(ctx)
		}
		return made, err
	})
	if err != nil {
		return err
	}
	if f.results, err = stream(once(jetstream.StreamConfig{Name: resultsStream, Subjects: []string{"pillbox.result.>"},
		MaxAge: keepResults, AllowDirect: true})); err != nil {
		return err
	}
	if f.news, err = stream(jetstream.StreamConfig{Name: newsStream, Subjects: newsSubjects(),
		MaxAge: keepNews, MaxMsgsPerSubject: maxErrors, MaxMsgSize: maxNews, AllowDirect: true}); err != nil {
		return err
	}
	if subjects := newsSubjects(); !slices.Equal(f.news.CachedInfo().Config.Subjects, subjects) { // of an earlier version
		c := f.news.CachedInfo().Config
		c.Subjects = subjects
		if f.news, err = f.js.UpdateStream(ctx, c); err != nil {
			return err
		}
	}
	if f.lease, err = f.agreedLease(ctx, cmp.Or(a.Lease, DefaultLease)); err != nil {
		return err
	}
	f.streams, f.born = make(map[string]jetstream.Stream), make(map[string]time.Time)
	for _, name := range []string{"KV_" + jobsBucket, "OBJ_" + filesBucket, tasksStream, resultsStream, newsStream} {
		found, err := f.js.Stream(ctx, name)
		if err != nil {
			return err
		}
		f.streams[name], f.born[name] = found, found.CachedInfo().Created
	}
	return nil
}

// newsSubjects returns the subjects of the reports of workers, and of the lines of logs.
func newsSubjects() []string { return []string{"pillbox.news.>", "pillbox.log.>"} }

// anchorSubject is the subject of a message that always stays the oldest of the queue, because no consumer receives
// it. It saves time. Without it, the next unit of a job could be the oldest message. Whenever a worker requests the
// oldest message, the server counts all units of the job, which takes 0.5 ms for 10,000 units.
const anchorSubject = "pillbox.task.anchor"

// anchor puts the first message into the empty queue.
func (f *Farm) anchor(ctx context.Context) error {
	_, err := f.js.Publish(ctx, anchorSubject, nil)
	if isAlreadyThere(err) {
		return nil
	}
	return err
}

// errNotSetUp is the error for a farm that no program has set up.
var errNotSetUp = errors.New("no program has set up the farm")

// isSetUp returns nil if a program has set up the farm, and errNotSetUp if not. It looks for the lease, which setUp
// stores after everything else.
func (f *Farm) isSetUp(ctx context.Context) error {
	jobs, err := f.js.KeyValue(ctx, jobsBucket)
	if err == nil {
		_, err = jobs.Get(ctx, leaseKey)
	}
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrKeyNotFound) {
		return errNotSetUp
	}
	return err
}

// leaseKey is the key of the jobs bucket that contains the lease.
const leaseKey = "lease"

// agreedLease returns the lease of the farm, which the first program sets.
func (f *Farm) agreedLease(ctx context.Context, own time.Duration) (time.Duration, error) {
	agreed, err := f.agree(ctx, leaseKey, marshal(own))
	if err != nil {
		return 0, err
	}
	var lease time.Duration
	if err := unmarshal(agreed, &lease); err != nil || lease <= 0 {
		return 0, fmt.Errorf("the farm has a lease of %s, which cannot be", agreed)
	}
	return lease, nil
}

// agree returns the value of a key in the jobs bucket. If the key does not exist, agree sets it to own; workers and viewers
// may lack the permission to do so.
func (f *Farm) agree(ctx context.Context, key string, own []byte) ([]byte, error) {
	entry, err := f.jobs.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if _, err = f.jobs.Create(ctx, key, own); err == nil {
			return own, nil
		}
		if errors.Is(err, jetstream.ErrKeyExists) { // another program was faster
			entry, err = f.jobs.Get(ctx, key)
		}
	}
	if err != nil {
		return nil, err
	}
	return entry.Value(), nil
}

// findOrMake returns the result of find. If find reports that the item does not exist, it returns the result of make.
// Other programs may make the item at the same time.
func findOrMake[T any](find, make func() (T, error)) (T, error) {
	isMissing := func(err error) bool {
		return errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
	}
	found, err := find()
	if isMissing(err) {
		if found, err = make(); err != nil {
			if late, err := find(); err == nil { // another program was faster
				return late, nil
			}
		}
	}
	return found, err
}

// putSource stores the files of a source that the farm does not have yet, and its manifest.
func (f *Farm) putSource(ctx context.Context, s *Source) error {
	all := append(slices.Collect(maps.Values(s.Files)), s.Data)
	size := int64(0)
	for _, data := range all {
		size += int64(len(data))
	}
	if size > maxSource {
		return fmt.Errorf("the scene's files have %d bytes, and on a farm they may have %d", size, int64(maxSource))
	}
	for _, data := range append(all, s.manifest()) { // the manifest last: if it exists, so do the files
		if err := f.put(ctx, data); err != nil {
			return err
		}
	}
	return nil
}

// put stores a file under its hash, unless the server already has it and will keep it for keepFiles/2 or longer.
func (f *Farm) put(ctx context.Context, data []byte) error {
	hash := hashOf(data)
	if info, err := f.files.GetInfo(ctx, hash); err == nil && info.Size == uint64(len(data)) && time.Since(info.ModTime) < keepFiles/2 {
		return nil
	}
	_, err := f.files.PutBytes(ctx, hash, data)
	return err
}

// get returns the stored file with the given hash, after checking the hash.
func (f *Farm) get(ctx context.Context, hash string) ([]byte, error) {
	info, err := f.files.GetInfo(ctx, hash)
	switch {
	case err != nil:
		return nil, fmt.Errorf("file %.12s...: %w", hash, err)
	case info.Opts != nil && info.Opts.Link != nil: // a chain of links can be endless
		return nil, fmt.Errorf("file %.12s... is a link", hash)
	case info.Size > scene.MaxBulkBytes:
		return nil, fmt.Errorf("file %.12s... has %d bytes, more than a scene's may", hash, info.Size)
	}
	data, err := f.chunks(ctx, info)
	if err != nil {
		return nil, err
	}
	if got := hashOf(data); got != hash {
		return nil, fmt.Errorf("file %.12s... has the hash %.12s...", hash, got)
	}
	return data, nil
}

// maxUnit returns the largest number of pixels that a unit may have. The result of such a unit always fits into a
// message of the server.
func (f *Farm) maxUnit() int {
	const headers = 1 << 12
	most := int(f.nc.MaxPayload()) - headers
	pixels := most / 4
	for pixels > 0 && maxResult(pixels) > most {
		pixels -= max(1, pixels/64)
	}
	return max(pixels, 1)
}

// isAlreadyThere reports whether the server refused a message because the stream contains one with the same subject.
func isAlreadyThere(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject") // it has no code of its own
}
