package pillbox

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
)

// sources are the files that decide pixels: those of this package and of all packages of the module that it
// imports, for every system, without tests. A test compares them with the imports. The patterns leave out names that end
// in t.go, as those of tests do, so other files with such a name are listed one by one.
//
//go:embed go.mod *[^t].go
//go:embed camera/*[^t].go
//go:embed exact/*[^t].go exact/exact.go
//go:embed geom/*[^t].go geom/convert.go geom/mat.go geom/packet.go
//go:embed internal/accel/*[^t].go internal/accel/*.s internal/accel/*.wasm
//go:embed internal/accel/cost.go internal/accel/freelist.go internal/accel/kernels_absent.go
//go:embed internal/accel/packet.go internal/accel/shaft.go
//go:embed internal/accel/prefetch/*[^t].go internal/accel/prefetch/*.s
//go:embed internal/follow/*[^t].go internal/follow/light.go
//go:embed internal/osfile/*[^t].go
//go:embed internal/parallel/*[^t].go
//go:embed internal/text/*[^t].go
//go:embed internal/tomltext/*[^t].go internal/tomltext/edit.go
//go:embed internal/tracer/*[^t].go internal/tracer/packet.go
//go:embed scene/*[^t].go scene/starter.toml scene/at.go scene/export.go scene/inspect.go scene/placement.go
//go:embed scene/report.go scene/suggest.go scene/target.go
//go:embed shade/*[^t].go shade/gradient.go shade/lambert.go shade/spot.go
//go:embed shapes/*[^t].go
var sources embed.FS

// SourceHash identifies the renderer: it returns the SHA-256, in hexadecimal, of the source files that decide
// pixels and of go.mod, as they were when the program was built, local changes included. It is the same on every
// system and with every Go release. Programs with equal hashes render equal pixels.
func SourceHash() string { return hashSources(sources) }

// hashSources returns the hash of the names and contents of all files, however their lines end: a checkout
// on Windows can contain other line ends.
func hashSources(files fs.FS) string {
	all := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".wasm" {
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		}
		sum := sha256.Sum256(data)
		all.Write(append(append([]byte(name), 0), sum[:]...))
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return hex.EncodeToString(all.Sum(nil))
}
