package scene

import _ "embed"

//go:embed starter.toml
var starter string

// Starter returns a scene file that explains every table and key, as a starting point for new scenes.
func Starter() []byte { return []byte(starter) }
