package tomltext

import (
	"math"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Plain reads plain TOML. A header is plain if it is [[NAME]] with one bare word. A key is plain if it is one bare
// word, and its value is a number, an array of numbers, or a one-line string without escapes. The values are those of
// [Parse], but Plain is about 15 times as fast and creates no maps. Next stops at any other header or key. Numbers and
// Text return false for any other value.
type Plain struct {
	parser unstable.Parser
	text   []byte
	node   *unstable.Node
	key    *unstable.Node
	whole  bool
}

// Reset prepares p to read a text.
func (p *Plain) Reset(text []byte) {
	p.parser.Reset(text)
	p.text, p.whole = text, false
}

// Next advances to the next header or key. It returns false at the end of the text, or at the first header or key that
// is not plain.
func (p *Plain) Next() bool {
	if !p.parser.NextExpression() {
		p.whole = p.parser.Error() == nil
		return false
	}
	p.node = p.parser.Expression()
	keys := p.node.Key()
	keys.Next()
	p.key = keys.Node()
	return keys.IsLast() && len(p.key.Data) == int(p.key.Raw.Length) &&
		(p.node.Kind == unstable.KeyValue || p.isTight())
}

// isTight reports whether two brackets directly precede the name in the header, without whitespace.
func (p *Plain) isTight() bool {
	e := rawExtent(p.key)
	return e.Start >= 2 && p.text[e.Start-1] == '[' && p.text[e.Start-2] == '['
}

// Whole reports, after Next has returned false, whether it has reached the end of the text.
func (p *Plain) Whole() bool { return p.whole }

// IsHeader reports whether Next has advanced to a header, not to a key.
func (p *Plain) IsHeader() bool { return p.node.Kind == unstable.ArrayTable }

// Name returns the name in the header, or the key. The bytes belong to the text.
func (p *Plain) Name() []byte { return p.key.Data }

// Start returns the offset of the header.
func (p *Plain) Start() int { return int(p.key.Raw.Offset) - len("[[") }

// Numbers reads the value of the key into x if it is an array of numbers with the given shape. Without a shape, it
// reads a single number; the shape 3 is an array of three numbers, and 3, 2 an array of three arrays of two numbers.
// Integers become floats. Numbers returns false for any other value, and for numbers that are not decimal, not finite
// or too large.
func (p *Plain) Numbers(x []float64, shape ...int) bool {
	_, ok := numbers(p.node.Value(), x, shape)
	return ok
}

// The function numbers reads the value n into x if n is an array of numbers with the given shape, as [Plain.Numbers]
// defines it. It returns the unused rest of x.
func numbers(n *unstable.Node, x []float64, shape []int) (rest []float64, ok bool) {
	if len(shape) == 0 {
		x[0], ok = decimal(n)
		return x[1:], ok
	}
	if n.Kind != unstable.Array {
		return nil, false
	}
	elements := 0
	for e := n.Child(); e != nil; e = e.Next() {
		if elements++; elements > shape[0] {
			return nil, false
		}
		if x, ok = numbers(e, x, shape[1:]); !ok {
			return nil, false
		}
	}
	return x, elements == shape[0]
}

// decimal reads a decimal number as BurntSushi/toml does. It reads integers as integers, so that -0 becomes 0.
func decimal(n *unstable.Node) (x float64, ok bool) {
	switch n.Kind {
	case unstable.Integer:
		i, err := strconv.ParseInt(string(n.Data), 10, 64)
		return float64(i), err == nil
	case unstable.Float:
		x, err := strconv.ParseFloat(string(n.Data), 64)
		return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) // not inf or nan
	}
	return 0, false
}

// Text returns the value of the key if it is a one-line string without escapes, and false for any other value. The
// bytes belong to the text.
func (p *Plain) Text() (s []byte, ok bool) {
	v := p.node.Value()
	return v.Data, v.Kind == unstable.String && len(v.Data)+len(`""`) == int(v.Raw.Length)
}

// PlainChunk is a piece of a file that was not decoded, because the reader of [ParsePlain] has read it.
type PlainChunk[T any] struct {
	Text   []byte         // the text, which begins with a header and is TOML
	Read   T              // what the reader returned
	Before map[string]int // number of decoded elements of each array before the chunk
}

// ParsePlain is [Parse] with a fast reader for plain tables of the given arrays. It returns the results of the reader
// as chunks, and all other values in root.
//
// The function read reads the tables at the beginning of a text. It returns its result, and the offset of the rest,
// which must be the end of the text or a header [[NAME]]. The text before that offset must begin with a header, be TOML
// and contain only elements of the arrays. If the offset is 0, the text up to a later header is decoded. ParsePlain
// calls the function read on several goroutines. Its results are dropped if the file has an error.
func ParsePlain[T any](data []byte, arrays []string, read func(text []byte) (made T, rest int)) (root map[string]any, plain []PlainChunk[T], err error) {
	// Pass data with its byte order mark, which is not plain: the decoder would drop a second one.
	if root, plain, ok := decodeStretches(stretchesOf(data, arrays, chunkSize, read), arrays); ok {
		return root, plain, nil
	}
	root, err = Parse(data, arrays...)
	return root, nil, err
}
