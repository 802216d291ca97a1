package binarycif_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/internal/convert/binarycif"
	"pillbox/internal/convert/binarycif/bciftest"
)

func parse(t *testing.T, data []byte) binarycif.Category {
	t.Helper()
	blocks, err := binarycif.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return blocks[0].Categories[0]
}

// TestDecode encodes columns with every combination of encodings, and checks that decoding returns the same values.
func TestDecode(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := rng.IntN(200)
		ints, mask := make([]int32, n), make([]int32, n)
		floats, quantized, words := make([]float64, n), make([]int32, n), make([]string, n)
		for i := range n {
			ints[i] = int32(rng.NormFloat64() * 300)
			if rng.IntN(2) == 0 && i > 0 {
				ints[i] = ints[i-1]
			}
			mask[i] = int32(max(0, rng.IntN(6)-3))
			floats[i] = math.Round(rng.NormFloat64()*1e5) / 1000
			quantized[i] = int32(rng.IntN(101))
			words[i] = []string{"", "CA", "ä𝛼b", "O5'"}[rng.IntN(4)]
		}
		var columns []any
		var want [][]string
		add := func(c bciftest.Map, text func(i int) string) {
			columns = append(columns, c)
			var list []string
			for i := range n {
				list = append(list, text(i))
			}
			want = append(want, list)
		}
		masked := func(text func(i int) string) func(i int) string {
			return func(i int) string {
				if mask[i] != 0 {
					return "null"
				}
				return text(i)
			}
		}
		integer := func(i int) string { return fmt.Sprint(ints[i]) }
		for subset := range 8 {
			var encodings []string
			for bit, e := range []string{"Delta", "RunLength", "IntegerPacking"} {
				if subset>>bit&1 == 1 {
					encodings = append(encodings, e)
				}
			}
			add(bciftest.Ints("i", ints, nil, encodings...), integer)
			add(bciftest.Ints("i", ints, mask, encodings...), masked(integer))
		}
		add(bciftest.Floats("f", floats, nil, 1000), func(i int) string { return fmt.Sprint(floats[i]) })
		add(bciftest.Floats("f", floats, mask, 0), masked(func(i int) string { return fmt.Sprint(floats[i]) }))
		add(bciftest.Quantized("q", quantized, -25, 25, 101), func(i int) string { return fmt.Sprint(-25 + float64(quantized[i])/2) })
		add(bciftest.Strings("s", words, nil), func(i int) string { return words[i] })
		add(bciftest.Strings("s", words, mask), masked(func(i int) string { return words[i] }))
		c := parse(t, bciftest.File(bciftest.Category("_made_up", n, columns...)))
		for k := range columns {
			column, err := c.Decode(k)
			if err != nil {
				t.Fatalf("seed %d, column %d: %v", seed, k, err)
			}
			for i := range n {
				got := string(column.AppendText(nil, i))
				if column.IsNull(i) {
					got = "null"
				}
				if got != want[k][i] {
					t.Fatalf("seed %d, column %d, row %d: %q, want %q", seed, k, i, got, want[k][i])
				}
			}
		}
	}
}

// numbersOf returns a BinaryCIF file with one column of rows values, given as encoded data and a list of encodings.
func numbersOf(rows int, data []byte, encodings ...any) []byte {
	return bciftest.File(bciftest.Category("_c", rows, bciftest.Map{"name", "x", "data", bciftest.Map{"encoding", encodings, "data", data}}))
}

