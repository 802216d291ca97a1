package cast

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// Request is the kind of a request to [Serve]. Requests below Pixels are values of [Query]; with
// CountRequest added, the answer has only numbers of crossings.
type Request uint32

const (
	Pixels       Request = 16  // cast the camera's rays through the centers of pixels
	Names        Request = 17  // the numbers and names of all solids
	Time         Request = 18  // move the scene to a time of its animation, for all later requests
	Bounds       Request = 19  // the axis-aligned bounds of all solids
	CountRequest Request = 256 // added to a Query: only numbers of crossings
)

// requestBytes is the size of the header of a request: its kind, a width and a number of rows.
const requestBytes = 16

// wholeRows is the largest number of rows that are read before the first row of the answer is written.
const wholeRows = 4096

// Serve reads requests of another program and answers them one after the other, until the input ends. It
// keeps the prepared scene between requests. All numbers are little-endian.
//
// A request begins with 16 bytes: its kind and a width, as 32-bit integers, and a number of rows, as a
// 64-bit integer. A request to cast rays or segments has width 0 and is followed by its rows in the format
// [Float64]. [Pixels] has the picture's width, and as the number of rows the number of its pixels; no rows
// follow. [Time] has width 0 and is followed by one row, whose first number is the time in seconds. [Names]
// and [Bounds] have width 0 and no rows.
//
// An answer consists of pieces: the size of the piece in bytes, as a 64-bit integer, and its data. A piece
// of size 0 ends the answer. The data for rays, segments and Pixels is in the format [Records]; an invalid
// row gets a record with error 1. The data for Names is the JSON of a [Table]. The data for Bounds consists
// of six float64 for each solid: the least x, y and z and the greatest, or NaN if sections take the whole solid
// away. The answer to Time has no data.
//
// Serve reads all rows of a request of up to 4,096 rows before it writes the answer. So the program can
// write such a request to a pipe and then read the answer. For a longer request, the program must read the
// answer while it writes the rows.
//
// Serve ignores the settings Query, Count, Format and KeepGoing of opt. It returns nil if the input ends
// between two requests. It returns an error if a request is invalid, if the input ends within a request, or
// if reading, writing or the context fails, as for [Stream].
func Serve(ctx context.Context, p *pillbox.Prepared, from io.Reader, to io.Writer, opt Options) error {
	opt.Query, opt.Count, opt.Format, opt.KeepGoing = First, false, Records, true
	opt.Workers = parallel.Workers(max(opt.Workers, 0))
	s := &server{scene: p.Scene(), prepared: p, options: opt, from: bufio.NewReaderSize(from, chunkBytes), to: bufio.NewWriterSize(to, 2*chunkBytes)}
	for {
		var header [requestBytes]byte
		if _, err := io.ReadFull(s.from, header[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		order := binary.LittleEndian
		kind, width, count := Request(order.Uint32(header[:])), order.Uint32(header[4:]), order.Uint64(header[8:])
		if err := s.answer(ctx, kind, width, count); err != nil {
			return err
		}
		if err := s.piece(nil); err != nil {
			return err
		}
		if err := s.to.Flush(); err != nil {
			return err
		}
	}
}

// server is one call of [Serve].
type server struct {
	scene    *scene.Scene // the scene that Serve was given; move computes scenes at other times from it
	prepared *pillbox.Prepared
	options  Options
	from     *bufio.Reader
	to       *bufio.Writer
	small    map[Request][]*worker // workers for requests of at most wholeRows rows, by the kind of request
	whole    []byte                // memory for the rows of such a request
}

// piece writes a piece of an answer.
func (s *server) piece(data []byte) error {
	if _, err := s.to.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(data)))); err != nil {
		return err
	}
	_, err := s.to.Write(data)
	return err
}

// Write writes data as a piece of an answer. It makes the server an [io.Writer] to which [Stream] can write.
func (s *server) Write(data []byte) (int, error) { return len(data), s.piece(data) }

