package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/internal/text"
	"pillbox/scene"
)

// The files that accepted scenes read are stored by content: in the folder of the goldens, the folder contentFolder
// contains each content once, compressed by gzip, and its name is the SHA-256 sum of the content. So goldens share equal
// files, and branches that accept different scenes do not change the same file.
const (
	contentFolder    = "files"
	contentExtension = ".gz"
)

// accepting is held while files of the folder are written and removed: on Windows, a file cannot be replaced or removed
// while another goroutine reads it.
var accepting sync.Mutex

// contents returns the folder that stores the files of the accepted scenes.
func (r *Reference) contents() string { return filepath.Join(r.holder().folder(), contentFolder) }

// content returns the path of the file that stores the content with a sum.
func (r *Reference) content(sum string) string {
	return filepath.Join(r.contents(), sum+contentExtension)
}

// toLF returns a text with LF in place of CR LF. It returns other files as they are.
func toLF(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 || bytes.IndexByte(data, 0) >= 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// contentSum returns the sum that identifies a content. Line endings of texts do not affect it.
func contentSum(data []byte) string {
	sum := sha256.Sum256(toLF(data))
	return hex.EncodeToString(sum[:])
}

// contentSums returns the sums of files by name.
func contentSums(files osfile.Memory) map[string]string {
	sums := make(map[string]string, len(files))
	for name, data := range files {
		sums[name] = contentSum(data)
	}
	return sums
}

// A contentError is what is wrong with a file of stored content.
type contentError struct{ problem string }

func (e *contentError) Error() string { return e.problem }

// readContent returns the content with a sum. Its errors are those of copyContent.
func (r *Reference) readContent(sum string) ([]byte, error) {
	var data bytes.Buffer
	if err := r.copyContent(&data, sum); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

// copyContent writes the content with a sum. A [*contentError] describes what is wrong with its file.
func (r *Reference) copyContent(to io.Writer, sum string) error {
	name := r.content(sum)
	if err := r.checkLink(name); err != nil {
		return err
	}
	file, err := osfile.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &contentError{"is missing"}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, 1<<16)
	n, err := io.ReadFull(file, start)
	if n == 0 {
		return &contentError{"is empty"}
	}
	hash := sha256.New()
	z, err := gzip.NewReader(io.MultiReader(bytes.NewReader(start[:n]), file))
	if err == nil {
		_, err = io.Copy(io.MultiWriter(hash, to), io.LimitReader(z, scene.MaxBulkBytes+1))
	}
	switch found := sniff.Git(start[:n]); {
	case err != nil && len(found) > 0:
		return &contentError{found[0].Message}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &contentError{"is truncated"}
	case err != nil:
		return &contentError{"is damaged (" + err.Error() + ")"}
	case hex.EncodeToString(hash.Sum(nil)) != sum:
		return &contentError{"has another content than its name states"}
	}
	return nil
}

// A contentCache holds which files of stored content were found undamaged, as they were then. It is safe for concurrent
// use; nil caches nothing.
type contentCache struct{ sync.Map }

// checkContent returns an error if readContent does, without keeping the content. It reads a file again only if the file
// has changed.
func (r *Result) checkContent(sum string) error {
	if r.checked == nil {
		return r.copyContent(io.Discard, sum)
	}
	name := r.content(sum)
	info, _ := os.Lstat(name)
	if known, ok := r.checked.Load(name); ok && info != nil && osfile.Unchanged(known.(fs.FileInfo), info) {
		return nil
	}
	err := r.copyContent(io.Discard, sum)
	if err == nil && info != nil {
		r.checked.Store(name, info)
	}
	return err
}

// storeContent stores a content, unless it is stored already.
func (r *Reference) storeContent(write WriteFunc, data []byte) error {
	sum := contentSum(data)
	var damage *contentError
	if err := r.copyContent(io.Discard, sum); !errors.As(err, &damage) {
		return err
	}
	if err := r.makeFolders(r.contents()); err != nil {
		return err
	}
	return r.write(write, r.content(sum), func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if _, err := z.Write(toLF(data)); err != nil {
			return err
		}
		return z.Close()
	})
}

// dropContents removes stored contents that no golden in the folder needs, and their folder if it becomes empty.
//
// Another process may accept a scene that needs one of them at the same time. It writes the list of the golden's files
// and then those that are not stored yet; this process removes a file and then reads the lists. So at least one of them
// finds what the other has done.
func (r *Reference) dropContents(write WriteFunc, sums map[string]bool) error {
	for _, sum := range slices.Sorted(maps.Keys(sums)) {
		if err := r.dropContent(write, r.content(sum), func() bool { return r.needed(sum) }); err != nil {
			return err
		}
	}
	_ = r.remove(r.contents()) // fails if the folder is not empty
	return nil
}

