package cast_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"pillbox"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"pillbox/cast"
	"pillbox/geom"
	"pillbox/shapes"
)

// stream calls Stream with text as its input, and returns the output.
func stream(w *pillbox.Prepared, text string, opt cast.Options) (string, cast.Totals, error) {
	var out bytes.Buffer
	opt.Source = "rays"
	totals, err := cast.Stream(context.Background(), w, strings.NewReader(text), &out, opt)
	return out.String(), totals, err
}

// oneBall returns a prepared scene with one sphere.
func oneBall() *pillbox.Prepared {
	return (&solids{spheres: []shapes.Sphere{{Center: geom.Vec3{Z: -5}, Radius: 1}}}).world()
}

const (
	rayHeader     = "ox,oy,oz,dx,dy,dz\n"
	segmentHeader = "ax,ay,az,bx,by,bz\n"
	hitHeader     = "ray,t,x,y,z,nx,ny,nz,object,name,inside"
)

// randomRows returns input rows in the format f, each with two random points. names is the header of a CSV file.
func randomRows(rng *rand.Rand, f cast.Format, names string, rows int) string {
	var b strings.Builder
	if f == cast.CSV {
		b.WriteString(names)
	}
	keys := strings.Split(strings.TrimSpace(names), ",")
	for range rows {
		for i, key := range keys {
			x := 24*rng.Float64() - 12
			switch f {
			case cast.CSV:
				fmt.Fprintf(&b, "%v%c", x, ",\n"[i/5])
			case cast.JSONLines:
				fmt.Fprintf(&b, "%s%q:%v%s", []string{"{", ","}[min(i, 1)], key, x, []string{"", "}\n"}[i/5])
			default:
				b.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
			}
		}
	}
	return b.String()
}

// TestNoNegativeZero checks that texts contain no -0. The segments start on a surface, where the computed position is
// a zero of either sign.
func TestNoNegativeZero(t *testing.T) {
	w := (&solids{spheres: []shapes.Sphere{{Radius: 1}}}).world()
	for _, query := range []cast.Query{cast.Segment, cast.Through} {
		for _, segment := range []string{"1,0,0,3,0,0", "1,0,0,-3,0,0", "0,0,-1,0,0,3", "0,1,0,0,-3,0", "-1,-0,-0,-3,-0,-0"} {
			got, _, err := stream(w, "ax,ay,az,bx,by,bz\n"+segment+"\n", cast.Options{Query: query})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(got+",", "-0,") || strings.Contains(got, "-0}") || strings.Contains(got, "-0\n") {
				t.Errorf("%s: %s", segment, got)
			}
		}
	}
}

// TestStreamSameForAnyWorkers checks that neither the number of workers nor the sizes of reads affect the output.
func TestStreamSameForAnyWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	w := scatter(rng, 60).world()
	for _, format := range []cast.Format{cast.CSV, cast.JSONLines, cast.Float64} {
		for q, names := range map[cast.Query]string{cast.First: rayHeader, cast.Line: rayHeader, cast.Through: segmentHeader} {
			opt := cast.Options{Query: q, Format: format, Name: func(o int32) string { return "solid " + strconv.Itoa(int(o)) }}
			text := randomRows(rng, format, names, 3000)
			opt.Workers = 1
			want, totals, err := stream(w, text, opt)
			if err != nil || totals != (cast.Totals{Rows: 3000}) {
				t.Fatalf("%v: %+v, %v", format, totals, err)
			}
			for _, opt.Workers = range []int{0, 2, 3, 8} {
				if got, _, err := stream(w, text, opt); got != want || err != nil {
					t.Errorf("%v with %d workers differs: %v", format, opt.Workers, err)
				}
			}
			small := text[:len(text)/20/48*48]
			want, _, _ = stream(w, small, opt)
			var got bytes.Buffer
			if _, err := cast.Stream(context.Background(), w, iotest.OneByteReader(strings.NewReader(small)), &got, opt); err != nil && format == cast.Float64 || got.String() != want {
				t.Errorf("%v byte by byte differs: %v", format, err)
			}
		}
	}
}

