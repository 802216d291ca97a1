package suite

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
)

// gonePictures finds the accepted pictures of scenes that are gone. It reads each of them once, however many new scenes are
// compared with them. It is safe for concurrent use; nil keeps nothing.
type gonePictures struct {
	mu      sync.Mutex
	folders map[[2]string]goneFolder // by the folders of goldens and of scenes
}

// A goneFolder has the names of the goldens in one folder whose scenes are gone, in the order of the folder, by the sizes of
// their pictures.
type goneFolder map[image.Point]*goneSize

// goneSize has the goldens with pictures of one size.
type goneSize struct {
	names  []string
	byHash map[string][]string // names by the hashes of their pictures; nil until the pictures are read
}

// like returns the name of a golden whose scene is gone and whose picture is that of the new scene r, or "".
func (g *gonePictures) like(ctx context.Context, r *Result) (string, error) {
	if g == nil {
		g = new(gonePictures)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := [2]string{r.folder(), filepath.Dir(r.Scene)}
	folder, ok := g.folders[key]
	if !ok {
		var err error
		if folder, err = readGoneFolder(ctx, key[0], key[1]); err != nil {
			return "", err
		}
		if g.folders == nil {
			g.folders = make(map[[2]string]goneFolder)
		}
		g.folders[key] = folder
	}
	same := folder[r.Got.Rect.Size()]
	if same == nil {
		return "", nil
	}
	if err := same.read(ctx, r); err != nil {
		return "", err
	}
	for _, name := range same.byHash[pillbox.Hash(r.Got)] {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		was, err := r.readPicture(pictureIn(r.folder(), name))
		if err != nil || was == nil {
			continue // it has changed since it was read
		}
		// The hash is of 8 bits per channel, and pictures may have 16.
		if d, err := golden.Compare(r.Got, was, golden.Tolerance{}); err == nil && d.Passes() {
			return name, nil
		}
	}
	return "", nil
}

// readGoneFolder finds the goldens in a folder whose scenes are gone, and the sizes of their pictures.
func readGoneFolder(ctx context.Context, goldens, scenes string) (goneFolder, error) {
	entries, err := os.ReadDir(goldens)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := make(goneFolder)
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name := owner(e.Name())
		if file := pictureIn(goldens, name); name == "" || e.Name() != filepath.Base(file) || hasScene(scenes, name) {
			continue
		}
		size, err := osfile.ReadPNGSize(pictureIn(goldens, name))
		if err != nil {
			continue // the error is reported with the orphan
		}
		if all[size] == nil {
			all[size] = new(goneSize)
		}
		all[size].names = append(all[size].names, name)
	}
	return all, nil
}

// read reads the pictures of the size of the scene r, unless this was done before.
func (s *goneSize) read(ctx context.Context, r *Result) error {
	if s.byHash != nil {
		return nil
	}
	byHash := make(map[string][]string)
	for _, name := range s.names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		was, err := r.readPicture(pictureIn(r.folder(), name))
		if err != nil || was == nil {
			continue // the error is reported with the orphan
		}
		hash := pillbox.Hash(picture.Straighten(was))
		byHash[hash] = append(byHash[hash], name)
	}
	s.byHash = byHash
	return nil
}

// pictureIn returns the path of the accepted picture with the given name in a folder.
func pictureIn(folder, name string) string {
	r := Reference{Name: name, base: filepath.Join(folder, name)}
	return r.Picture()
}
