package cast

import (
	"context"
	"fmt"
	"io"
	"pillbox"
	"sync"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/parallel"
)

// Options are the settings of [Stream]. The zero value reads rays in CSV and writes the first crossing
// of each.
type Options struct {
	Query Query

	// Count writes only the number of crossings. The queries First and Segment then mean Ahead and
	// Through.
	Count bool

	Format Format // of input and output

	// KeepGoing makes Stream write a row with an error for each invalid input row and continue, instead of
	// ending at the first one. A line that is too long always ends the stream.
	KeepGoing bool

	Workers int                       // the number of goroutines that cast; zero means GOMAXPROCS; does not affect the output
	Source  string                    // the name of the input in errors
	Name    func(object int32) string // returns the name of a solid; must be safe for concurrent use; nil if solids have no names
}

// query returns the query to cast, given Query and Count.
func (o *Options) query() Query {
	switch {
	case o.Count && o.Query == First:
		return Ahead
	case o.Count && o.Query == Segment:
		return Through
	}
	return o.Query
}

// Totals counts the rows of a stream.
type Totals struct {
	Rows  int64 // rays or segments, including invalid ones, whose results were written; may be too low if writing fails or ctx ends
	Wrong int64 // invalid ones among them; 0 without KeepGoing
}

// Error is an error in the contents of the input. All other errors of [Stream] come from the reader,
// the writer or the context.
type Error struct {
	Source  string
	Line    int64  // counted from 1; 0 if the format has no lines
	Row     int64  // the ray or segment, counted from 0; -1 for other lines, such as a header
	Problem string // what the input must contain and what it contains
}

// Error implements error: source:line: problem, or source: row n: problem.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Source, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s: row %d: %s", e.Source, e.Row, e.Problem)
}

// Stream reads rays or segments, casts them into the scene, and writes their crossings in the order of the
// input. [Format] describes input and output.
//
// Stream casts rows as soon as they arrive and writes the results without waiting for more input. So a
// program can write a ray to a pipe and wait for the answer. Memory does not depend on the number of rows.
//
// If a row is invalid and KeepGoing is not set, Stream writes the results of all rows before it and returns
// an [*Error]. If ctx ends, Stream returns its cause ([context.Cause]), but not before a call of to.Write
// that is in progress has returned. After any error, a call of from.Read may continue in the background,
// and the data that it reads is lost.
func Stream(ctx context.Context, p *pillbox.Prepared, from io.Reader, to io.Writer, opt Options) (Totals, error) {
	opt.Workers = parallel.Workers(max(opt.Workers, 0))
	s := &stream{
		Options: opt,
		world:   treeOf(p),
		faces:   facesOf(p.Scene()),
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

// stream is one call of [Stream]. One goroutine divides the input into jobs, the workers cast the jobs,
// and the goroutine that called Stream writes their output in the order of the input.
type stream struct {
	Options
	world   *accel.BVH
	faces   []string // see [facesOf]
	columns []int    // of a CSV file, see [cutter.header]; set before the first job is sent
	free    buffers
	work    chan *job // jobs for the workers
	order   chan *job // all jobs, also those without rays, in output order
}

// job is a sequence of complete rows of the input, with their output.
type job struct {
	rows []byte
	line int64       // line number of the first row
	row  int64       // number of the first row
	out  chan []byte // the output, in pieces; closed after the last

	// These are set before out is closed.
	Totals
	err error // ends the stream
}

func newJob(rows []byte) *job { return &job{rows: rows, out: make(chan []byte, 1)} }

// done returns a job that is already finished and has the given output. If err is not nil, the stream ends
// with err after this job.
func done(text []byte, err error) *job {
	j := newJob(nil)
	if len(text) > 0 {
		j.out <- text
	}
	j.err = err
	close(j.out)
	return j
}

// read divides the input into jobs, and sends an error as the last job.
func (s *stream) read(ctx context.Context, from io.Reader) {
	defer close(s.order)
	defer close(s.work)
	if err := s.cut(ctx, newCutter(&s.Options, from)); err != io.EOF {
		send(ctx, s.order, done(nil, err))
	}
}

// cut divides the input into jobs until the input or ctx ends. At the end of the input it returns
// io.EOF.
func (s *stream) cut(ctx context.Context, c *cutter) error {
	var err error
	if s.Format == CSV {
		if s.columns, err = c.header(); err != nil {
			return err
		}
		e := encoder{Options: &s.Options, faces: s.faces, isHeader: true}
		e.row(0, nil, nil)
		if err := send(ctx, s.order, done(e.out, nil)); err != nil {
			return err
		}
	}
	for {
		j, err := c.next(s.free.newBuffer())
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

// write writes the output of the jobs in order.
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

// send sends a value, or returns the cause if ctx ends first.
func send[T any](ctx context.Context, to chan T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// receive returns the next value of a channel, the zero value if the channel is closed, or the cause if
// ctx ends first.
func receive[T any](ctx context.Context, from chan T) (v T, err error) {
	select {
	case v = <-from:
		return v, nil
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
}

// cast runs jobs until none is left or ctx ends.
func (s *stream) cast(ctx context.Context) {
	w := worker{stream: s, encoder: encoder{Options: &s.Options, faces: s.faces}}
	for {
		j, err := receive(ctx, s.work)
		if j == nil || err != nil || w.do(ctx, j) != nil {
			return
		}
		s.free.give(j.rows)
	}
}

// worker runs jobs, one at a time.
type worker struct {
	stream  *stream
	encoder encoder

	// Scratch memory.
	batch   []row
	rays    []geom.Ray
	nearest []accel.Hit
	hits    []Hit
}

// row is a decoded row of the input.
type row struct {
	line     int64
	from, to geom.Vec3 // as [Cast] takes them
	err      error     // why it cannot be cast
}

const (
	batchRows  = 256     // rows that are cast as one batch
	pieceBytes = 1 << 16 // size from which output is sent as a piece
)

// do casts the rows of a job. It returns an error only if ctx ends.
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

// castBatch casts and encodes the rows of the batch and empties it. It returns an error only if ctx
// ends.
func (w *worker) castBatch(ctx context.Context, j *job) error {
	s, q := w.stream, w.stream.query()
	if q == First {
		w.castFirst()
	}
	next := 0 // index into w.nearest
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

// castFirst stores the closest hits of the valid rays of the batch in w.nearest, one after the other. A
// ray whose direction is zero gets an error instead.
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

// flush sends the encoded output to the writer. It returns an error only if ctx ends.
func (w *worker) flush(ctx context.Context, j *job) error {
	if len(w.encoder.out) == 0 {
		return nil
	}
	if err := send(ctx, j.out, w.encoder.out); err != nil {
		return err
	}
	w.encoder.out = w.stream.free.newBuffer()[:0]
	return nil
}

// buffers is a free list of buffers.
type buffers chan []byte

// newBuffer returns a buffer of at least chunkBytes, with arbitrary contents.
func (b buffers) newBuffer() []byte {
	select {
	case buffer := <-b:
		return buffer[:cap(buffer)]
	default:
		return make([]byte, chunkBytes)
	}
}

// give returns a buffer to the free list. It drops buffers that are too small or have grown too large.
func (b buffers) give(buffer []byte) {
	if cap(buffer) < chunkBytes || cap(buffer) > 4*chunkBytes {
		return
	}
	select {
	case b <- buffer:
	default:
	}
}