// TestStreamFormatsAgree checks that Stream reads the same rays in all formats, and writes the hits that Cast finds
// in all formats.
func TestStreamFormatsAgree(t *testing.T) {
	const rows = 500
	rng := rand.New(rand.NewPCG(43, 44))
	w := scatter(rng, 60).world()
	for q, names := range map[cast.Query]string{cast.First: rayHeader, cast.Ahead: rayHeader, cast.Line: rayHeader, cast.Segment: segmentHeader, cast.Through: segmentHeader} {
		seed := rng.Uint64()
		var tables [3][][]float64
		for f := range tables {
			format := cast.Format(f)
			text := randomRows(rand.New(rand.NewPCG(seed, 1)), format, names, rows)
			out, _, err := stream(w, text, cast.Options{Query: q, Format: format})
			if err != nil {
				t.Fatal(err)
			}
			tables[f] = table(t, out, format, q >= cast.Segment)
		}
		var want [][]float64
		pairs := table(t, randomRows(rand.New(rand.NewPCG(seed, 1)), cast.Float64, names, rows), cast.Float64, false, 6)
		for i, n := range pairs {
			hits, err := cast.Cast(w, q, geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, numbers(i, hits, q >= cast.Segment)...)
		}
		for f, got := range tables {
			if !slices.EqualFunc(got, want, sameBits) {
				t.Errorf("query %d: %v differs from Cast", q, cast.Format(f))
			}
		}
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// numbers returns the output rows for the hits of one ray, as Stream writes them in the format [cast.Float64].
func numbers(ray int, hits []cast.Hit, segments bool) [][]float64 {
	nan := math.NaN()
	var rows [][]float64
	for _, h := range hits {
		row := []float64{float64(ray), h.T, h.Point.X, h.Point.Y, h.Point.Z, h.Normal.X, h.Normal.Y, h.Normal.Z, float64(h.Object), truth(h.Inside)}
		if math.IsInf(h.T, 1) {
			for i := range 7 {
				row[1+i] = nan
			}
		}
		rows = append(rows, append(row, truth(h.Touches)))
	}
	if len(hits) == 0 {
		rows = [][]float64{{float64(ray), nan, nan, nan, nan, nan, nan, nan, nan, nan, 0}}
	}
	for i := range rows {
		if !segments {
			rows[i] = rows[i][:10]
		}
	}
	return rows
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// table parses an output in the format f into rows of numbers. Empty fields become NaN, and the column of names is
// omitted. width, if given, is the number of columns of an output in the format Float64.
func table(t *testing.T, out string, f cast.Format, segments bool, width ...int) [][]float64 {
	t.Helper()
	keys := strings.Split(strings.Replace(hitHeader, ",name", "", 1), ",")
	if segments {
		keys = append(keys, "touches")
	}
	number := func(text string) float64 {
		switch text {
		case "", "null", "<nil>":
			return math.NaN()
		case "true", "false":
			return truth(text == "true")
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var rows [][]float64
	switch f {
	case cast.CSV:
		records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range records[1:] {
			var row []float64
			for i, name := range records[0] {
				if name != "name" {
					row = append(row, number(record[i]))
				}
			}
			rows = append(rows, row)
		}
	case cast.JSONLines:
		for line := range strings.Lines(out) {
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			var object map[string]any
			if err := d.Decode(&object); err != nil {
				t.Fatal(err)
			}
			var row []float64
			for _, key := range keys {
				row = append(row, number(fmt.Sprint(object[key])))
			}
			if len(object) != len(keys)+1 {
				t.Fatalf("other keys than %q and name: %s", keys, line)
			}
			rows = append(rows, row)
		}
	default:
		n := append(width, len(keys))[0]
		for record := range slices.Chunk([]byte(out), 8*n) {
			row := make([]float64, n)
			if err := binary.Read(bytes.NewReader(record), binary.LittleEndian, row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestStreamOutput checks the exact output for all kinds of hits.
func TestStreamOutput(t *testing.T) {
	w := oneBall()
	named := func(name string) func(int32) string { return func(int32) string { return name } }
	for _, c := range []struct {
		in   string
		opt  cast.Options
		want string
	}{
		{rayHeader + "0,0,0,0,0,-2\n0,0,-5,0,0,-2\n0,0,0,0,0,1", cast.Options{Name: named("ball")},
			hitHeader + "\n0,4,0,0,-4,0,0,1,0,ball,false\n1,1,0,0,-6,0,0,-1,0,ball,true\n2,,,,,,,,,,\n"},
		{rayHeader, cast.Options{}, hitHeader + "\n"},
		{rayHeader + "0,0,-9,0,0,-1\n", cast.Options{Query: cast.Line},
			hitHeader + "\n0,-5,0,0,-4,0,0,1,0,,false\n0,-3,0,0,-6,0,0,-1,0,,true\n"},
		{rayHeader + "0,0,0,0,0,-2\n0,0,0,0,0,1\n", cast.Options{Count: true}, "ray,count\n0,2\n1,0\n"},
		{rayHeader + "0,0,-9,0,0,-1\n", cast.Options{Query: cast.Line, Count: true}, "ray,count\n0,2\n"},
		{rayHeader + "0,0,-9,0,0,-1\n", cast.Options{Query: cast.Ahead, Count: true}, "ray,count\n0,0\n"},
		{segmentHeader + "0,0,0,0,0,-8\n0,0,-5,0,0,-5.5\n0,0,0,0,0,-3\n", cast.Options{Query: cast.Segment},
			hitHeader + ",touches\n0,0.5,0,0,-4,0,0,1,0,,false,true\n1,,,,,,,,0,,true,true\n2,,,,,,,,,,,false\n"},
		{segmentHeader + "0,0,0,0,0,-8\n0,0,-5,0,0,-5.5\n0,0,0,0,0,-3\n", cast.Options{Query: cast.Segment, Count: true},
			"ray,count,touches\n0,2,true\n1,0,true\n2,0,false\n"},
		{rayHeader + "0,0,0,0,0,-2\n", cast.Options{Name: named(`a "b", c`)}, hitHeader + "\n" + `0,4,0,0,-4,0,0,1,0,"a ""b"", c",false` + "\n"},
		{rayHeader + "0,0,0,0,0,-2\n", cast.Options{Name: named("a\nb")}, hitHeader + "\n" + `0,4,0,0,-4,0,0,1,0,a\nb,false` + "\n"},
		{`{"ox":0,"oy":0,"oz":0,"dx":0,"dy":0,"dz":-2,"id":"left unread"}`, cast.Options{Format: cast.JSONLines, Name: named("a\u202e\n\"b")},
			`{"ray":0,"t":4,"x":0,"y":0,"z":-4,"nx":0,"ny":0,"nz":1,"object":0,"name":"a\u202e\n\"b","inside":false}` + "\n"},
		{`{"ox":0,"oy":0,"oz":0,"dx":0,"dy":0,"dz":2}`, cast.Options{Format: cast.JSONLines},
			`{"ray":0,"t":null,"x":null,"y":null,"z":null,"nx":null,"ny":null,"nz":null,"object":null,"name":null,"inside":null}` + "\n"},
		{"", cast.Options{Format: cast.JSONLines}, ""},
		{"", cast.Options{Format: cast.Float64}, ""},
		// A file as people write it: columns in any order, other columns, blank lines, quotes, spaces,
		// and a byte order mark and line ends of Windows.
		{"\ufeff\r\n dz, \"id, of mine\",ox,oy,oz,dx,dy \r\n\r\n-2, \"a, b\",0, 0 ,0,0,0\r\n  \n+1,,\"0\",0e5,0,0,0", cast.Options{},
			hitHeader + "\n0,4,0,0,-4,0,0,1,0,,false\n1,,,,,,,,,,\n"},
	} {
		got, _, err := stream(w, c.in, c.opt)
		if err != nil || got != c.want {
			t.Errorf("%q gives\n%s\n%v, want\n%s", c.in, got, err, c.want)
		}
	}
}

// TestStreamErrors checks the messages for invalid rows: each has a position and states what was expected. The
// output for earlier rows precedes the error. With KeepGoing, the error is part of the output row.
func TestStreamErrors(t *testing.T) {
	ok := "0,0,0,0,0,-2\n"
	for _, c := range []struct {
		in   string
		opt  cast.Options
		want string
		rows int64 // before the error
	}{
		{rayHeader + ok + "\n0,x,0,0,0,1\n" + ok, cast.Options{}, `rays:4: oy: must be a number, got "x"`, 1},
		{rayHeader + "0,,0,0,0,1\n", cast.Options{}, `rays:2: oy: must be a number, got ""`, 0},
		{rayHeader + "0,0,0,0,0,0\n", cast.Options{}, "rays:2: the direction must not be zero", 0},
		{rayHeader + "0,0,0,0,0\n", cast.Options{}, "rays:2: must have as many fields as the header, 6, got 5", 0},
		{rayHeader + "0,0,0,0,0,1,7\n", cast.Options{}, "rays:2: must have as many fields as the header, 6, got 7", 0},
		{rayHeader + "0,0,0,0,0,\"1\n", cast.Options{}, `rays:2: must be a whole line of CSV, got "0,0,0,0,0,\"1"`, 0},
		{rayHeader + "2e15,0,0,0,0,1\n", cast.Options{}, "rays:2: ox: must be at most 1e+15 in magnitude, got 2e+15", 0},
		{rayHeader + "0,nan,0,0,0,1\n", cast.Options{}, "rays:2: oy: must be at most 1e+15 in magnitude, got NaN", 0},
		{rayHeader + "0,0,0,0,-inf,1\n", cast.Options{}, "rays:2: dy: must be finite, got -Inf", 0},
		{rayHeader + "0,0,0,0,1e999,1\n", cast.Options{}, `rays:2: dy: must be a number, got "1e999"`, 0},
		{segmentHeader + "0,0,0,0,0,2e15\n", cast.Options{Query: cast.Segment}, "rays:2: bz: must be at most 1e+15 in magnitude, got 2e+15", 0},
		{`{"ox":0}`, cast.Options{Format: cast.JSONLines}, "rays:1: oy: missing", 0},
		{"\n\n[1]\n", cast.Options{Format: cast.JSONLines}, `rays:3: must be a JSON object in a line, got "[1]"`, 0},
		{`{"ox":"a"}`, cast.Options{Format: cast.JSONLines}, "rays:1: ox: must be a number, got string", 0},
		{`{"ox":1e999}`, cast.Options{Format: cast.JSONLines}, "rays:1: ox: must be a number, got 1e999", 0},
		{`{"ox":0} {}`, cast.Options{Format: cast.JSONLines}, `rays:1: must be a JSON object in a line, got "{\"ox\":0} {}"`, 0},
		{strings.Repeat("\x00", 48), cast.Options{Format: cast.Float64}, "rays: row 0: the direction must not be zero", 0},
		{strings.Repeat("\x01", 48) + "abc", cast.Options{Format: cast.Float64}, "rays: row 1: want 48 bytes, got 3: the input is cut off", 1},
	} {
		out, totals, err := stream(oneBall(), c.in, c.opt)
		var e *cast.Error
		if !errors.As(err, &e) || err.Error() != c.want || totals.Rows != c.rows || e.Row != c.rows {
			t.Errorf("%q: %v after %+v, want %v", c.in, err, totals, c.want)
		}
		before := c.rows
		if c.opt.Format == cast.CSV {
			before++
		}
		if c.opt.Format != cast.Float64 && int64(strings.Count(out, "\n")) != before {
			t.Errorf("%q writes\n%s", c.in, out)
		}
		c.opt.KeepGoing = true
		out, totals, err = stream(oneBall(), c.in, c.opt)
		_, problem, _ := strings.Cut(c.want, ": ")
		problem = strings.TrimPrefix(problem, fmt.Sprintf("row %d: ", c.rows))
		quoted := strings.NewReplacer(`"`, `""`).Replace(problem)
		if c.opt.Format == cast.JSONLines {
			data, _ := json.Marshal(problem)
			quoted = string(data)
		}
		if err != nil || totals.Wrong != 1 || totals.Rows <= c.rows || c.opt.Format != cast.Float64 && !strings.Contains(out, quoted) {
			t.Errorf("%q, keeping going: %+v, %v\n%s", c.in, totals, err, out)
		}
	}
}

// TestStreamErrorsAnywhere puts an invalid row among many valid ones, at several positions. The output must
// contain all rows before the invalid one. With KeepGoing, it must also contain all rows after it, unchanged.
func TestStreamErrorsAnywhere(t *testing.T) {
	const rows, rowBytes = 1000, 10 * 8
	rng := rand.New(rand.NewPCG(47, 48))
	w := scatter(rng, 60).world()
	text := randomRows(rng, cast.Float64, rayHeader, rows)
	right, _, err := stream(w, text, cast.Options{Format: cast.Float64})
	if err != nil {
		t.Fatal(err)
	}
	zero, nan := strings.Repeat("\x00", 48), strings.Repeat("\xff", 48)
	for _, wrong := range []string{zero, nan} {
		for _, at := range []int{0, 1, 254, 255, 256, 257, 511, 512, rows - 1} {
			broken := text[:at*48] + wrong + text[(at+1)*48:]
			out, totals, err := stream(w, broken, cast.Options{Format: cast.Float64})
			if err == nil || totals != (cast.Totals{Rows: int64(at)}) || out != right[:at*rowBytes] {
				t.Errorf("row %d is wrong: %d bytes, %+v, %v", at, len(out), totals, err)
			}
			opt := cast.Options{Format: cast.Float64, KeepGoing: true}
			out, totals, err = stream(w, broken, opt)
			if err != nil || totals != (cast.Totals{Rows: rows, Wrong: 1}) {
				t.Errorf("row %d is wrong, keeping going: %+v, %v", at, totals, err)
			}
			for i := range rows {
				got := out[i*(rowBytes+8):][:rowBytes]
				if isRight := got == right[i*rowBytes:][:rowBytes]; i != at && !isRight {
					t.Errorf("row %d is wrong, keeping going: row %d differs", at, i)
				}
			}
		}
	}
}

// TestStreamHeaderErrors checks that a missing or invalid header is an error, also with KeepGoing.
func TestStreamHeaderErrors(t *testing.T) {
	long := strings.Repeat("x", 1<<18)
	for in, want := range map[string]string{
		"":                      "rays:1: want a header with the columns ox,oy,oz,dx,dy,dz, got an empty file",
		"\n \n":                 "rays:3: want a header with the columns ox,oy,oz,dx,dy,dz, got an empty file",
		"\n0,0,0,0,0,1\n":       `rays:2: want a header with the columns ox,oy,oz,dx,dy,dz, got "0,0,0,0,0,1"`,
		segmentHeader:           `rays:1: want a header with the columns ox,oy,oz,dx,dy,dz, got "ax,ay,az,bx,by,bz"`,
		"ox,ox,oy,oz,dx,dy,dz":  "rays:1: the header must have ox once, got it twice",
		"ox,\"oy":               `rays:1: must be a whole line of CSV, got "ox,\"oy"`,
		long:                    "rays:1: must be at most 131071 bytes long",
		rayHeader + "\n" + long: "rays:3: must be at most 131071 bytes long",
	} {
		for _, keepGoing := range []bool{false, true} {
			if _, _, err := stream(oneBall(), in, cast.Options{KeepGoing: keepGoing}); err == nil || err.Error() != want {
				t.Errorf("%.60q: %v, want %v", in, err, want)
			}
		}
	}
}

// TestStreamAnswersAtOnce checks that a program that writes one ray and waits for its hit gets it before it writes
// the next.
func TestStreamAnswersAtOnce(t *testing.T) {
	in, rays := io.Pipe()
	hits, out := io.Pipe()
	done := make(chan error)
	go func() {
		_, err := cast.Stream(context.Background(), oneBall(), in, out, cast.Options{})
		done <- err
	}()
	answers := bufio.NewScanner(hits)
	for i, line := range append([]string{rayHeader}, slices.Repeat([]string{"0,0,0,0,0,-1\n"}, 100)...) {
		if _, err := io.WriteString(rays, line); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || i > 0 && !strings.HasPrefix(answers.Text(), strconv.Itoa(i-1)+",4,") {
			t.Fatalf("the answer to %q is %q", line, answers.Text())
		}
	}
	rays.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestStreamEndsWithContext checks that canceling the context ends Stream while it waits for input.
func TestStreamEndsWithContext(t *testing.T) {
	in, rays := io.Pipe()
	defer rays.Close()
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	answered := writerFunc(func(p []byte) (int, error) {
		cancel(reason)
		return len(p), nil
	})
	go io.WriteString(rays, rayHeader+"0,0,0,0,0,-1\n")
	if _, err := cast.Stream(ctx, oneBall(), in, answered, cast.Options{}); err != reason {
		t.Errorf("%v, want %v", err, reason)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestStreamPassesErrorsOn checks that Stream returns the errors of its reader and its writer. After an error of
// the reader, it first writes the output for all complete rows.
func TestStreamPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(rayHeader+"0,0,0,0,0,-1\n0,0,"), iotest.ErrReader(broken))
	var out bytes.Buffer
	if totals, err := cast.Stream(context.Background(), oneBall(), in, &out, cast.Options{}); err != broken || totals.Rows != 1 {
		t.Errorf("reading: %+v, %v", totals, err)
	}
	endless := &endlessRays{}
	full := writerFunc(func([]byte) (int, error) { return 0, broken })
	if _, err := cast.Stream(context.Background(), oneBall(), endless, full, cast.Options{}); err != broken {
		t.Errorf("writing: %v", err)
	}
}

// endlessRays is an [io.Reader] of equal rays that does not end. It passes the number of bytes read so far to
// check.
type endlessRays struct {
	read  int
	check func(read int)
}

const endlessRow = "0,0,0,0,0,-1\n"

func (r *endlessRays) Read(p []byte) (int, error) {
	for i := range p {
		if at := r.read + i; at < len(rayHeader) {
			p[i] = rayHeader[at]
		} else {
			p[i] = endlessRow[(at-len(rayHeader))%len(endlessRow)]
		}
	}
	r.read += len(p)
	if r.check != nil {
		r.check(r.read)
	}
	return len(p), nil
}

// TestStreamMemoryIsBounded checks that Stream reads only a little ahead if its output is read slowly.
func TestStreamMemoryIsBounded(t *testing.T) {
	const rows, most = 100_000, 2 << 20
	ctx, cancel := context.WithCancel(context.Background())
	var written atomic.Int64
	in := &endlessRays{check: func(read int) {
		if pending := int64(read) - written.Load()*int64(len(endlessRow)); pending > most {
			t.Errorf("%d bytes are read and not answered", pending)
			cancel()
		}
	}}
	out := writerFunc(func(p []byte) (int, error) {
		time.Sleep(time.Millisecond)
		if written.Add(int64(bytes.Count(p, []byte("\n")))) > rows {
			cancel()
		}
		return len(p), nil
	})
	if _, err := cast.Stream(ctx, oneBall(), in, out, cast.Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
