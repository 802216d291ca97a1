// Package bciftest writes BinaryCIF files for tests, with every encoding of the format.
package bciftest

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
)

// Map is a map of MessagePack, as a list in which keys and values alternate.
type Map []any

// File returns a file with one data block.
func File(categories ...any) []byte {
	return MessagePack(Map{"version", "0.3.0", "encoder", "test", "dataBlocks", []any{Map{"header", "MADE_UP", "categories", categories}}})
}

// Category returns a table. The columns are maps, as [Ints], [Floats] and [Strings] return them.
func Category(name string, rows int, columns ...any) Map {
	return Map{"name", name, "rowCount", rows, "columns", columns}
}

func column(name string, data Map, mask []int32) Map {
	m := Map{"name", name, "data", data, "mask", nil}
	if mask != nil {
		m[5] = encoded(mask, "RunLength", "IntegerPacking")
	}
	return m
}

// Ints returns a column of integers. encodings are any of Delta, RunLength and IntegerPacking, in this order. mask may
// be nil.
func Ints(name string, list, mask []int32, encodings ...string) Map {
	return column(name, encoded(list, encodings...), mask)
}

// Floats returns a column of floats. If factor is not 0, the floats must be multiples of 1 / factor.
func Floats(name string, list []float64, mask []int32, factor float64) Map {
	if factor == 0 {
		var data []byte
		for _, x := range list {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		return column(name, Map{"encoding", []any{Map{"kind", "ByteArray", "type", 33}}, "data", data}, mask)
	}
	ints := make([]int32, len(list))
	for i, x := range list {
		ints[i] = int32(math.Round(x * factor))
	}
	m := encoded(ints, "Delta", "IntegerPacking")
	m[1] = append([]any{Map{"kind", "FixedPoint", "factor", factor, "srcType", 33}}, m[1].([]any)...)
	return column(name, m, mask)
}

// Quantized returns a column of the floats low + k (high - low) / (count - 1), one for each k in steps.
func Quantized(name string, steps []int32, low, high float64, count int) Map {
	m := encoded(steps, "IntegerPacking")
	m[1] = append([]any{Map{"kind", "IntervalQuantization", "min", low, "max", high, "numSteps", count, "srcType", 33}}, m[1].([]any)...)
	return column(name, m, nil)
}

// Strings returns a column of strings.
func Strings(name string, list []string, mask []int32) Map {
	var index, offsets []int32
	var whole strings.Builder
	known := make(map[string]int32)
	units := int32(0)
	offsets = append(offsets, 0)
	for _, s := range list {
		i, ok := known[s]
		if !ok {
			i = int32(len(known))
			known[s] = i
			whole.WriteString(s)
			for _, r := range s {
				if units++; r > 0xffff {
					units++
				}
			}
			offsets = append(offsets, units)
		}
		index = append(index, i)
	}
	data, places := encoded(index, "Delta", "RunLength", "IntegerPacking"), encoded(offsets, "Delta", "IntegerPacking")
	return column(name, Map{"encoding", []any{Map{
		"kind", "StringArray", "dataEncoding", data[1], "stringData", whole.String(), "offsetEncoding", places[1], "offsets", places[3],
	}}, "data", data[3]}, mask)
}

// encoded applies the encodings, followed by ByteArray.
func encoded(list []int32, encodings ...string) Map {
	var used []any
	kind, size := 3, 4
	for _, e := range encodings {
		var next []int32
		switch e {
		case "Delta":
			origin := int32(0)
			if len(list) > 0 {
				origin = list[0]
			}
			last := origin
			for _, x := range list {
				next = append(next, x-last)
				last = x
			}
			used = append(used, Map{"kind", e, "origin", int(origin), "srcType", 3})
		case "RunLength":
			for i := 0; i < len(list); {
				k := i
				for k < len(list) && list[k] == list[i] {
					k++
				}
				next = append(next, list[i], int32(k-i))
				i = k
			}
			used = append(used, Map{"kind", e, "srcType", 3, "srcSize", len(list)})
		case "IntegerPacking":
			for _, x := range list {
				for x >= math.MaxInt8 {
					next = append(next, math.MaxInt8)
					x -= math.MaxInt8
				}
				for x <= math.MinInt8 {
					next = append(next, math.MinInt8)
					x -= math.MinInt8
				}
				next = append(next, x)
			}
			used = append(used, Map{"kind", e, "byteCount", 1, "isUnsigned", false, "srcSize", len(list)})
			kind, size = 1, 1
		}
		list = next
	}
	used = append(used, Map{"kind", "ByteArray", "type", kind})
	data := []byte{}
	for _, x := range list {
		data = append(data, binary.LittleEndian.AppendUint32(nil, uint32(x))[:size]...)
	}
	return Map{"encoding", used, "data", data}
}

// MessagePack encodes nil, booleans, integers, floats, strings, bytes, lists and maps.
func MessagePack(v any) []byte {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

func write(b *bytes.Buffer, v any) {
	long := func(mark byte, n int) {
		b.WriteByte(mark)
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(n)))
	}
	switch v := v.(type) {
	case nil:
		b.WriteByte(0xc0)
	case bool:
		b.WriteByte(0xc2)
		if v {
			b.Bytes()[b.Len()-1]++
		}
	case int:
		switch {
		case 0 <= v && v < 0x80, -0x20 <= v && v < 0:
			b.WriteByte(byte(v))
		case v == int(int16(v)):
			b.WriteByte(0xd1)
			b.Write(binary.BigEndian.AppendUint16(nil, uint16(v)))
		default:
			b.WriteByte(0xd3)
			b.Write(binary.BigEndian.AppendUint64(nil, uint64(v)))
		}
	case float64:
		b.WriteByte(0xcb)
		b.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
	case string:
		if len(v) < 0x20 {
			b.WriteByte(0xa0 | byte(len(v)))
		} else {
			long(0xdb, len(v))
		}
		b.WriteString(v)
	case []byte:
		long(0xc6, len(v))
		b.Write(v)
	case []any:
		if len(v) < 0x10 {
			b.WriteByte(0x90 | byte(len(v)))
		} else {
			long(0xdd, len(v))
		}
		for _, x := range v {
			write(b, x)
		}
	case Map:
		b.WriteByte(0x80 | byte(len(v)/2))
		for _, x := range v {
			write(b, x)
		}
	}
}
