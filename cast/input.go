package cast

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
)

// chunkBytes is the size of a new input buffer, and the limit of a line. Reused buffers can be up to four times as large.
const chunkBytes = 1 << 17

// cutter divides the input into jobs of complete rows.
type cutter struct {
	*Options
	from  *bufio.Reader
	err   error  // the error that reading from returned, or nil
	begun []byte // the start of an incomplete row
	line  int64  // line number of the next row, counted from 1
	row   int64  // number of the next row, counted from 0
}

func newCutter(o *Options, from io.Reader) *cutter {
	return &cutter{Options: o, from: bufio.NewReaderSize(from, chunkBytes), line: 1}
}

// next reads input into buffer until the buffer contains at least one complete row. It returns a job with
// all complete rows in the buffer, which the job then owns. At the end of the input, the last row may lack
// a line break.
func (c *cutter) next(buffer []byte) (*job, error) {
	buffer = buffer[:chunkBytes] // the limit of a line must not depend on which buffer is reused
	n := copy(buffer, c.begun)
	for c.err == nil {
		if n == len(buffer) {
			return nil, c.wrong(c.row, "must be at most %d bytes long", len(buffer)-1)
		}
		var more int
		more, c.err = c.from.Read(buffer[n:])
		n += more
		whole := c.Format.whole(buffer[:n])
		if c.err == io.EOF {
			whole = n // the last row may lack a line break
		}
		if whole > 0 {
			c.begun = append(c.begun[:0], buffer[whole:n]...)
			return c.job(buffer[:whole]), nil
		}
	}
	return nil, c.err
}

// job returns a job for rows, and advances the counts of lines and rows.
func (c *cutter) job(rows []byte) *job {
	j := newJob(rows)
	j.line, j.row = c.line, c.row
	for row := range c.Format.rows(rows) {
		c.line++
		if !c.Format.isBlank(row) {
			c.row++
		}
	}
	return j
}

// wrong returns an [*Error] for the current line; row is its row number, or noRow.
func (c *cutter) wrong(row int64, format string, args ...any) *Error {
	return &Error{c.Source, c.Format.line(c.line), row, fmt.Sprintf(format, args...)}
}

// noRow is the Row of an [Error] for a line that is not a row.
const noRow = -1

// header reads the header of a CSV file, its first nonblank line. It returns a number for each column: the
// index in Query.fields() of the field that the column contains, or unread if the column is ignored.
func (c *cutter) header() ([]int, error) {
	for {
		line, err := c.from.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return nil, c.wrong(noRow, "must be at most %d bytes long", chunkBytes-1)
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if c.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // the byte order mark that editors on Windows write
		}
		if !c.Format.isBlank(line) {
			columns, problem := c.columnsOf(line)
			if problem != "" {
				return nil, c.wrong(noRow, "%s", problem)
			}
			c.line++
			return columns, nil
		}
		if err == io.EOF {
			return nil, c.wrong(noRow, "%s, got an empty file", c.wanted())
		}
		c.line++
	}
}

// unread marks a column that is ignored.
const unread = -1

// columnsOf parses the header in line and returns the columns as the method header does. If the header is
// invalid, it returns a description of the problem instead.
func (c *cutter) columnsOf(line []byte) (columns []int, problem string) {
	names, err := splitQuoted(line)
	if err != nil {
		return nil, err.Error()
	}
	seen := 0
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		number := slices.Index(c.Query.fields(), names[i])
		if number != unread && slices.Contains(columns, number) {
			return nil, fmt.Sprintf("the header must have %s once, got it twice", names[i])
		}
		if number != unread {
			seen++
		}
		columns = append(columns, number)
	}
	if seen < len(c.Query.fields()) {
		return nil, fmt.Sprintf("%s, got %.80q", c.wanted(), strings.Join(names, ","))
	}
	return columns, ""
}

// wanted describes the required header, for messages.
func (c *cutter) wanted() string {
	return "want a header with the columns " + strings.Join(c.Query.fields(), ",")
}

// fields returns the names of the six numbers of a row.
func (q Query) fields() []string {
	if q.isSegment() {
		return []string{"ax", "ay", "az", "bx", "by", "bz"}
	}
	return []string{"ox", "oy", "oz", "dx", "dy", "dz"}
}

// decoder decodes rows of the input.
type decoder struct {
	*Options
	columns []int // of a CSV file: see header
}

