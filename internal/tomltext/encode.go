package tomltext

import (
	"bytes"

	"github.com/BurntSushi/toml"
)

// Encode returns the text of a file with the given values, which are of the types that [Parse] returns.
// Parsing it gives equal values; comments and the order of keys are not kept. A value of another type makes
// Encode panic.
func Encode(root map[string]any) []byte {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(root); err != nil {
		panic(err)
	}
	return b.Bytes()
}
