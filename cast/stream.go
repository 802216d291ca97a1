package cast

import (
	"context"
	"fmt"
	"io"
	"pillbox"
	"runtime"
	"sync"

	"pillbox/geom"
	"pillbox/internal/accel"
)

// Options says how [Stream] works. The zero value casts rays in CSV and writes what each meets first.
type Options struct {
	Query Query

	// Count asks only for the number of crossings. With it, the queries First and Segment mean Ahead
	// and Through.
	Count bool

	Format Format // of input and output

	// KeepGoing writes a row with an error for a row that cannot be read, and goes on. Otherwise that
	// row ends the stream.
	KeepGoing bool

	Workers int                       // the number of goroutines that cast; zero means GOMAXPROCS. It never changes the output.
	Source  string                    // what errors call the input
	Name    func(object int32) string // returns a solid's name; nil means that solids have none. Several goroutines call it.
}

// query returns what is cast.
func (o *Options) query() Query {
	switch {
	case o.Count && o.Query == First:
		return Ahead
	case o.Count && o.Query == Segment:
		return Through
	}
	return o.Query
}

// Totals is what a stream came to.
type Totals struct {
	Rows  int64 // rays or segments that were read
	Wrong int64 // of those, the ones that could not be cast: 0 without KeepGoing
}

// Error describes what is wrong with the input. It is the only error of [Stream] that is not of reading,
// writing or the context.
type Error struct {
	Source  string
	Line    int64  // counted from 1; 0 if the format has no lines
	Row     int64  // the ray or segment, counted from 0; -1 for other lines, such as a header
	Problem string // what was wanted and what was got
}

// Error implements error: source:line: problem, or source: row n: problem.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Source, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s: row %d: %s", e.Source, e.Row, e.Problem)
}

