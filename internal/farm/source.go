package farm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Source is the contents of a scene file, and of the files that it names, at one time.
type Source struct {
	Data  []byte        // contents of the scene file
	Files osfile.Memory // the files that it names, by their paths relative to its folder
}

const (
	maxFiles  = 1 << 12 // number of files that a scene can name
	maxSource = 2 << 30 // total size of these files and the scene file, in bytes

	maxManifest = 1 << 24 // bytes
)

// manifest lists the files of a source by their hashes.
type manifest struct {
	Scene string            `json:"scene"`
	Files map[string]string `json:"files,omitempty"`
}

// manifest returns the manifest as JSON. Equal sources have equal manifests.
func (s *Source) manifest() []byte {
	m := manifest{Scene: hashOf(s.Data), Files: make(map[string]string)}
	for name, data := range s.Files {
		m.Files[name] = hashOf(data)
	}
	return marshal(m)
}

// Hash returns a hash of the scene file and of the names and contents of the other files. It identifies the source.
func (s *Source) Hash() string { return hashOf(s.manifest()) }

// Scene decodes the source. The name is used only in messages.
func (s *Source) Scene(name string) (*scene.Scene, error) {
	return scene.Decode(name, s.Data, scene.WithFiles(s.Files))
}

// readManifest reads and checks a manifest. The data can contain any bytes.
func readManifest(data []byte) (manifest, error) {
	var m manifest
	if len(data) > maxManifest {
		return m, fmt.Errorf("a list of %d bytes for a scene's files", len(data))
	}
	if err := unmarshal(data, &m); err != nil {
		return m, err
	}
	if len(m.Files) > maxFiles {
		return m, fmt.Errorf("a scene with %d files, of at most %d", len(m.Files), maxFiles)
	}
	for name, hash := range m.Files {
		if !fs.ValidPath(name) || !isHash(hash) {
			return m, fmt.Errorf("a scene with the file %q and the hash %q", name, hash)
		}
	}
	if !isHash(m.Scene) {
		return m, fmt.Errorf("a scene with the hash %q", m.Scene)
	}
	return m, nil
}

// hashes returns the hashes of all files in increasing order, each once.
func (m *manifest) hashes() []string {
	all := append(slices.Collect(maps.Values(m.Files)), m.Scene)
	slices.Sort(all)
	return slices.Compact(all)
}

// hashOf returns the SHA-256 of data in hexadecimal.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// short returns the beginning of a hash, quoted for messages. The argument can be any text.
func short(hash string) string { return fmt.Sprintf("%.12q", hash) }

// isHash reports whether s has the form of a hash, so that it can be used as the name of a file.
func isHash(s string) bool { return isHex(s, 2*sha256.Size) }

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// marshal returns v as JSON. It panics if v cannot be encoded, as is the case for NaN, infinities, functions and channels.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// unmarshal decodes one JSON value into v. It returns an error for unknown fields and for data after the value.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON")
	}
	return nil
}