// answer writes the answer to one request, except the piece of size 0 that ends the answer.
func (s *server) answer(ctx context.Context, kind Request, width uint32, count uint64) error {
	query := Query(kind &^ CountRequest)
	switch {
	case kind == Names && width == 0 && count == 0:
		data, err := json.Marshal(TableOf(s.prepared.Scene()))
		if err != nil {
			return err
		}
		return s.piece(data)
	case kind == Time && width == 0 && count == 1:
		return s.move()
	case kind == Bounds && width == 0 && count == 0:
		return s.bounds()
	case kind == Pixels && width > 0 && count%uint64(width) == 0 && count/uint64(width) <= math.MaxInt32:
		return s.pixels(ctx, image.Pt(int(width), int(count/uint64(width))))
	case kind&^CountRequest > Request(Through) || width != 0 || count > math.MaxInt64/recordBytes:
		return fmt.Errorf("invalid request: kind %d, width %d, %d rows", kind, width, count)
	}
	var rows io.Reader = &io.LimitedReader{R: s.from, N: int64(count) * recordBytes}
	if count <= wholeRows {
		whole, err := s.readWhole(int(count))
		if err != nil {
			return err
		}
		if query == First || query == Segment || kind&CountRequest != 0 {
			return s.few(ctx, kind, whole)
		}
		rows = bytes.NewReader(whole)
	}
	opt := s.options
	opt.Query, opt.Count = query, kind&CountRequest != 0
	totals, err := Stream(ctx, s.prepared, rows, s, opt)
	if err == nil && totals.Rows != int64(count) {
		err = fmt.Errorf("a request of %d rows: %w", count, io.ErrUnexpectedEOF)
	}
	return err
}

// move moves the scene to the time that the request contains.
func (s *server) move() error {
	var row [recordBytes]byte
	if _, err := io.ReadFull(s.from, row[:]); err != nil {
		return fmt.Errorf("a request of a time: %w", err)
	}
	if s.scene.Animation == nil {
		return fmt.Errorf("%s has no [animation], and shows the same at any time", s.scene.Name)
	}
	now, err := s.scene.At(math.Float64frombits(binary.LittleEndian.Uint64(row[:])))
	if err != nil {
		return err
	}
	s.small = nil // its workers have the old tree
	s.prepared, err = pillbox.Prepare(now, pillbox.Picture{})
	return err
}

