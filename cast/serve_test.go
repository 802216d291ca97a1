package cast

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/scene"
)

func prepared(t *testing.T, text string) *pillbox.Prepared {
	t.Helper()
	s, err := scene.Decode("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const served = `
[animation]
duration = 2
[[animate]]
target = "ball.center"
times = [0, 2]
values = [[0, 0, 0], [10, 0, 0]]
[camera]
position = [1, 2, 9]
look_at = [0, 0, 0]
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[sphere]]
center = [0.5, 0, 0.2]
radius = 1
[[box]]
center = [0, -2, 0]
half_extents = [3, 0.5, 3]
`

func request(kind Request, width, count int, rows ...float64) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(kind))
	out = binary.LittleEndian.AppendUint32(out, uint32(width))
	out = binary.LittleEndian.AppendUint64(out, uint64(count))
	for _, x := range rows {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

// answers runs Serve with the bytes in, which contain requests. It returns the data of each answer.
func answers(t *testing.T, p *pillbox.Prepared, in []byte) (all [][]byte, err error) {
	t.Helper()
	var out bytes.Buffer
	err = Serve(context.Background(), p, bytes.NewReader(in), &out, Options{Workers: 3})
	data := []byte{}
	for out.Len() > 0 {
		n := int(binary.LittleEndian.Uint64(out.Next(8)))
		if n == 0 {
			all, data = append(all, data), []byte{}
		}
		data = append(data, out.Next(n)...)
	}
	return all, err
}

// decodeHit decodes a record that encoder.record has encoded. The result wrong reports whether the record is
// marked as an error.
func decodeHit(b []byte) (ray int64, h Hit, wrong bool) {
	f := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])) }
	h = Hit{T: f(1), Point: geom.Vec3{X: f(2), Y: f(3), Z: f(4)}, Normal: geom.Vec3{X: f(5), Y: f(6), Z: f(7)}}
	h.Object, h.Inside, h.Touches = int32(binary.LittleEndian.Uint32(b[64:])), b[68] == 1, b[69] == 1
	return int64(binary.LittleEndian.Uint64(b)), h, b[70] == 1
}

// same reports whether two hits have the same bits.
func same(got, want Hit) bool {
	if math.IsInf(want.T, 1) {
		nan := math.NaN()
		want.Point = geom.Vec3{X: nan, Y: nan, Z: nan}
		want.Normal = want.Point
	}
	var e, f encoder
	e.record(0, &got, nil)
	f.record(0, &want, nil)
	return bytes.Equal(e.out, f.out)
}

// TestServeEqualsCast sends requests with few and with many rows. The answers must contain the hits that Cast
// finds, in order, or their number if the request asks for counts.
func TestServeEqualsCast(t *testing.T) {
	p := prepared(t, served)
	rng := rand.New(rand.NewPCG(3, 4))
	var in []byte
	type asked struct {
		kind Request
		rows []float64
	}
	var requests []asked
	for _, count := range []int{0, 1, 5, batchRows, batchRows + 1, 3000, wholeRows + 1} {
		for q := First; q <= Through; q++ {
			for _, kind := range []Request{Request(q), Request(q) | CountRequest} {
				rows := make([]float64, 6*count)
				for i := range rows {
					rows[i] = 2 * rng.NormFloat64()
				}
				requests = append(requests, asked{kind, rows})
				in = append(in, request(kind, 0, count, rows...)...)
			}
		}
	}
	got, err := answers(t, p, in)
	if err != nil || len(got) != len(requests) {
		t.Fatalf("%d answers, %v, want %d", len(got), err, len(requests))
	}
	for i, r := range requests {
		data := got[i]
		for ray := range len(r.rows) / 6 {
			n := r.rows[6*ray:]
			want, _ := Cast(p, Query(r.kind&^CountRequest), geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}, nil)
			if r.kind&CountRequest != 0 {
				want, _ = Cast(p, (&Options{Query: Query(r.kind &^ CountRequest), Count: true}).query(), geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}, nil)
				crossings, touches := 0, false
				for _, h := range want {
					touches = touches || h.Touches
					if !math.IsInf(h.T, 1) {
						crossings++
					}
				}
				if int(binary.LittleEndian.Uint64(data)) != ray || int(binary.LittleEndian.Uint32(data[8:])) != crossings || (data[13] == 1) != touches || data[14] != 0 {
					t.Fatalf("request %d, row %d: %v, want %d and %v", i, ray, data[:CountBytes], crossings, touches)
				}
				data = data[CountBytes:]
				continue
			}
			if len(want) == 0 {
				want = []Hit{{T: math.Inf(1), Object: -1}}
			}
			for _, w := range want {
				number, h, wrong := decodeHit(data)
				if number != int64(ray) || !same(h, w) || wrong {
					t.Fatalf("request %d, row %d: %d %+v, want %+v", i, ray, number, h, w)
				}
				data = data[HitBytes:]
			}
		}
		if len(data) != 0 {
			t.Errorf("request %d has %d bytes too many", i, len(data))
		}
	}
}

// pacedReader is an [io.Reader] that returns its data in small pieces.
type pacedReader struct{ rest []byte }

func (r *pacedReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1000)], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// writerFunc is a function with the signature of [io.Writer]'s method, and implements that interface.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestServeReadsFewRowsFirst checks that Serve reads all rows of a request before it writes the answer, if there
// are at most wholeRows rows.
func TestServeReadsFewRowsFirst(t *testing.T) {
	p := prepared(t, served)
	for q := First; q <= Through; q++ {
		rows := make([]float64, 6*wholeRows)
		for i := range rows {
			rows[i] = float64(i%7) - 3
		}
		from := &pacedReader{request(Request(q), 0, wholeRows, rows...)}
		written := 0
		err := Serve(t.Context(), p, from, writerFunc(func(data []byte) (int, error) {
			if len(from.rest) > 0 {
				t.Fatalf("query %d: %d bytes of the request were not read", q, len(from.rest))
			}
			written += len(data)
			return len(data), nil
		}), Options{})
		if err != nil || written < wholeRows*HitBytes {
			t.Errorf("query %d: %d bytes, %v", q, written, err)
		}
	}
}

func TestServePixels(t *testing.T) {
	p := prepared(t, served)
	size := image.Pt(37, 23)
	got, err := answers(t, p, request(Pixels, size.X, size.X*size.Y))
	if err != nil || len(got) != 1 || len(got[0]) != size.X*size.Y*HitBytes {
		t.Fatalf("%d answers, %v", len(got), err)
	}
	view, err := p.Scene().View(size.X, size.Y)
	if err != nil {
		t.Fatal(err)
	}
	rays := view.Packet(image.Rectangle{Max: size}, 1)
	met := 0
	for i := range size.X * size.Y {
		r := rays.At(i)
		want, _ := Cast(p, First, r.Origin, r.Dir, nil)
		number, h, _ := decodeHit(got[0][i*HitBytes:])
		if len(want) == 0 {
			want = []Hit{{T: math.Inf(1), Object: -1}}
		} else {
			met++
		}
		if number != int64(i) || !same(h, want[0]) {
			t.Fatalf("pixel %d: %+v, want %+v", i, h, want[0])
		}
	}
	if met == 0 {
		t.Error("no ray hits a solid")
	}
}

func TestServeNames(t *testing.T) {
	got, err := answers(t, prepared(t, served), request(Names, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var table Table
	if err := json.Unmarshal(got[0], &table); err != nil || fmt.Sprint(table) != "{map[box:1 capsule:0 cylinder:0 sphere:2] map[0:ball]}" {
		t.Errorf("%v, %v", table, err)
	}
}

// TestServeTime checks that a request of kind Time moves the solids of all later requests to that time.
func TestServeTime(t *testing.T) {
	ray := []float64{10, 0, 9, 0, 0, -1}
	in := request(Request(First), 0, 1, ray...)
	in = append(in, request(Time, 0, 1, 2, 0, 0, 0, 0, 0)...)
	in = append(in, request(Request(First), 0, 1, ray...)...)
	in = append(in, request(Bounds, 0, 0)...)
	got, err := answers(t, prepared(t, served), in)
	if err != nil || len(got) != 4 || len(got[1]) != 0 {
		t.Fatalf("%d answers, %v", len(got), err)
	}
	if _, h, _ := decodeHit(got[0]); h.Object != -1 {
		t.Errorf("at first: %+v", h)
	}
	if _, h, _ := decodeHit(got[2]); h.Object != 0 || h.T != 8 {
		t.Errorf("after 2 seconds: %+v", h)
	}
	if x := math.Float64frombits(binary.LittleEndian.Uint64(got[3])); len(got[3]) != 3*48 || math.Abs(x-9) > 1e-12 {
		t.Errorf("the ball begins at x = %v, want 9", x)
	}
}

// TestServeInvalidRow checks that the answer to an invalid row is a record with an error, and that the other rows
// are answered as usual.
func TestServeInvalidRow(t *testing.T) {
	in := request(Request(First), 0, 3, 0, 0, 9, 0, 0, 0, 0, 0, 9, 0, 0, -1, math.NaN(), 0, 0, 1, 0, 0)
	got, err := answers(t, prepared(t, served), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true} {
		if _, h, wrong := decodeHit(got[0][i*HitBytes:]); wrong != want || (h.Object == -1) != want {
			t.Errorf("row %d: error %v, want %v", i, wrong, want)
		}
	}
}

func TestServeInvalidRequests(t *testing.T) {
	p := prepared(t, served)
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{request(5, 0, 0), "invalid request: kind 5, width 0, 0 rows"},
		{request(Request(First), 1, 0), "invalid request"},
		{request(Pixels, 4, 7), "invalid request"},
		{request(Pixels, 1<<20, 1<<20), "a picture of 1048576 x 1 pixels"},
		{request(Names, 0, 1), "invalid request"},
		{request(Request(First), 0, -1), "invalid request"},
		{request(Request(First), 0, 2, 0, 0, 0, 1, 0, 0), io.ErrUnexpectedEOF.Error()},
		{request(Request(Through), 0, 400, 0, 0, 0, 1, 0, 0), io.ErrUnexpectedEOF.Error()},
		{request(Request(First), 0, 1)[:7], io.ErrUnexpectedEOF.Error()},
		{request(Time, 0, 1, math.NaN(), 0, 0, 0, 0, 0), "finite"},
	} {
		if _, err := answers(t, p, c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	still := prepared(t, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	if _, err := answers(t, still, request(Time, 0, 1, 1, 0, 0, 0, 0, 0)); err == nil || !strings.Contains(err.Error(), "no [animation]") {
		t.Errorf("%v", err)
	}
}

// TestRecordsOfStream checks that Stream can write the format Records, the format of Serve's answers.
func TestRecordsOfStream(t *testing.T) {
	p := prepared(t, served)
	var rows, out bytes.Buffer
	rows.Write(request(0, 0, 0, 0, 0, 9, 0, 0, -1)[requestBytes:])
	totals, err := Stream(context.Background(), p, &rows, &out, Options{Format: Records})
	if err != nil || totals.Rows != 1 || out.Len() != HitBytes {
		t.Fatalf("%+v, %d bytes, %v", totals, out.Len(), err)
	}
	want, _ := Cast(p, First, geom.Vec3{Z: 9}, geom.Vec3{Z: -1}, nil)
	if _, h, _ := decodeHit(out.Bytes()); !same(h, want[0]) {
		t.Errorf("%+v, want %+v", h, want[0])
	}
}
