package tomltext

import (
	"math"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Plain goes through plain TOML: headers [[NAME]] of one bare word, and keys of one bare word with a number, an
// array of numbers, or a string of one line without escapes. Those it reads about 15 times as fast as [Parse], which
// gives the same values, and makes no maps of them. All else ends the text for it.
type Plain struct {
	parser unstable.Parser
	text   []byte
	node   *unstable.Node
	key    *unstable.Node
	whole  bool
}

// Reset begins with a text.
func (p *Plain) Reset(text []byte) {
	p.parser.Reset(text)
	p.text, p.whole = text, false
}

// Next goes on to the next header or key, and returns false at the end of the text or of what is plain there.
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

// isTight reports whether the header has two brackets right before the name.
func (p *Plain) isTight() bool {
	e := rawExtent(p.key)
	return e.Start >= 2 && p.text[e.Start-1] == '[' && p.text[e.Start-2] == '['
}

// Whole reports, once Next has returned false, whether that is the end of the text.
func (p *Plain) Whole() bool { return p.whole }

// IsHeader reports whether Next went on to a header and not to a key.
func (p *Plain) IsHeader() bool { return p.node.Kind == unstable.ArrayTable }

// Name returns the name in the header, or the key. The bytes belong to the text.
func (p *Plain) Name() []byte { return p.key.Data }

// Start returns the offset of the header.
func (p *Plain) Start() int { return int(p.key.Raw.Offset) - len("[[") }

// Numbers reads the value of the key into x if it is as many numbers in an array of the given shape: none for a number
// alone, 3 for three in an array, 3, 2 for three arrays of two. Integers become floats. It returns false for any other
// value, and for numbers that are not decimal, not finite or too large.
func (p *Plain) Numbers(x []float64, shape ...int) bool {
	_, ok := numbers(p.node.Value(), x, shape)
	return ok
}

// numbers is Numbers for a value that may be part of an array. It returns the rest of x.
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

// decimal reads decimal numbers as BurntSushi/toml does: integers first as such, so that -0 is 0.
func decimal(n *unstable.Node) (x float64, ok bool) {
	switch n.Kind {
	case unstable.Integer:
		i, err := strconv.ParseInt(string(n.Data), 10, 64)
		return float64(i), err == nil
	case unstable.Float:
		x, err := strconv.ParseFloat(string(n.Data), 64)
		return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) // no words, of which nan may have a sign
	}
	return 0, false
}

// Text returns the value of the key if it is a string of one line without escapes. The bytes belong to the text.
func (p *Plain) Text() (s []byte, ok bool) {
	v := p.node.Value()
	return v.Data, v.Kind == unstable.String && len(v.Data)+len(`""`) == int(v.Raw.Length)
}

// PlainChunk is a piece of a file that a reader understood, so that [ParsePlain] did not decode it.
type PlainChunk[T any] struct {
	Text   []byte // begins with a header and is TOML
	Read   T
	Before map[string]int // how many elements each array has before the chunk, among those that were decoded
}

// ParsePlain is [Parse] for a reader that understands plain tables of the given arrays. It returns their values as
// chunks and not in the root, which has all else.
//
// The reader returns what it makes of the tables that a text begins with, and where the rest of the text begins: at the
// end, or at a header [[NAME]]. What it takes must be TOML, have no tables but elements of the arrays, and begin
// with a header. If the reader takes nothing, the text is decoded up to a later header. The reader is called on
// several goroutines, and in vain if the file has an error.
func ParsePlain[T any](data []byte, arrays []string, read func(text []byte) (made T, rest int)) (root map[string]any, plain []PlainChunk[T], err error) {
	// With a byte order mark, which is not plain: the decoder would drop a second one.
	if root, plain, ok := decodeStretches(stretchesOf(data, arrays, chunkSize, read), arrays); ok {
		return root, plain, nil
	}
	root, err = Parse(data, arrays...)
	return root, nil, err
}
