package binarycif

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Limits of MessagePack. A file has a few thousand values; a long list is a single value of bytes.
const (
	maxValues = 2_000_000
	maxDepth  = 32
)

type kind uint8

const (
	kindNil kind = iota
	kindBool
	kindInt
	kindFloat
	kindBytes // text or binary data
	kindArray
	kindMap
)

// value is a value of MessagePack.
type value struct {
	kind  kind
	int   int64 // also of a bool
	float float64
	bytes []byte
	items []value // of a map: keys and values in turn
}

// none is the value for a key that a map does not have.
var none value

// key returns the value of a key of a map. If the map does not have the key, it returns none, which is nil in
// MessagePack.
func (v *value) key(name string) *value {
	if v.kind == kindMap {
		for i := 0; i+1 < len(v.items); i += 2 {
			if k := &v.items[i]; k.kind == kindBytes && string(k.bytes) == name {
				return &v.items[i+1]
			}
		}
	}
	return &none
}

func (v *value) word(name string) string { return string(v.key(name).bytes) }
func (v *value) isTrue() bool            { return v.kind == kindBool && v.int != 0 }

// integer returns the value if it is an integer, and false otherwise. Some encoders write integers as floats.
func (v *value) integer() (int64, bool) {
	if v.kind == kindFloat && v.float == math.Trunc(v.float) && math.Abs(v.float) < 1<<53 {
		return int64(v.float), true
	}
	return v.int, v.kind == kindInt
}

// asNumber returns the value if it is a finite number, and false otherwise.
func (v *value) asNumber() (float64, bool) {
	if v.kind == kindInt {
		return float64(v.int), true
	}
	return v.float, v.kind == kindFloat && !math.IsNaN(v.float) && !math.IsInf(v.float, 0)
}

// decoder decodes MessagePack. data is the part that has not been read.
type decoder struct {
	data   []byte
	read   int // number of bytes before data
	values int // number of elements of arrays and maps so far
}

var errTruncated = errors.New("the file is truncated")

func (d *decoder) wrong(message string) error { return fmt.Errorf("byte %d: %s", d.read, message) }

// takeBytes reads the next n bytes.
func (d *decoder) takeBytes(n int) ([]byte, error) {
	if n < 0 || n > len(d.data) {
		return nil, d.wrong(errTruncated.Error())
	}
	b := d.data[:n:n]
	d.data, d.read = d.data[n:], d.read+n
	return b, nil
}

// uint reads a big-endian integer.
func (d *decoder) uint(bytes int) (uint64, error) {
	b, err := d.takeBytes(bytes)
	if err != nil {
		return 0, err
	}
	var whole [8]byte
	copy(whole[8-bytes:], b)
	return binary.BigEndian.Uint64(whole[:]), nil
}

// value reads a value.
func (d *decoder) value(depth int) (v value, err error) {
	if depth > maxDepth {
		return v, d.wrong(fmt.Sprintf("values must nest at most %d deep", maxDepth))
	}
	first, err := d.uint(1)
	if err != nil {
		return v, err
	}
	switch b := byte(first); {
	case b < 0x80:
		return value{kind: kindInt, int: int64(b)}, nil
	case b < 0x90:
		return d.items(kindMap, 2*int(b&0xf), depth)
	case b < 0xa0:
		return d.items(kindArray, int(b&0xf), depth)
	case b < 0xc0:
		return d.text(int(b & 0x1f))
	case b >= 0xe0:
		return value{kind: kindInt, int: int64(int8(b))}, nil
	default:
		return d.marked(b, depth)
	}
}

// marked reads a value that begins with a mark from 0xc0 to 0xdf. The mark itself has been read.
func (d *decoder) marked(mark byte, depth int) (v value, err error) {
	switch mark {
	case 0xc0:
		return v, nil
	case 0xc2, 0xc3:
		return value{kind: kindBool, int: int64(mark - 0xc2)}, nil
	case 0xca:
		x, err := d.uint(4)
		return value{kind: kindFloat, float: float64(math.Float32frombits(uint32(x)))}, err
	case 0xcb:
		x, err := d.uint(8)
		return value{kind: kindFloat, float: math.Float64frombits(x)}, err
	case 0xcc, 0xcd, 0xce, 0xcf:
		x, err := d.uint(1 << (mark - 0xcc))
		if x > math.MaxInt64 {
			return value{kind: kindFloat, float: float64(x)}, err
		}
		return value{kind: kindInt, int: int64(x)}, err
	case 0xd0, 0xd1, 0xd2, 0xd3:
		bytes := 1 << (mark - 0xd0)
		x, err := d.uint(bytes)
		shift := 64 - 8*bytes
		return value{kind: kindInt, int: int64(x<<shift) >> shift}, err
	}
	sizes := map[byte]struct {
		kind  kind
		bytes int
	}{
		0xc4: {kindBytes, 1}, 0xc5: {kindBytes, 2}, 0xc6: {kindBytes, 4}, 0xd9: {kindBytes, 1}, 0xda: {kindBytes, 2}, 0xdb: {kindBytes, 4},
		0xdc: {kindArray, 2}, 0xdd: {kindArray, 4}, 0xde: {kindMap, 2}, 0xdf: {kindMap, 4},
	}
	s, ok := sizes[mark]
	if !ok {
		return v, d.wrong(fmt.Sprintf("0x%x is no mark of a value that BinaryCIF has", mark))
	}
	n, err := d.uint(s.bytes)
	switch {
	case err != nil:
		return v, err
	case s.kind == kindBytes:
		return d.text(int(n))
	case s.kind == kindMap:
		n *= 2
	}
	return d.items(s.kind, int(n), depth)
}

func (d *decoder) text(n int) (value, error) {
	b, err := d.takeBytes(n)
	return value{kind: kindBytes, bytes: b}, err
}

// items reads the values of an array or map. Each value has at least one byte, so a count that is too large is detected
// early.
func (d *decoder) items(k kind, n, depth int) (v value, err error) {
	if n > len(d.data) {
		return v, d.wrong(errTruncated.Error())
	}
	if d.values += n; d.values > maxValues {
		return v, d.wrong(fmt.Sprintf("there are more than %d values", maxValues))
	}
	v = value{kind: k, items: make([]value, n)}
	for i := range v.items {
		if v.items[i], err = d.value(depth + 1); err != nil {
			return v, err
		}
	}
	return v, nil
}
