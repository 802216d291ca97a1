package binarycif

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"

	"pillbox/internal/text"
)

// numbers is a list of integers, of floats, or of bytes that are not decoded yet. Only one of the fields is not nil.
type numbers struct {
	ints   []int32
	floats []float64
	bytes  []byte
}

func (n *numbers) len() int { return max(len(n.ints), len(n.floats), len(n.bytes)) }

// most returns the largest number of integers that an encoding of n values may have. RunLength needs the most:
// it stores a pair of a value and a length for each run of equal values.
func most(n int) int { return 2*n + 2 }

// decodeNumbers decodes data, to which the encodings have been applied one after the other. It applies their inverses, the
// last one first. To limit the use of memory, it returns an error if a list is longer than necessary for the given number
// of rows: see [most].
func decodeNumbers(encodings []value, data []byte, rows int) (n numbers, err error) {
	const maxEncodings = 8
	if len(encodings) > maxEncodings {
		return n, fmt.Errorf("has more than %d encodings", maxEncodings)
	}
	n.bytes = data
	for i := len(encodings) - 1; i >= 0; i-- {
		e := &encodings[i]
		kind := e.word("kind")
		if kind == "ByteArray" != (n.bytes != nil) && !(kind == "ByteArray" && len(data) == 0) {
			return n, errors.New("ByteArray must be the last encoding, and only the last")
		}
		if n, err = decodeOne(kind, e, n, rows); err != nil {
			return n, err
		}
	}
	if n.bytes != nil {
		return n, errors.New("has no encoding")
	}
	return n, nil
}

func decodeOne(kind string, e *value, n numbers, rows int) (numbers, error) {
	switch kind {
	case "ByteArray":
		return byteArray(e, n.bytes)
	case "FixedPoint":
		factor, ok := e.key("factor").asNumber()
		if !ok || factor == 0 {
			return n, errors.New("FixedPoint: factor must be a number other than 0")
		}
		return n.scaled(kind, func(i int32) float64 { return float64(i) / factor })
	case "IntervalQuantization":
		low, ok1 := e.key("min").asNumber()
		high, ok2 := e.key("max").asNumber()
		steps, ok3 := e.key("numSteps").asNumber()
		if !ok1 || !ok2 || !ok3 || !(steps >= 2) {
			return n, errors.New("IntervalQuantization: wants min, max and at least 2 steps")
		}
		step := (high - low) / (steps - 1)
		return n.scaled(kind, func(i int32) float64 { return low + float64(float64(i)*step) })
	case "RunLength":
		return n.runs(e, rows)
	case "Delta":
		return n.sums(e)
	case "IntegerPacking":
		return n.unpacked(e, rows)
	}
	return n, fmt.Errorf("unknown encoding %q", text.Shorten(kind))
}

// byteArray decodes little-endian numbers.
func byteArray(e *value, data []byte) (n numbers, err error) {
	kind, _ := e.key("type").integer()
	sizes := map[int64]int{1: 1, 2: 2, 3: 4, 4: 1, 5: 2, 6: 4, 32: 4, 33: 8}
	size := sizes[kind]
	if size == 0 || len(data)%size != 0 {
		return n, fmt.Errorf("ByteArray: %d bytes are no list of numbers of type %d", len(data), kind)
	}
	count := len(data) / size
	if kind >= 32 {
		n.floats = make([]float64, count)
		for i := range n.floats {
			if kind == 32 {
				n.floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
			} else {
				n.floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
			}
		}
		return n, nil
	}
	n.ints = make([]int32, count)
	for i := range n.ints {
		switch kind {
		case 1:
			n.ints[i] = int32(int8(data[i]))
		case 2:
			n.ints[i] = int32(int16(binary.LittleEndian.Uint16(data[2*i:])))
		case 4:
			n.ints[i] = int32(data[i])
		case 5:
			n.ints[i] = int32(binary.LittleEndian.Uint16(data[2*i:]))
		default:
			x := binary.LittleEndian.Uint32(data[4*i:])
			if kind == 6 && x > math.MaxInt32 {
				return n, fmt.Errorf("ByteArray: must be at most %d, got %d", math.MaxInt32, x)
			}
			n.ints[i] = int32(x)
		}
	}
	return n, nil
}

