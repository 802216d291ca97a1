package farm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Source is a scene file and the files that it names, as they were when it was read.
type Source struct {
	Data  []byte        // the scene file
	Files osfile.Memory // those that it names, by their paths in its folder
}

const (
	maxFiles  = 1 << 12 // that a scene may name
	maxSource = 2 << 30 // bytes that they may have together

	maxManifest = 1 << 24 // bytes
)

// manifest describes what a source is made of, by the hashes of its files.
type manifest struct {
	Scene string            `json:"scene"`
	Files map[string]string `json:"files,omitempty"`
}

// manifest returns the manifest's bytes, which are the same for equal sources.
func (s *Source) manifest() []byte {
	m := manifest{Scene: hashOf(s.Data), Files: make(map[string]string)}
	for name, data := range s.Files {
		m.Files[name] = hashOf(data)
	}
	return marshal(m)
}

// Hash names the source: the SHA-256, in hexadecimal, of the list of its files with their hashes.
func (s *Source) Hash() string { return hashOf(s.manifest()) }

// Scene decodes the source. The name is used in messages only.
func (s *Source) Scene(name string) (*scene.Scene, error) {
	return scene.Decode(name, s.Data, scene.WithFiles(s.Files))
}

// readManifest is the reverse of [Source.manifest], for bytes that may be anything.
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

// hashes returns those of all files, each once, in a fixed order.
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

// short returns the beginning of a hash, for messages. The hash may be anything.
func short(hash string) string { return fmt.Sprintf("%.12q", hash) }

// isHash reports whether s is what [hashOf] returns for some data, and so fit to be the name of a file.
func isHash(s string) bool { return isHex(s, 2*sha256.Size) }

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// marshal returns v, which must consist of numbers that are finite, texts and the like, as JSON.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// unmarshal reads JSON that [marshal] wrote, and nothing that has more in it.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something follows the JSON")
	}
	return nil
}
