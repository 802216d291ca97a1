package archive

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// member is the name and the contents of a file in an archive.
type member struct{ name, data string }

func pack(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// npy returns a NumPy file with the given type and shape.
func npy(typ, shape string, records []byte) string {
	header := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': (%s), }\n", typ, shape)
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + string(records)
}

func TestReadLeavesTheRest(t *testing.T) {
	const rest = "what follows"
	in := strings.NewReader(string(pack(t, member{"a b.toml", "x = 1"}, member{"parts/y.toml", "y"})) + rest)
	a, err := Read(in)
	if err != nil || a.Name != "a b.toml" || string(a.Scene) != "x = 1" {
		t.Fatalf("%+v, %v", a, err)
	}
	if left, _ := io.ReadAll(in); string(left) != rest {
		t.Errorf("after the archive: %q, want %q", left, rest)
	}
}

func TestOverFolder(t *testing.T) {
	folder := t.TempDir()
	for name, data := range map[string]string{"x.toml": "of the folder", "z.toml": "z"} {
		if err := os.WriteFile(folder+"/"+name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Read(bytes.NewReader(pack(t, member{"s.toml", ""}, member{"x.toml", "of the archive"})))
	if err != nil {
		t.Fatal(err)
	}
	files := a.Over(os.DirFS(folder))
	for name, want := range map[string]string{"x.toml": "of the archive", "z.toml": "z"} {
		if data, err := fs.ReadFile(files, name); string(data) != want {
			t.Errorf("%s: %q, %v, want %q", name, data, err, want)
		}
	}
	if info, err := fs.Stat(files, "x.toml"); err != nil || info.Size() != 14 || info.Name() != "x.toml" || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := fs.Stat(files, "s.toml"); err == nil {
		t.Error("the scene is one of its files")
	}
}

// TestTableIsCSV reads tables of every type and byte order as CSV. The header must have the names of the fields,
// and the rows must parse to the same values. Some tables are longer than the pieces that are converted at a time.
func TestTableIsCSV(t *testing.T) {
	const rows = 2*pieceRows + 17
	rng := rand.New(rand.NewPCG(1, 2))
	var records []byte
	want := [][]string{{"a", "b", "c", "d", "e", "f"}}
	for range rows {
		x, y := math.Float64frombits(rng.Uint64()&^(1<<62)), float32(rng.NormFloat64())
		i, u := int16(rng.Int()), rng.Uint64()
		word := []string{"", "x", `a"b`, "p, q", " s"}[rng.IntN(5)]
		name := []string{"", "é", "name"}[rng.IntN(3)]
		records = binary.LittleEndian.AppendUint64(records, math.Float64bits(x))
		records = binary.BigEndian.AppendUint32(records, math.Float32bits(y))
		records = binary.LittleEndian.AppendUint16(records, uint16(i))
		records = binary.BigEndian.AppendUint64(records, u)
		records = append(records, append([]byte(word), make([]byte, 5-len(word))...)...)
		runes := append([]rune(name), 0, 0, 0, 0)[:4]
		for _, r := range runes {
			records = binary.LittleEndian.AppendUint32(records, uint32(r))
		}
		float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
		want = append(want, []string{float(x), float(float64(y)), strconv.Itoa(int(i)), strconv.FormatUint(u, 10), word, name})
	}
	typ := "[('a', '<f8'), ('b', '>f4'), ('c', '<i2'), ('d', '>u8'), ('e', '|S5'), ('f', '<U4')]"
	a, err := Read(bytes.NewReader(pack(t, member{"s.toml", ""}, member{"dots/t.npy", npy(typ, fmt.Sprint(rows, ","), records)})))
	if err != nil {
		t.Fatal(err)
	}
	file, err := a.Over(nil).Open("dots/t.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := file.Stat(); float64(info.Size()) < 0.9*float64(len(text)) || float64(info.Size()) > 1.1*float64(len(text)) {
		t.Errorf("the size is estimated as %d, want about %d", info.Size(), len(text))
	}
	got, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d rows, %v, want %d", len(got), err, len(want))
	}
	for i := range want {
		if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
			t.Fatalf("row %d: %q, want %q", i, got[i], want[i])
		}
	}
}

func TestReadErrors(t *testing.T) {
	scene := member{"s.toml", ""}
	for _, c := range []struct {
		archive []byte
		want    string
	}{
		{pack(t), "the archive has no members; the first must be the scene"},
		{pack(t, scene, member{"../x.csv", ""}), `../x.csv: must be a path relative to the scene's folder, without ".."`},
		{pack(t, scene, member{"/x.csv", ""}), "/x.csv: must be a path relative"},
		{pack(t, scene, member{"x.csv", ""}, member{"./x.csv", ""}), "the archive has the file x.csv twice"},
		{pack(t, scene, member{"x.npy", "PK"}), "x.npy: must be an array of NumPy; it does not begin like one"},
		{pack(t, scene, member{"x.npy", npy("'<f8'", "2,", make([]byte, 16))}), "must have named fields of one number or one word each, got the type '<f8'"},
		{pack(t, scene, member{"x.npy", npy("[('x', '<c8')]", "2,", make([]byte, 16))}), "field x: must be a float, an integer or text, got the type <c8"},
		{pack(t, scene, member{"x.npy", npy("[('x', '<f8', (2,))]", "1,", make([]byte, 16))}), "must have named fields"},
		{pack(t, scene, member{"x.npy", npy("[('x', '<f8')]", "2, 2", make([]byte, 32))}), "must have one dimension, got the shape (2, 2)"},
		{pack(t, scene, member{"x.npy", npy("[('x', '<f8')]", "3,", make([]byte, 16))}), "must have 3 records of 8 bytes, got 16 bytes"},
		{pack(t, scene, member{"x.npy", npy("[('x', '<f8')]", "3,", nil)[:20]}), "cut off in its header"},
		{pack(t, scene, member{"x.csv", "abc"})[:1024+2], "unexpected EOF"},
	} {
		if _, err := Read(bytes.NewReader(c.archive)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestBegins(t *testing.T) {
	if !Begins(pack(t, member{"s.toml", ""})) {
		t.Error("an archive does not begin like one")
	}
	for _, data := range []string{"", "[camera]\n", strings.Repeat("#", 257) + "ustar", strings.Repeat("x", 600)} {
		if Begins([]byte(data)) {
			t.Errorf("%.20q begins like an archive", data)
		}
	}
}

// FuzzRead checks that Read does not panic for any archive, and neither does reading the archive's tables as text.
func FuzzRead(f *testing.F) {
	f.Add([]byte(npy("[('x', '<f8'), ('name', 'S3')]", "1,", make([]byte, 11))))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Read(bytes.NewReader(pack(t, member{"s.toml", ""}, member{"t.npy", string(data)})))
		if err != nil {
			return
		}
		if _, err := fs.ReadFile(a.Over(nil), "t.csv"); err != nil {
			t.Error(err)
		}
	})
}
