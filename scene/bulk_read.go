package scene

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/internal/parallel"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// chunkSize is the approximate size in bytes of a chunk of a bulk file, which one goroutine reads. A chunk has many
// rows, and a large file has many chunks.
const chunkSize = 1 << 18

// read reads the solids of the file. It returns errors of reading the file, and collects all others.
func (b *bulk) read(file fs.File, p *progress) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	counted := p.section(info.Size())
	defer counted.end()
	s := splitter{file: file, expected: info.Size()}
	text, err := s.next(nil)
	if err != nil && err != io.EOF {
		return err
	}
	rows := newRows(b.Name, tomltext.WithoutMark(text), 1)
	if e := rows.invalid(); e != nil {
		b.errors.addError(func() *problem.Error { return e })
		return nil
	}
	if !b.readHeader(&rows) {
		return nil
	}
	b.findColumns()
	chunks, err := b.readChunks(&s, &rows, info.Size(), counted)
	if err != nil {
		return err
	}
	b.join(chunks)
	return nil
}

// readChunks reads the rows after the header on all processors. Only a few chunks of the text are in memory at a time,
// unless the file has a column of names. Then all text is kept, because the row of a duplicate name must be read again.
func (b *bulk) readChunks(s *splitter, header *rows, size int64, counted *section) (chunks []*chunk, err error) {
	end := int(header.csv.InputOffset())
	line := 1 + bytes.Count(header.text[:end], []byte("\n"))
	s.begun = slices.Concat(header.text[end:], s.begun)
	b.solids = makeSolids(b.kind, 0, estimateRows(s.begun, size-int64(end)))
	rest := b.solids // the room that is not assigned to a chunk yet
	var reading sync.Mutex
	next := func(used []byte) *chunk {
		reading.Lock()
		defer reading.Unlock()
		var text []byte
		if err == nil {
			text, err = s.next(used)
		}
		if err != nil {
			return nil
		}
		c := &chunk{bulk: b, rows: newRows(b.Name, text, line), solids: rest.cut(b.kind, mostRows(text))}
		line += bytes.Count(text, []byte("\n"))
		chunks = append(chunks, c)
		return c
	}
	parallel.Do(parallel.Workers(0), func() {
		var used []byte // memory of the previous text
		for c := next(nil); c != nil; c = next(used) {
			c.read()
			counted.read(len(c.text))
			if b.index.name < 0 {
				used, c.rows = c.text, rows{}
			}
		}
	})
	if err == io.EOF {
		err = nil
	}
	return chunks, err
}

// join collects the contents of the chunks.
func (b *bulk) join(chunks []*chunk) {
	if i := slices.IndexFunc(chunks, func(c *chunk) bool { return c.syntax != nil }); i >= 0 {
		b.errors = cappedErrors{} // other errors in invalid text are meaningless
		b.errors.addError(func() *problem.Error { return chunks[i].syntax })
		b.solids = solids{}
		return
	}
	names, materials := 0, 0
	for _, c := range chunks {
		names += len(c.own.names)
		materials += len(c.own.materials)
	}
	shared := len(b.tables.materials)
	b.tables.grow(names, materials)
	for _, c := range chunks {
		c.renumber(shared)
		b.tables.join(&c.own)
		c.own = tables{}
		b.errors.join(&c.errors)
		for _, r := range c.lines {
			b.lines = appendLine(b.lines, b.count+r.solid, r.line)
		}
		for _, i := range c.long.solids() {
			b.rowTexts.set(b.count+i, c.long[i])
		}
		if b.index.name >= 0 {
			b.texts = append(b.texts, c.rows)
		}
		b.count += len(c.objects)
		b.solids.join(b.kind, &c.solids)
	}
}

// renumber changes the chunk's indices of names and materials to those in the tables of the whole bulk. Call it just
// before the chunk's own names and materials are appended to these tables. Materials below the index shared belong to
// all chunks and keep their index.
func (c *chunk) renumber(shared int) {
	if len(c.own.names) == 0 && len(c.own.materials) == 0 {
		return
	}
	names, materials := uint32(len(c.tables.names)), uint32(len(c.tables.materials)-shared)
	for i := range c.objects {
		o := &c.objects[i]
		if o.name > 0 {
			o.name += names
		}
		if int(o.material) >= shared {
			o.material += materials
		}
	}
}

// estimateRows returns a probable upper bound of the number of rows in a file of the given size, from
// the text at its beginning. If the estimate is too small, all rows are copied once.
func estimateRows(text []byte, size int64) int {
	n := mostRows(text)
	if int64(len(text)) >= size {
		return n
	}
	return geom.ClampInt(1.01*float64(n)*float64(size)/float64(len(text)+1), 0, math.MaxInt32) + 1
}

// mostRows returns an upper bound of the number of rows in a text: the number of its lines without most of the empty
// ones.
func mostRows(text []byte) int {
	n := bytes.Count(text, []byte("\n")) - bytes.Count(text, []byte("\n\n")) - bytes.Count(text, []byte("\n\r\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// splitter divides a file into chunks of whole rows. Each chunk but the last ends at a line break and has an even
// number of quotes, so it does not end within a quoted field.
type splitter struct {
	file  io.Reader
	begun []byte // beginning of the next chunk
	size  int64  // size of the text so far

	expected int64 // the size of the file when it was opened; it may have changed
}

// next returns the next chunk, and [io.EOF] after the last. It reuses the memory of the slice used. Any other error is
// an error of reading the file.
func (s *splitter) next(used []byte) (text []byte, err error) {
	text = append(used[:0], s.begun...)
	quotes, counted := 0, 0
	for {
		n := len(text)
		room := chunkSize
		if left := s.expected - s.size; 0 <= left && left < chunkSize {
			room = int(left) + 1 // exact, because a scene may have thousands of files of a few bytes
		}
		text = slices.Grow(text, room)[:n+room]
		read, err := io.ReadFull(s.file, text[n:])
		text = text[:n+read]
		if s.size += int64(read); s.size > MaxBulkBytes {
			return nil, errTooLarge()
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			if s.begun = nil; len(text) == 0 {
				return nil, io.EOF
			}
			return text, nil
		default:
			return nil, err
		}
		end := counted + bytes.LastIndexByte(text[counted:], '\n') + 1
		quotes += bytes.Count(text[counted:end], []byte(`"`))
		if counted = end; end > 0 && quotes%2 == 0 {
			s.begun = append(s.begun[:0], text[end:]...)
			return text[:end], nil
		}
	}
}

func errTooLarge() error { return fmt.Errorf("larger than %d MiB", MaxBulkBytes>>20) }