// dropContent removes a file of stored content unless it is needed. It restores the file if it is needed after that.
func (r *Reference) dropContent(write WriteFunc, name string, needed func() bool) error {
	if !osfile.Exists(name) || needed() {
		return nil
	}
	data, readErr := r.readStored(name)
	if err := r.remove(name); err != nil {
		return err
	}
	if readErr == nil && needed() {
		return r.writeBytes(write, name, data)
	}
	return nil
}

// readStored reads a file of stored content as it is.
func (r *Reference) readStored(name string) ([]byte, error) {
	if err := r.checkLink(name); err != nil {
		return nil, err
	}
	file, err := osfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// needed reports whether a golden in the folder needs the content with a sum, or whether this cannot be told because a list
// cannot be read. It searches the lists as texts, so a list with a merge conflict needs the files of both branches. The
// list after the golden's own comes first, because a command that accepts all goldens in order finds it there.
func (r *Reference) needed(sum string) bool {
	dir := r.holder().folder()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	own, _ := slices.BinarySearchFunc(entries, filepath.Base(r.list()), func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	for _, e := range slices.Concat(entries[own:], entries[:own]) {
		if e.IsDir() || !strings.HasSuffix(e.Name(), new(Reference).list()) {
			continue
		}
		data, err := scene.ReadFile(filepath.Join(dir, e.Name()))
		if err == nil && bytes.Contains(bytes.ToLower(data), []byte(sum)) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// DropUnused removes the stored contents that no golden needs, in the folders of the given references. Accepting removes
// those of the goldens that it changes; others can be left by a merge of two branches that each stopped using a content.
func DropUnused(write WriteFunc, refs []Reference) error {
	accepting.Lock()
	defer accepting.Unlock()
	seen := make(map[string]bool)
	for i := range refs {
		r := &refs[i]
		dir := r.contents()
		if seen[dir] {
			continue
		}
		seen[dir] = true
		unused := r.storedSums()
		if len(unused) == 0 {
			continue
		}
		for sum := range r.neededSums() {
			delete(unused, sum)
		}
		if err := r.dropContents(write, unused); err != nil {
			return err
		}
	}
	return nil
}

// storedSums returns the sums of the stored contents.
func (r *Reference) storedSums() map[string]bool {
	sums := make(map[string]bool)
	if r.checkLink(r.contents()) != nil {
		return sums
	}
	entries, _ := os.ReadDir(r.contents())
	for _, e := range entries {
		if sum, ok := strings.CutSuffix(e.Name(), contentExtension); ok && sumPattern().FindString(sum) == sum {
			sums[sum] = true
		}
	}
	return sums
}

// neededSums returns the sums in all lists in the folder.
func (r *Reference) neededSums() map[string]bool {
	sums := make(map[string]bool)
	entries, _ := os.ReadDir(r.holder().folder())
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), new(Reference).list()); ok {
			maps.Copy(sums, (&Reference{base: filepath.Join(r.holder().folder(), stem)}).listedSums())
		}
	}
	return sums
}

// listLine is a line of a list of files: the sum of the content, two spaces, and the name, which is quoted if it contains
// unusual characters.
var listLine = text.Pattern(`^([0-9a-f]{64})  (.+)$`)

// readList reads the list of the files that the accepted scene reads: the sums of their contents, by name. If there is no
// list, it returns nil. It adds what is wrong with the list to the damage.
func (r *Result) readList() (map[string]string, error) {
	data, err := ignoreMissing(scene.ReadFile(r.list()))
	if err != nil || data == nil {
		return nil, err
	}
	list, problems := parseList(data)
	for _, p := range problems {
		r.damaged(Location{File: r.list(), Line: p.line}, p.text)
	}
	return list, nil
}

type listProblem struct {
	line int
	text string
}

// maxList is the largest size in bytes of a list of files.
const maxList = 1 << 20

func parseList(data []byte) (list map[string]string, problems []listProblem) {
	list = make(map[string]string)
	if len(data) > maxList {
		return list, []listProblem{{0, fmt.Sprintf("is larger than %d MiB", maxList>>20)}}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return list, []listProblem{{0, "is empty, want the list of the files that the accepted scene reads"}}
	}
	if found := sniff.Git(data); len(found) > 0 {
		return list, []listProblem{{1 + bytes.Count(data[:found[0].Start], []byte("\n")), found[0].Message}}
	}
	for i, line := range strings.Split(strings.TrimRight(string(toLF(data)), "\n"), "\n") {
		m := listLine().FindStringSubmatch(line)
		if m == nil {
			problems = append(problems, listProblem{i + 1, "want the SHA-256 sum of a file, two spaces and its name"})
			continue
		}
		name, err := unquoteName(m[2])
		if _, twice := list[name]; err != nil || twice {
			problems = append(problems, listProblem{i + 1, fmt.Sprintf("the name %s is invalid or listed twice", m[2])})
			continue
		}
		list[name] = m[1]
	}
	return list, problems
}

// formatList returns the text of a list of files.
func formatList(sums map[string]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], quoteName(name))
	}
	return b.Bytes()
}

