package cast_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/cast"
)

// FuzzStream checks for any input that Stream does not panic and that its errors have a position. With KeepGoing,
// every input row must have an output row. The number of workers and the sizes of reads must not affect the output.
func FuzzStream(f *testing.F) {
	for _, text := range []string{
		rayHeader + "0,0,0,0,0,-1\n", segmentHeader + "0,0,0,0,0,-9\n", rayHeader + "x\n\n0,0,0,0,0,0", "\ufeffdz,\"q,\",ox,oy,oz,dx,dy\r\n1,,\"0\",0,0,0,0\r\n",
		`{"ox":0,"oy":0,"oz":0,"dx":0,"dy":0,"dz":-1}` + "\n{}\nnull\n[]", "\"\n\"", strings.Repeat("\x00\x01", 60),
		string(binary.LittleEndian.AppendUint64(bytes.Repeat([]byte{0}, 40), 0xbff0000000000000)),
	} {
		for choice := range uint16(15) {
			f.Add(choice, []byte(text))
		}
	}
	w := scatter(rand.New(rand.NewPCG(51, 52)), 20).world()
	f.Fuzz(func(t *testing.T, choice uint16, text []byte) {
		opt := cast.Options{Format: cast.Format(choice % 3), Query: cast.Query(choice / 3 % 5), Count: choice&0x100 != 0, Source: "rays", Workers: 1}
		run := func(size int) (string, cast.Totals, error) {
			var out bytes.Buffer
			totals, err := cast.Stream(context.Background(), w, &pieces{text, size}, &out, opt)
			var e *cast.Error
			if err != nil && (!errors.As(err, &e) || e.Problem == "" || opt.Format != cast.Float64 && e.Line < 1) {
				t.Fatalf("error %#v", err)
			}
			return out.String(), totals, err
		}
		same := func() (string, cast.Totals, error) {
			opt.Workers = 1
			out, totals, err := run(len(text) + 1)
			opt.Workers = 3
			again, totals2, err2 := run(7)
			if again != out || totals2 != totals || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("%q, %+v, %v\nin pieces %q, %+v, %v", out, totals, err, again, totals2, err2)
			}
			return out, totals, err
		}
		out, totals, err := same()
		opt.KeepGoing = true
		kept, all, err2 := same()
		if totals.Rows > all.Rows || err == nil && (all.Rows != totals.Rows || all.Wrong != 0) || err2 != nil && err == nil {
			t.Fatalf("%+v, %v; keeping going %+v, %v", totals, err, all, err2)
		}
		if opt.Format != cast.Float64 && (strings.Count(out, "\n") < int(totals.Rows) || strings.Count(kept, "\n") < int(all.Rows)) {
			t.Fatalf("%+v rows give\n%s\n%+v\n%s", totals, out, all, kept)
		}
	})
}

// pieces is an [io.Reader] that returns the bytes in rest. Each read returns at most as many bytes as the field
// size states.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
