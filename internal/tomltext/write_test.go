package tomltext

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pillbox/geom"
)

// TestWriter checks that keys and tables are written as they read, numbers with all their bits.
func TestWriter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	w := NewWriter(&b, 1<<20)
	w.Comment("x")
	w.Key("whole", Number(1<<53))
	w.Key("v", Vector(geom.Vec3{X: math.Copysign(0, -1), Y: 0.1, Z: 1e300}))
	w.Table("[[t]]")
	w.Text("name", "a\n\"b\"")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "# x\nwhole = 9007199254740992\nv = [-0.0, 0.1, 1e+300]\n\n[[t]]\nname = \"a\\n\\\"b\\\"\"\n"
	if b.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", &b, want)
	}
	if _, err := Parse(b.Bytes()); err != nil {
		t.Error(err)
	}
	for range 10_000 {
		x := math.Float64frombits(rng.Uint64())
		if got, err := strconv.ParseFloat(Number(x), 64); x == x && (err != nil || math.Float64bits(got) != math.Float64bits(x)) {
			t.Errorf("Number(%v) = %s", x, Number(x))
		}
	}
}

// TestWriterFails checks that the first error is reported: that of the caller, or that the file is too large.
func TestWriterFails(t *testing.T) {
	w := NewWriter(new(bytes.Buffer), 1<<20)
	w.Text("key", strings.Repeat("x", 1<<20))
	if err := w.Close(); err == nil || err.Error() != "the file would be larger than 1 MiB, the limit of scene files" {
		t.Errorf("a file over the limit: error %v", err)
	}
	w = NewWriter(new(bytes.Buffer), 1<<20)
	first := errors.New("first")
	w.Fail(first)
	w.Fail(errors.New("second"))
	if err := w.Close(); !errors.Is(err, first) {
		t.Errorf("error %v, want the first one", err)
	}
}