// Stream casts every ray or segment that it reads into the scene and writes what it meets, in the
// order of the input. The package's [Format] constants say how input and output look.
//
// What arrives together is cast together and written at once, so a program that writes a ray to
// a pipe and waits has the answer. Memory does not depend on the number of rows.
//
// If a row is wrong, all rows before it are written, and the error is an [*Error]. When the context
// ends, Stream returns its cause at once. After any error, a Read of from that has begun may go on
// in the background, and what it reads is lost.
func Stream(ctx context.Context, p *pillbox.Prepared, from io.Reader, to io.Writer, opt Options) (Totals, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	s := &stream{
		Options: opt,
		world:   treeOf(p),
		free:    make(buffers, 4*opt.Workers),
		work:    make(chan *job, opt.Workers),
		order:   make(chan *job, 2*opt.Workers),
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.read(ctx, from)
	for range opt.Workers {
		workers.Go(func() { s.cast(ctx) })
	}
	return s.write(ctx, to)
}

// stream is one call of [Stream]. One goroutine cuts the input into jobs, the workers do them, and one
// writes what comes of them in the order of the input.
type stream struct {
	Options
	world   *accel.BVH
	columns []int // of a CSV file, see [decoder]; written before the first job is sent
	free    buffers
	work    chan *job // rays to cast
	order   chan *job // the same jobs and those without rays, in output order
}

// job is some whole rows of the input.
type job struct {
	rows []byte
	line int64       // of the first row
	row  int64       // its number
	out  chan []byte // what is written for them, piece by piece; closed at the end

	// These are set before out is closed.
	Totals
	err error // ends the stream
}

func newJob(rows []byte) *job { return &job{rows: rows, out: make(chan []byte, 1)} }

// done returns a job that is done: it writes text and then ends the stream if err is not nil.
func done(text []byte, err error) *job {
	j := newJob(nil)
	if len(text) > 0 {
		j.out <- text
	}
	j.err = err
	close(j.out)
	return j
}

// read makes jobs of the input.
func (s *stream) read(ctx context.Context, from io.Reader) {
	defer close(s.order)
	defer close(s.work)
	if err := s.cut(ctx, newCutter(&s.Options, from)); err != io.EOF {
		send(ctx, s.order, done(nil, err))
	}
}

// cut makes jobs of the input until it ends or ctx does.
func (s *stream) cut(ctx context.Context, c *cutter) error {
	var err error
	if s.Format == CSV {
		if s.columns, err = c.header(); err != nil {
			return err
		}
		e := encoder{Options: &s.Options, isHeader: true}
		e.row(0, nil, nil)
		if err := send(ctx, s.order, done(e.out, nil)); err != nil {
			return err
		}
	}
	for {
		j, err := c.next(s.free.take())
		if err != nil {
			return err
		}
		if err := send(ctx, s.order, j); err != nil {
			return err
		}
		if err := send(ctx, s.work, j); err != nil {
			return err
		}
	}
}

// write writes what comes of the jobs.
func (s *stream) write(ctx context.Context, to io.Writer) (Totals, error) {
	var sum Totals
	for {
		j, err := receive(ctx, s.order)
		if j == nil {
			return sum, err
		}
		for {
			piece, err := receive(ctx, j.out)
			if err != nil {
				return sum, err
			}
			if piece == nil {
				break
			}
			if _, err := to.Write(piece); err != nil {
				return sum, err
			}
			s.free.give(piece)
		}
		sum.Rows, sum.Wrong = sum.Rows+j.Rows, sum.Wrong+j.Wrong
		if j.err != nil {
			return sum, j.err
		}
	}
}

// send sends a value, or returns why ctx has ended.
func send[T any](ctx context.Context, to chan T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// receive returns the next value of a channel, the zero value if it is closed, or why ctx has ended.
func receive[T any](ctx context.Context, from chan T) (v T, err error) {
	select {
	case v = <-from:
		return v, nil
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
}

// cast does jobs.
func (s *stream) cast(ctx context.Context) {
	w := worker{stream: s, encoder: encoder{Options: &s.Options}}
	for {
		j, err := receive(ctx, s.work)
		if j == nil || err != nil || w.do(ctx, j) != nil {
			return
		}
		s.free.give(j.rows)
	}
}

// worker does one job after the other.
type worker struct {
	stream  *stream
	encoder encoder

	// Scratch memory.
	batch   []row
	rays    []geom.Ray
	nearest []accel.Hit
	hits    []Hit
}

// row is what was read of a row of the input.
type row struct {
	line     int64
	from, to geom.Vec3 // as [Cast] takes them
	err      error     // why it cannot be cast
}

const (
	batchRows  = 256     // rows that are cast together
	pieceBytes = 1 << 16 // how much is written at once, or a little more
)

// do casts the rows of a job. The error is that ctx has ended.
func (w *worker) do(ctx context.Context, j *job) error {
	defer close(j.out)
	s := w.stream
	in := decoder{&s.Options, s.columns}
	line := j.line - 1
	for text := range s.Format.rows(j.rows) {
		line++
		if s.Format.isBlank(text) {
			continue
		}
		w.batch = append(w.batch, row{line: line})
		in.decode(text, &w.batch[len(w.batch)-1])
		if len(w.batch) < batchRows {
			continue
		}
		if err := w.castBatch(ctx, j); err != nil {
			return err
		}
		if j.err != nil {
			break
		}
	}
	if err := w.castBatch(ctx, j); err != nil {
		return err
	}
	return w.flush(ctx, j)
}

// castBatch casts the rows of the batch, which is empty then. The error is that ctx has ended.
func (w *worker) castBatch(ctx context.Context, j *job) error {
	s, q := w.stream, w.stream.query()
	if q == First {
		w.castFirst()
	}
	next := 0 // of the nearest hits
	for i := range w.batch {
		r := &w.batch[i]
		w.hits = w.hits[:0]
		switch {
		case r.err != nil:
		case q != First:
			w.hits, r.err = castIn(s.world, q, r.from, r.to, w.hits)
		default:
			w.hits = met(w.nearest[next], w.hits)
			next++
		}
		number := j.row + j.Rows
		if r.err != nil && !s.KeepGoing {
			j.err = &Error{s.Source, s.Format.line(r.line), number, r.err.Error()}
			break
		}
		if r.err != nil {
			j.Wrong++
		}
		j.Rows++
		w.encoder.row(number, w.hits, r.err)
		if len(w.encoder.out) >= pieceBytes {
			if err := w.flush(ctx, j); err != nil {
				return err
			}
		}
	}
	w.batch = w.batch[:0]
	return nil
}

// castFirst stores what the rays of the batch meet first.
func (w *worker) castFirst() {
	w.rays = w.rays[:0]
	for i := range w.batch {
		r := &w.batch[i]
		if r.err != nil {
			continue
		}
		if ray, ok := geom.Toward(r.from, r.to); ok {
			w.rays = append(w.rays, ray)
		} else {
			r.err = ErrNoDirection
		}
	}
	if w.nearest == nil {
		w.nearest = make([]accel.Hit, batchRows)
	}
	w.stream.world.NearestEach(w.rays, w.nearest[:len(w.rays)])
}

// flush hands on what is encoded so far. The error is that ctx has ended.
func (w *worker) flush(ctx context.Context, j *job) error {
	if len(w.encoder.out) == 0 {
		return nil
	}
	if err := send(ctx, j.out, w.encoder.out); err != nil {
		return err
	}
	w.encoder.out = w.stream.free.take()[:0]
	return nil
}

// buffers is memory that is used again and again.
type buffers chan []byte

// take returns a buffer of chunkBytes or more, with anything in it.
func (b buffers) take() []byte {
	select {
	case buffer := <-b:
		return buffer[:cap(buffer)]
	default:
		return make([]byte, chunkBytes)
	}
}

// give takes a buffer back. One that has grown is left to the garbage collector.
func (b buffers) give(buffer []byte) {
	if cap(buffer) < chunkBytes || cap(buffer) > 4*chunkBytes {
		return
	}
	select {
	case b <- buffer:
	default:
	}
}