// decode decodes a row of the input into r. It sets the points of r or, if the row is invalid, r.err.
func (d *decoder) decode(text []byte, r *row) {
	var n [6]float64
	switch d.Format {
	case CSV:
		r.err = d.csv(text, &n)
	case JSONLines:
		r.err = d.json(text, &n)
	default:
		r.err = float64s(text, &n)
	}
	if r.err == nil {
		r.err = d.check(&n)
	}
	r.from, r.to = geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}
}

// check returns an error if a coordinate is out of range or a component of a direction is not finite.
func (d *decoder) check(n *[6]float64) error {
	for i, x := range n {
		if i >= 3 && !d.Query.isSegment() {
			if !(math.Abs(x) <= math.MaxFloat64) {
				return fmt.Errorf("%s: must be finite, got %v", d.Query.fields()[i], x)
			}
		} else if !(math.Abs(x) <= geom.MaxCoordinate) {
			return fmt.Errorf("%s: must be at most %g in magnitude, got %v", d.Query.fields()[i], geom.MaxCoordinate, x)
		}
	}
	return nil
}

// csv decodes a line of CSV.
func (d *decoder) csv(line []byte, n *[6]float64) error {
	if bytes.IndexByte(line, '"') >= 0 {
		return d.quoted(line, n)
	}
	i := 0
	for more := true; more; i++ {
		field := line
		end := bytes.IndexByte(line, ',')
		if more = end >= 0; more {
			field, line = line[:end], line[end+1:]
		}
		if err := d.set(i, field, n); err != nil {
			return err
		}
	}
	return d.counted(i)
}

// quoted decodes a line of CSV that contains quotes, which is rare.
func (d *decoder) quoted(line []byte, n *[6]float64) error {
	fields, err := splitQuoted(line)
	if err != nil {
		return err
	}
	for i, field := range fields {
		if err := d.set(i, []byte(field), n); err != nil {
			return err
		}
	}
	return d.counted(len(fields))
}

// splitQuoted returns the fields of a line of CSV.
func splitQuoted(line []byte) ([]string, error) {
	r := csv.NewReader(bytes.NewReader(line))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	fields, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("must be a whole line of CSV, got %.60q", bytes.TrimRight(line, "\r\n"))
	}
	return fields, nil
}

// set parses the text of a field in the given column of a CSV file and stores the number in n. It ignores
// columns that the header marks as unread.
func (d *decoder) set(column int, field []byte, n *[6]float64) error {
	if column >= len(d.columns) || d.columns[column] == unread {
		return nil
	}
	i := d.columns[column]
	field = bytes.TrimSpace(field)
	x, err := strconv.ParseFloat(string(field), 64)
	if err != nil {
		return fmt.Errorf("%s: must be a number, got %.40q", d.Query.fields()[i], field)
	}
	n[i] = x
	return nil
}

// counted returns an error if a line does not have exactly as many fields as the header.
func (d *decoder) counted(fields int) error {
	if fields != len(d.columns) {
		return fmt.Errorf("must have as many fields as the header, %d, got %d", len(d.columns), fields)
	}
	return nil
}

// json decodes a JSON object.
func (d *decoder) json(line []byte, n *[6]float64) error {
	nan := math.NaN() // remains where a number is missing
	row := struct{ OX, OY, OZ, DX, DY, DZ, AX, AY, AZ, BX, BY, BZ float64 }{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	err := json.Unmarshal(line, &row)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s: must be a number, got %.40s", strings.ToLower(kind.Field), strings.TrimPrefix(kind.Value, "number "))
	case err != nil:
		return fmt.Errorf("must be a JSON object in a line, got %.60q", bytes.TrimSpace(line))
	case d.Query.isSegment():
		*n = [6]float64{row.AX, row.AY, row.AZ, row.BX, row.BY, row.BZ}
	default:
		*n = [6]float64{row.OX, row.OY, row.OZ, row.DX, row.DY, row.DZ}
	}
	for i, x := range n {
		if math.IsNaN(x) {
			return fmt.Errorf("%s: missing", d.Query.fields()[i])
		}
	}
	return nil
}

// float64s decodes six numbers.
func float64s(record []byte, n *[6]float64) error {
	if len(record) != recordBytes {
		return fmt.Errorf("want %d bytes, got %d: the input is cut off", recordBytes, len(record))
	}
	for i := range n {
		n[i] = math.Float64frombits(binary.LittleEndian.Uint64(record[8*i:]))
	}
	return nil
}
