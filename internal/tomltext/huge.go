package tomltext

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// replaceHuge returns a copy of a TOML file in which other numbers replace those that are too large for 64 bits. Each
// replacement takes the same number of bytes, so all positions stay the same. replaceHuge returns false if there are no
// such numbers.
func replaceHuge(data []byte) (replaced []byte, ok bool) {
	replaced = bytes.Clone(data)
	text := WithoutMark(replaced)
	var p unstable.Parser
	p.Reset(WithoutMark(data))
	for p.NextExpression() {
		scalars(p.Expression(), func(n *unstable.Node) {
			at := rawExtent(n)
			token := text[at.Start:at.End]
			if number := substitute(n.Kind, string(token)); number != "" {
				ok = true
				copy(token, number+strings.Repeat(" ", len(token)-len(number)))
			}
		})
	}
	return replaced, ok
}

// scalars calls the function visit for all values in n that are not arrays or tables.
func scalars(n *unstable.Node, visit func(*unstable.Node)) {
	switch n.Kind {
	case unstable.KeyValue, unstable.Array, unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			scalars(it.Node(), visit)
		}
	default:
		visit(n)
	}
}

// substitute returns the replacement for the token of a number that is too large for 64 bits, or "" for any other
// token. The replacement has at most as many bytes as the token. It drops the sign: if a key has limits, the number is
// outside them with either sign.
func substitute(kind unstable.Kind, token string) string {
	token = strings.ReplaceAll(token, "_", "")
	switch kind {
	case unstable.Float:
		if _, err := strconv.ParseFloat(token, 64); errors.Is(err, strconv.ErrRange) {
			return "inf"
		}
	case unstable.Integer:
		if _, err := strconv.ParseInt(token, 0, 64); errors.Is(err, strconv.ErrRange) {
			return "0x7fffffffffffffff"
		}
	}
	return ""
}