// storeFiles stores the other files that the scene reads, and their list. It removes stored files that no golden needs any
// more, and copies of files that an earlier version of this program wrote.
func (r *Result) storeFiles(write WriteFunc) error {
	accepting.Lock()
	defer accepting.Unlock()
	return r.storeFilesNow(write)
}

// storeFilesNow is storeFiles for a caller that holds accepting.
func (r *Result) storeFilesNow(write WriteFunc) error {
	unused := r.listedSums()
	sums := contentSums(r.presentFiles.Files)
	if len(sums) == 0 {
		if err := r.Reference.remove(r.list()); err != nil {
			return err
		}
	} else if err := r.writeList(write, sums); err != nil {
		return err
	}
	for _, name := range names(r.presentFiles.Files) {
		delete(unused, sums[name])
		if err := r.storeContent(write, r.presentFiles.Files[name]); err != nil {
			return err
		}
	}
	if err := r.dropContents(write, unused); err != nil {
		return err
	}
	return r.removeCopies()
}

// writeList writes the list of files, unless it has the same text already.
func (r *Result) writeList(write WriteFunc, sums map[string]string) error {
	text := formatList(sums)
	if err := r.checkLink(r.list()); err != nil {
		return err
	}
	if data, err := scene.ReadFile(r.list()); err == nil && bytes.Equal(data, text) {
		return nil
	}
	return r.writeBytes(write, r.list(), text)
}

var sumPattern = text.Pattern(`\b[0-9a-f]{64}\b`)

// listedSums returns the sums in the golden's list of files, even if the list is damaged.
func (r *Reference) listedSums() map[string]bool {
	sums := make(map[string]bool)
	if r.checkLink(r.list()) != nil {
		return sums
	}
	data, _ := scene.ReadFile(r.list())
	for _, sum := range sumPattern().FindAllString(string(data), -1) {
		sums[sum] = true
	}
	return sums
}

// decodeStored decodes the accepted scene, whose other files are stored by content. It sets r.before, or else r.Damage. It
// does not decode the scene if it equals the present one.
func (r *Result) decodeStored(data []byte, list map[string]string) error {
	problems := make(map[string]error) // by sum; nil for those without
	for _, name := range slices.Sorted(maps.Keys(list)) {
		err, isChecked := problems[list[name]]
		if !isChecked {
			err = r.checkContent(list[name])
			problems[list[name]] = err
		}
		var damage *contentError
		switch {
		case errors.As(err, &damage):
			r.damaged(Location{File: r.content(list[name])}, fmt.Sprintf("%s, want the content of %s, which the accepted scene reads", damage.problem, name))
		case err != nil:
			return err
		}
	}
	present := contentSums(r.presentFiles.Files)
	if r.present != nil && maps.Equal(list, present) && bytes.Equal(toLF(data), toLF(r.source)) {
		r.before, r.Current, r.acceptedFiles = r.present, true, r.presentFiles
		return nil
	}
	known := make(map[string][]byte) // by sum
	for name, sum := range present {
		known[sum] = r.presentFiles.Files[name]
	}
	files := make(osfile.Memory)
	total := 0 // of the contents that were read
	for name, sum := range list {
		content, ok := known[sum]
		if !ok && problems[sum] == nil {
			var err error
			if content, err = r.readContent(sum); err != nil {
				return err
			}
			if total += len(content); total > scene.MaxBulkBytes {
				return fmt.Errorf("%s: the listed files have more than %d MiB in total", r.list(), scene.MaxBulkBytes>>20)
			}
			known[sum], ok = content, true
		}
		if ok {
			files[name] = content
		}
	}
	r.decodeAccepted(data, files, func(name string) string {
		if sum := list[name]; sum != "" {
			return r.content(sum)
		}
		return r.list()
	})
	return nil
}

// quoteName returns a name for a list of files.
func quoteName(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// unquoteName undoes quoteName.
func unquoteName(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	return strconv.Unquote(text)
}