// TestUnsigned decodes packed integers without signs, and integers of one and two bytes with and without signs.
func TestUnsigned(t *testing.T) {
	type m = bciftest.Map
	packed := func(bytes int) m {
		return m{"kind", "IntegerPacking", "byteCount", bytes, "srcSize", 3, "isUnsigned", true}
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{numbersOf(3, []byte{255, 3, 5, 255, 255, 0}, packed(1), m{"kind", "ByteArray", "type", 4}), "258 5 510"},
		{numbersOf(3, []byte{255, 255, 3, 0, 5, 0, 7, 1}, packed(2), m{"kind", "ByteArray", "type", 5}), "65538 5 263"},
		{numbersOf(2, []byte{254, 255, 1, 0}, m{"kind", "ByteArray", "type", 2}), "-2 1"},
		{numbersOf(2, []byte{254, 1}, m{"kind", "ByteArray", "type", 1}), "-2 1"},
		{numbersOf(1, []byte{0, 0, 192, 63}, m{"kind", "ByteArray", "type", 32}), "1.5"},
	} {
		table := parse(t, c.data)
		column, err := table.Decode(0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range table.Rows {
			got = append(got, string(column.AppendText(nil, i)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q, want %s", got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	type m = bciftest.Map
	int8s := m{"kind", "ByteArray", "type", 1}
	runs := func(n int) m { return m{"kind", "RunLength", "srcSize", n, "srcType", 3} }
	int32s := m{"kind", "ByteArray", "type", 3}
	million := []byte{1, 0, 0, 0, 0x40, 0x42, 0x0f, 0}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "byte 0: the file is truncated"},
		{[]byte("data_x\n"), "byte 1: the file continues after its end"},
		{[]byte{0xc1}, "byte 1: 0xc1 is no mark of a value that BinaryCIF has"},
		{[]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, "byte 5: the file is truncated"},
		{[]byte{0xc6, 0xff, 0xff, 0xff, 0xff}, "byte 5: the file is truncated"},
		{[]byte(strings.Repeat("\x91", 100)), "byte 33: values must nest at most 32 deep"},
		{append([]byte{0xdd, 0, 0x20, 0, 0}, make([]byte, 3<<20)...), "byte 5: there are more than 2000000 values"},
		{bciftest.MessagePack(m{"version", "1"}), "not a BinaryCIF file: it has no list dataBlocks"},
		{bciftest.File(bciftest.Category("_c", -1)), "_c: rowCount must be from 0 to 100000"},
		{bciftest.File(bciftest.Category("_c", math.MaxInt)), "_c: rowCount must be from 0 to 100000"},
		{numbersOf(3, []byte{1, 2}, int8s), "_c.x: has 2 values for 3 rows"},
		{numbersOf(1, make([]byte, 100), int8s), "_c.x: has 100 values for 1 rows"},
		{numbersOf(1, []byte{1, 2}, int32s), "_c.x: ByteArray: 2 bytes are no list of numbers of type 3"},
		{numbersOf(1, []byte{1}, m{"kind", "ByteArray", "type", 9}), "_c.x: ByteArray: 1 bytes are no list of numbers of type 9"},
		{numbersOf(1, []byte{1}), "_c.x: has no encoding"},
		{numbersOf(1, []byte{1}, int8s, int8s), "_c.x: ByteArray must be the last encoding, and only the last"},
		{numbersOf(1, []byte{1}, m{"kind", "Zip"}), "_c.x: ByteArray must be the last encoding, and only the last"},
		{numbersOf(1, []byte{1}, m{"kind", "Zip"}, int8s), `_c.x: unknown encoding "Zip"`},
		{numbersOf(5, million, runs(1_000_000), int32s), "_c.x: srcSize must be from 0 to 12 for 5 rows"},
		{numbersOf(5, million, runs(5), int32s), "_c.x: RunLength: the runs have more than 5 values"},
		{numbersOf(5, []byte{1, 255}, runs(5), int8s), "_c.x: RunLength: the runs have more than 5 values"},
		{numbersOf(5, []byte{1, 4}, runs(5), int8s), "_c.x: RunLength: the runs have 4 values, not 5"},
		{numbersOf(1, []byte{1}, runs(1), int8s), "_c.x: RunLength: wants pairs of integers"},
		{numbersOf(1, []byte{127}, m{"kind", "IntegerPacking", "byteCount", 1, "srcSize", 1}, int8s), "_c.x: IntegerPacking: the last value is not complete"},
		{numbersOf(1, []byte{1}, m{"kind", "IntegerPacking", "byteCount", 4, "srcSize", 1}, int8s), "_c.x: IntegerPacking: wants integers, and a byteCount of 1 or 2"},
		{numbersOf(1, []byte{1}, m{"kind", "Delta"}, int8s), "_c.x: Delta: wants an origin and integers"},
		{numbersOf(1, []byte{1}, m{"kind", "FixedPoint", "factor", 0}, int8s), "_c.x: FixedPoint: factor must be a number other than 0"},
		{numbersOf(1, []byte{255, 255, 255, 255}, m{"kind", "ByteArray", "type", 6}), "_c.x: ByteArray: must be at most 2147483647, got 4294967295"},
		{numbersOf(1, []byte{1}, m{"kind", "StringArray", "stringData", "ab", "dataEncoding", []any{int8s}, "offsetEncoding", []any{int8s}, "offsets", []byte{0, 3}}), "_c.x: has a string from 0 to 3 of a text with 2 characters"},
		{numbersOf(1, []byte{1}, m{"kind", "StringArray", "stringData", "ab", "dataEncoding", []any{int8s}, "offsetEncoding", []any{int8s}, "offsets", []byte{0, 2}}), "_c.x: has the string 1 of 1"},
	} {
		blocks, err := binarycif.Parse(c.data)
		if err == nil && len(blocks[0].Categories[0].Columns) > 0 {
			_, err = blocks[0].Categories[0].Decode(0)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q: %v, want %s", c.data, err, c.want)
		}
	}
}

// TestTruncated checks that a file that is cut off anywhere is an error.
func TestTruncated(t *testing.T) {
	whole := bciftest.File(bciftest.Category("_c", 2, bciftest.Strings("s", []string{"a", "b"}, nil), bciftest.Floats("f", []float64{1, 2}, nil, 10)))
	for n := range whole {
		if _, err := binarycif.Parse(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(bciftest.File(bciftest.Category("_c", 2, bciftest.Strings("s", []string{"a", "b"}, []int32{0, 1}), bciftest.Floats("f", []float64{1, 2}, nil, 10))))
	f.Add(bciftest.File(bciftest.Category("_c", 3, bciftest.Ints("i", []int32{1, 500, 500}, nil, "Delta", "RunLength", "IntegerPacking"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		blocks, err := binarycif.Parse(data)
		if err != nil {
			return
		}
		for _, b := range blocks {
			for _, c := range b.Categories {
				if c.Rows > 1000 {
					continue
				}
				for k := range c.Columns {
					column, err := c.Decode(k)
					if err != nil {
						continue
					}
					for i := range c.Rows {
						column.AppendText(nil, i)
						column.Float(i)
					}
				}
			}
		}
	})
}
