package tomltext

import (
	"bytes"

	"github.com/BurntSushi/toml"
)

// Encode returns a TOML file with the given values, which must have the types that [Parse] returns; it
// panics for other types. Parsing the file gives equal values.
func Encode(root map[string]any) []byte {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(root); err != nil {
		panic(err)
	}
	return b.Bytes()
}
