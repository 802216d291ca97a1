package scene

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"unsafe"

	"pillbox/internal/accel"
)

// TestMostRows checks that mostRows returns an upper bound of the number of rows in any text. The bound must be
// exact if no line is empty and no field has quotes.
func TestMostRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\n", "\r\n", "\r", "a", ",", `"`, " ", "b\n", "\"\n\"\n"}
	for range 20_000 {
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		r := csv.NewReader(strings.NewReader(text.String()))
		r.FieldsPerRecord = -1
		rows := 0
		for ; ; rows++ {
			if _, err := r.Read(); err == io.EOF {
				break
			}
		}
		if most := mostRows([]byte(text.String())); rows > most {
			t.Fatalf("%q has %d rows, but mostRows says %d", text.String(), rows, most)
		}
	}
	if n := mostRows([]byte("1,2\n3,4\r\n5,6")); n != 3 {
		t.Errorf("three lines: %d rows", n)
	}
}

// TestSplitterKeepsAll checks that the chunks of a file, joined, are the file. Each chunk except the last must end
// at the end of a line that is not inside quotes. This must also hold if the reader returns few bytes at a time.
func TestSplitterKeepsAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	line := []string{"1,2,3\n", "\n", "\"a\nb\",2\r\n", strings.Repeat("x", 1000) + "\n"}
	for _, n := range []int{0, 1, 1000, 5000} {
		var text bytes.Buffer
		for range n {
			text.WriteString(line[rng.IntN(len(line))])
		}
		text.WriteString("last")
		s := splitter{file: iotest.HalfReader(bytes.NewReader(text.Bytes())), expected: int64(text.Len())}
		if n == 1000 {
			s.expected = 0 // as if the file had grown since
		}
		var got, used []byte
		chunks := 0
		for ; ; chunks++ {
			chunk, err := s.next(used)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Count(chunk, []byte(`"`))%2 != 0 {
				t.Fatalf("chunk %d ends within quotes", chunks)
			}
			got = append(got, chunk...)
			used = chunk
		}
		if !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%d lines: the chunks are not the text", n)
		}
		if most := 2 + text.Len()/(chunkSize-2000); chunks > most {
			t.Errorf("%d bytes in %d chunks, want at most %d", text.Len(), chunks, most)
		}
	}
}

// TestSoleBulkIsAdopted checks that the solids of a scene with a single bulk table are stored only once, in a slice
// without spare capacity. The file may have empty lines.
func TestSoleBulkIsAdopted(t *testing.T) {
	rows := "x,y,z,radius\n\n" + strings.Repeat("1,2,3,4\n\n\r\n", chunkSize/8) + "5,6,7,8"
	s, err := Decode("x.toml", []byte("[[bulk]]\nshape = 'sphere'\nfile = 'a.csv'\n"), WithFiles(fstest.MapFS{"a.csv": {Data: []byte(rows)}}))
	if err != nil {
		t.Fatal(err)
	}
	b := s.root.bulks[0]
	if n := chunkSize/8 + 1; len(s.Spheres) != n || s.Objects.Len() != n || cap(s.Spheres) != n || cap(s.Objects.list) != n {
		t.Fatalf("%d spheres, %d objects, want %d of each and no more room", len(s.Spheres), s.Objects.Len(), n)
	}
	if &s.Spheres[0] != &b.spheres[0] || &s.Objects.list[0] != &b.objects[0] {
		t.Error("the scene has a copy")
	}
	for i, x := range s.Spheres[:len(s.Spheres)-1] {
		if x.Center.X != 1 || x.Radius != 4 {
			t.Fatalf("sphere %d is %v", i, x)
		}
	}
	if x := s.Spheres[len(s.Spheres)-1]; x.Center.X != 5 || b.line(b.count-1) != 1+bytes.Count([]byte(rows), []byte("\n")) {
		t.Errorf("the last sphere is %v, on line %d", x, b.line(b.count-1))
	}
}

// TestRowsOfChunksStayInPlace checks that the solids of rows of slightly different lengths are stored in their
// final place at once. Copying them would double the memory.
func TestRowsOfChunksStayInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var text bytes.Buffer
	text.WriteString("x,y,z,radius\n")
	for text.Len() < 20*chunkSize {
		fmt.Fprintf(&text, "%.6f,%.6f,%.6f,%.3f\n", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 1+rng.Float64())
	}
	var before, after runtime.MemStats
	files := fstest.MapFS{"a.csv": {Data: text.Bytes()}}
	runtime.ReadMemStats(&before)
	s, err := Decode("x.toml", []byte("[[bulk]]\nshape = 'sphere'\nfile = 'a.csv'\n"), WithFiles(files))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	// The solids, the fields of each row as one string, and the chunks.
	kept := len(s.Spheres) * int(unsafe.Sizeof(s.Spheres[0])+unsafe.Sizeof(object{})+2)
	got, most := int(after.TotalAlloc-before.TotalAlloc), kept*105/100+text.Len()*3/2+16*chunkSize
	if got > most {
		t.Errorf("%d spheres take %d bytes while they are read, want at most %d", len(s.Spheres), got, most)
	}
}

// TestLiveBytesOfASphere checks that a scene of spheres from one file, together with its bounding-volume hierarchy,
// takes at most 100 bytes per sphere.
func TestLiveBytesOfASphere(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	text := bytes.NewBufferString("x,y,z,radius\n")
	const n = 200_000
	for range n {
		fmt.Fprintf(text, "%.6f,%.6f,%.6f,0.01\n", rng.Float64(), rng.Float64(), rng.Float64())
	}
	files := fstest.MapFS{"a.csv": {Data: text.Bytes()}}
	live := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	s, err := Decode("x.toml", []byte("[[bulk]]\nshape = 'sphere'\nfile = 'a.csv'\n"), WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	w := accel.New(accel.Source{Spheres: s.Spheres, Capsules: s.Capsules, Boxes: s.Boxes, Cylinders: s.Cylinders})
	each := float64(live()-before) / n
	t.Logf("%.1f bytes a sphere", each)
	if each > 100 {
		t.Errorf("%.1f bytes a sphere, want at most 100", each)
	}
	runtime.KeepAlive(files)
	runtime.KeepAlive(s)
	runtime.KeepAlive(w)
}