// bounds writes the bounds of all solids.
func (s *server) bounds() error {
	world := treeOf(s.prepared)
	var out []byte
	for number := range s.prepared.Scene().Objects.Len() {
		nan := math.NaN()
		b := geom.Bounds{Min: geom.Vec3{X: nan, Y: nan, Z: nan}, Max: geom.Vec3{X: nan, Y: nan, Z: nan}}
		if shape := world.Shape(int32(number)); shape != nil {
			b = shape.Bounds()
		}
		for _, x := range [...]float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
		if len(out) >= pieceBytes {
			if err := s.piece(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	if len(out) == 0 {
		return nil // an empty piece would end the answer
	}
	return s.piece(out)
}

// readWhole reads all rows of a request, at most wholeRows. The result is valid until the next call of
// readWhole.
func (s *server) readWhole(count int) ([]byte, error) {
	if s.whole == nil {
		s.whole = make([]byte, wholeRows*recordBytes)
	}
	rows := s.whole[:count*recordBytes]
	if _, err := io.ReadFull(s.from, rows); err != nil {
		return nil, fmt.Errorf("a request of %d rows: %w", count, err)
	}
	return rows, nil
}

// few answers a request whose answer has one record for each row. Unlike [Stream], it keeps its memory for the next
// request, and starts no goroutines for a single batch.
func (s *server) few(ctx context.Context, kind Request, rows []byte) error {
	const size = batchRows * recordBytes
	parts := (len(rows) + size - 1) / size
	workers := s.workers(kind, parts)
	err := parallel.Each(ctx, s.options.Workers, parts, func(ctx context.Context, i int) error {
		return workers[i].castPart(ctx, rows[i*size:min((i+1)*size, len(rows))], int64(i*batchRows))
	})
	for i := 0; i < parts && err == nil; i++ {
		err = s.piece(workers[i].encoder.out)
	}
	return err
}

// workers returns at least n workers that are set up for a kind of request. It keeps them for the next
// request of this kind.
func (s *server) workers(kind Request, n int) []*worker {
	if s.small == nil {
		s.small = make(map[Request][]*worker)
	}
	for len(s.small[kind]) < n {
		opt := s.options
		opt.Query, opt.Count = Query(kind&^CountRequest), kind&CountRequest != 0
		shared := &stream{Options: opt, world: treeOf(s.prepared)}
		s.small[kind] = append(s.small[kind], &worker{stream: shared, encoder: encoder{Options: &shared.Options}})
	}
	return s.small[kind]
}

// castPart casts rows, at most batchRows of them, and leaves the encoded records in w.encoder. The
// parameter number is the row number of the first one.
func (w *worker) castPart(ctx context.Context, rows []byte, number int64) error {
	in := decoder{Options: &w.stream.Options}
	for text := range w.stream.Format.rows(rows) {
		w.batch = append(w.batch, row{})
		in.decode(text, &w.batch[len(w.batch)-1])
	}
	w.encoder.out = w.encoder.out[:0]
	j := newJob(nil)
	j.row = number
	return w.castBatch(ctx, j)
}

// pixels casts the rays through the centers of the pixels of a picture, row by row.
func (s *server) pixels(ctx context.Context, size image.Point) error {
	if size.Y == 0 || size.X > scene.MaxSide || size.Y > scene.MaxSide || size.X*size.Y > scene.MaxPixels {
		return fmt.Errorf("invalid request: a picture of %d x %d pixels", size.X, size.Y)
	}
	view, err := s.prepared.Scene().View(size.X, size.Y)
	if err != nil {
		return err
	}
	lines := make([]pixelLine, min(size.Y, 4*s.options.Workers))
	for from := 0; from < size.Y; from += len(lines) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		now := lines[:min(len(lines), size.Y-from)]
		parallel.For(len(now), func(i int) { now[i].cast(s, view, from+i, size.X) })
		for i := range now {
			if err := s.piece(now[i].out); err != nil {
				return err
			}
		}
	}
	return nil
}

// pixelLine holds the rays, the hits and the output of one line of pixels. Its memory is reused for later
// lines.
type pixelLine struct {
	rays []geom.Ray
	hits []accel.Hit
	out  []byte // the records
}

// cast casts the rays of line y of a picture.
func (l *pixelLine) cast(s *server, view *camera.View, y, width int) {
	if l.rays == nil {
		l.rays, l.hits = make([]geom.Ray, width), make([]accel.Hit, width)
	}
	packet := view.Packet(image.Rect(0, y, width, y+1), 1)
	for x := range l.rays {
		l.rays[x] = packet.At(x)
	}
	treeOf(s.prepared).NearestEach(l.rays, l.hits)
	e := encoder{Options: &s.options, out: l.out[:0]}
	var room [1]Hit
	for x, h := range l.hits {
		e.row(int64(y*width+x), met(h, room[:0]), nil)
	}
	l.out = e.out
}

// Table lists the solids of a scene.
type Table struct {
	Kinds map[string]int   `json:"kinds"` // the number of solids of each kind; solids are numbered kind by kind, in the order of [scene.KindNames]
	Names map[int32]string `json:"names"` // by object number, of the solids that have one
}

// TableOf returns the table of a scene.
func TableOf(s *scene.Scene) Table {
	t := Table{Kinds: make(map[string]int), Names: make(map[int32]string)}
	for _, kind := range scene.KindNames() {
		t.Kinds[kind] = 0
	}
	for number := range s.Objects.Len() {
		kind, _ := s.Of(number)
		t.Kinds[kind.String()]++
		if name := s.Objects.Name(number); name != "" {
			t.Names[int32(number)] = name
		}
	}
	return t
}