// The method scaled converts integers to floats with the function in the parameter of.
func (n numbers) scaled(kind string, of func(int32) float64) (numbers, error) {
	if n.floats != nil {
		return n, fmt.Errorf("%s: wants integers", kind)
	}
	floats := make([]float64, len(n.ints))
	for i, x := range n.ints {
		floats[i] = of(x)
	}
	return numbers{floats: floats}, nil
}

// size returns the number of values before the encoding, which the file states as srcSize.
func size(e *value, rows int) (int, error) {
	n, ok := e.key("srcSize").integer()
	if !ok || n < 0 || n > int64(most(rows)) {
		return 0, fmt.Errorf("srcSize must be from 0 to %d for %d rows", most(rows), rows)
	}
	return int(n), nil
}

// runs decodes RunLength: each pair of integers is a value and the number of times it occurs.
func (n numbers) runs(e *value, rows int) (numbers, error) {
	want, err := size(e, rows)
	if err != nil || n.floats != nil || len(n.ints)%2 != 0 {
		return n, errors.Join(err, wrongIf(err == nil, "RunLength: wants pairs of integers"))
	}
	out := make([]int32, 0, want)
	for i := 0; i < len(n.ints); i += 2 {
		x, repeats := n.ints[i], int(n.ints[i+1])
		if repeats < 0 || repeats > want-len(out) {
			return n, fmt.Errorf("RunLength: the runs have more than %d values", want)
		}
		for range repeats {
			out = append(out, x)
		}
	}
	if len(out) != want {
		return n, fmt.Errorf("RunLength: the runs have %d values, not %d", len(out), want)
	}
	return numbers{ints: out}, nil
}

// wrongIf returns an error with the given message if the condition is true.
func wrongIf(is bool, message string) error {
	if is {
		return errors.New(message)
	}
	return nil
}

// sums decodes Delta: it adds up differences. The sums wrap around at 32 bits, like those of the encoder.
func (n numbers) sums(e *value) (numbers, error) {
	origin, ok := e.key("origin").integer()
	if !ok || n.floats != nil || origin != int64(int32(origin)) {
		return n, errors.New("Delta: wants an origin and integers")
	}
	x := int32(origin)
	for i, d := range n.ints {
		x += d
		n.ints[i] = x
	}
	return n, nil
}

// unpacked decodes IntegerPacking. A value is the sum of consecutive packed integers. After the largest
// possible packed integer or, if the integers are signed, the smallest, the next one belongs to the same value.
func (n numbers) unpacked(e *value, rows int) (numbers, error) {
	want, err := size(e, rows)
	if err != nil {
		return n, fmt.Errorf("IntegerPacking: %w", err)
	}
	bytes, ok := e.key("byteCount").integer()
	if !ok || bytes != 1 && bytes != 2 || n.floats != nil {
		return n, errors.New("IntegerPacking: wants integers, and a byteCount of 1 or 2")
	}
	high := int32(1)<<(8*bytes-1) - 1
	low := -high - 1
	if e.key("isUnsigned").isTrue() {
		low, high = 0, 2*high+1
	}
	out := make([]int32, 0, want)
	for i := 0; i < len(n.ints); i++ {
		x := n.ints[i]
		sum := x
		for x == high || x == low && low < 0 {
			if i++; i == len(n.ints) {
				return n, errors.New("IntegerPacking: the last value is not complete")
			}
			x = n.ints[i]
			sum += x
		}
		out = append(out, sum)
		if len(out) > want {
			break
		}
	}
	if len(out) != want {
		return n, fmt.Errorf("IntegerPacking: has more or less than %d values", want)
	}
	return numbers{ints: out}, nil
}

// cut cuts a text into strings at offsets, which count units of UTF-16.
func cut(whole string, offsets []int32) ([]string, error) {
	units := utf16.Encode([]rune(whole))
	simple := len(units) == len(whole)
	var list []string
	for i := 1; i < len(offsets); i++ {
		from, to := int(offsets[i-1]), int(offsets[i])
		if from < 0 || to < from || to > len(units) {
			return nil, fmt.Errorf("has a string from %d to %d of a text with %d characters", from, to, len(units))
		}
		if simple {
			list = append(list, whole[from:to])
		} else {
			list = append(list, string(utf16.Decode(units[from:to])))
		}
	}
	return list, nil
}
