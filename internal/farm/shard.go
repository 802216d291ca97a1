package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/s2"

	"pillbox"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// Shard is one of Count parts of a plan, for machines that share only files. With the same plan and Count, each unit
// belongs to exactly one shard.
type Shard struct {
	Format int  `json:"format"`
	Plan   Plan `json:"plan"`
	Index  int  `json:"index"` // number of this shard, from 0
	Count  int  `json:"count"` // number of shards
	Output
	Parts []Part `json:"parts"`
}

// Part describes the result of a unit in the file of a shard.
type Part struct {
	Unit   int    `json:"unit"` // its number, see [Plan.Units]
	Offset int64  `json:"offset"`
	Length int    `json:"length"`
	Hash   string `json:"hash"`           // of the pixels
	Note   string `json:"note,omitempty"` // of the shot, see [ShardOptions]
}

// MaxShards is the largest number of shards of a plan.
const MaxShards = 1 << 16

const (
	shardMagic   = "PBSHARD\n"
	trailerBytes = 8 + sha256.Size + len(shardMagic)
	maxIndex     = 1 << 28 // bytes, both compressed and uncompressed
)

// ShardCell returns a size of units for rendering shots of equal size in n shards; zero means whole shots. It aims at eight
// or more units per shard, so that a slow unit delays its shard only a little. Units are at least 16 pixels wide, except at
// edges, so a small picture has fewer units.
func ShardCell(shots []Shot, n int) image.Point {
	const perShard = 8
	if len(shots) >= perShard*n {
		return image.Point{}
	}
	size := shots[0].Region.Size()
	side := 512
	for side > 16 && len(shots)*((size.X+side-1)/side)*((size.Y+side-1)/side) < perShard*n {
		side /= 2
	}
	return image.Pt(side, side)
}

// has reports whether a unit belongs to the shard. Of two or more shards, neighboring units in a row or a column belong
// to different ones. From row to row, the order of the shards is shifted by the golden ratio, so that each shard is
// spread over the whole picture.
func (s *Shard) has(u Unit) bool {
	p := &s.Plan
	column, row := 0, 0
	if p.Cell.X > 0 && p.Cell.Y > 0 {
		column, row = u.Rect.Min.X/p.Cell.X, u.Rect.Min.Y/p.Cell.Y
	}
	frame := u.Shot
	if s.Frames > 0 {
		frame %= s.Frames
	}
	step := int(math.Round(float64(s.Count) / math.Phi))
	return (column+row*step+frame)%s.Count == s.Index
}

// units returns the units of the shard by their numbers, and these numbers in increasing order.
func (s *Shard) units() (map[int]Unit, []int) {
	mine := make(map[int]Unit)
	var order []int
	for n, u := range s.Plan.Units() {
		if s.has(u) {
			mine[n] = u
			order = append(order, n)
		}
	}
	return mine, order
}

// ShardOptions configure how a shard is rendered. They do not affect pixels.
type ShardOptions struct {
	Workers  int                                    // number of threads; 0 means GOMAXPROCS
	Progress func(done, all int)                    // called with the number of finished pixels and of all pixels of the shard; may be nil
	Note     func(shot int, at *scene.Scene) string // returns a text to store with the parts of a shot; may be nil
}

// WriteShard renders the units of s and writes the shard file to w. sc is the scene of the plan. WriteShard sets the fields
// Format, Parts and Plan.Renderer of s.
func WriteShard(ctx context.Context, w io.Writer, s *Shard, sc *scene.Scene, opt ShardOptions) error {
	s.Format, s.Parts, s.Plan.Renderer = Format, nil, ownRenderer()
	if err := s.validate(); err != nil {
		return err
	}
	mine, order := s.units()
	all := 0
	for _, u := range mine {
		all += sizeOf(u.Rect)
	}
	f := &shardWriter{w: w, shard: s, all: all, progress: opt.Progress}
	f.write([]byte(shardMagic))
	ready := newSceneCache(func(context.Context, string) (*scene.Scene, error) { return sc, nil }, opt.Workers)
	err := parallel.Each(ctx, parallel.Workers(opt.Workers), len(order), func(ctx context.Context, i int) error {
		n := order[i]
		t := s.Plan.task(mine[n])
		film, err := ready.render(ctx, t, 1)
		if err != nil {
			return err
		}
		text := ""
		if opt.Note != nil {
			e, err := ready.prepared(ctx, t)
			if err != nil {
				return err
			}
			text = opt.Note(mine[n].Shot, t.aim(e.scene))
		}
		return f.add(n, encode(film), text, sizeOf(mine[n].Rect))
	})
	if err != nil {
		return err
	}
	return f.finish()
}

// shardWriter writes the file of a shard. After an error it writes nothing more, and returns the first error.
type shardWriter struct {
	w        io.Writer
	shard    *Shard
	progress func(done, all int)

	mu     sync.Mutex
	offset int64
	done   int // pixels
	all    int
	err    error
}

func (f *shardWriter) write(data []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(data)
		f.offset += int64(len(data))
	}
}

// add writes the result of unit n.
func (f *shardWriter) add(n int, result []byte, note string, pixels int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	hash := sumOf(result)
	f.shard.Parts = append(f.shard.Parts, Part{Unit: n, Offset: f.offset, Length: len(result), Hash: hash, Note: note})
	f.write(result)
	f.done += pixels
	if f.progress != nil {
		f.progress(f.done, f.all)
	}
	return f.err
}

// finish writes the index and the trailer, which follow the results.
func (f *shardWriter) finish() error {
	slices.SortFunc(f.shard.Parts, func(a, b Part) int { return a.Unit - b.Unit })
	index := s2.Encode(nil, marshal(f.shard))
	sum := sha256.Sum256(index)
	f.write(index)
	f.write(binary.BigEndian.AppendUint64(nil, uint64(len(index))))
	f.write(sum[:])
	f.write([]byte(shardMagic))
	return f.err
}

// validate returns an error if the fields of the shard are out of range or contradict each other.
func (s *Shard) validate() error {
	switch {
	case s.Format != Format:
		return fmt.Errorf("it has format %d, and this program format %d", s.Format, Format)
	case s.Count < 1 || s.Count > MaxShards || s.Index < 0 || s.Index >= s.Count:
		return fmt.Errorf("it is shard %d of %d", s.Index, s.Count)
	case len(s.Plan.Shots) == 0 || s.Frames < 0 || s.Frames > 0 && len(s.Plan.Shots) != 2*s.Frames || s.Frames == 0 && len(s.Plan.Shots) != 1:
		return fmt.Errorf("it has %d pictures for %d frames", len(s.Plan.Shots), s.Frames)
	case s.Frames > 0 && !(s.FPS > 0 && s.FPS <= scene.MaxFPS):
		return fmt.Errorf("it has %v frames a second", s.FPS)
	}
	if err := s.Plan.validate(); err != nil {
		return fmt.Errorf("it has %w", err)
	}
	return nil
}

// First returns the number of the film's first frame. It is 0 if the film begins at time 0, or if the plan is not a
// film.
func (s *Shard) First() int {
	if t := s.Plan.Shots[0].Time; s.Frames > 0 && t != nil {
		return int(min(max(math.Round(*t*s.FPS), 0), math.MaxInt32)) // see [animate.Film.Time]
	}
	return 0
}

// File is an open shard file.
type File struct {
	Name string // for messages
	io.ReaderAt
	Size int64
}

// read reads and checks the index of a shard file. The file can contain any bytes.
func (f *File) read() (*Shard, error) {
	trailer := make([]byte, trailerBytes)
	if f.Size < int64(len(shardMagic)+trailerBytes) {
		return nil, errors.New("not a shard file, or truncated")
	}
	if _, err := f.ReadAt(trailer, f.Size-int64(trailerBytes)); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint64(trailer)
	if string(trailer[8+sha256.Size:]) != shardMagic || length > maxIndex || int64(length) > f.Size-int64(trailerBytes) {
		return nil, errors.New("not a shard file, or truncated")
	}
	index := make([]byte, length)
	if _, err := f.ReadAt(index, f.Size-int64(trailerBytes)-int64(length)); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(index); !bytes.Equal(sum[:], trailer[8:8+sha256.Size]) {
		return nil, errors.New("it is damaged")
	}
	if n, err := s2.DecodedLen(index); err != nil || n > maxIndex {
		return nil, errors.New("it is damaged")
	}
	text, err := s2.Decode(nil, index)
	if err != nil {
		return nil, err
	}
	s := new(Shard)
	if err := unmarshal(text, s); err != nil {
		return nil, err
	}
	return s, s.validate()
}

// Assembly provides the pictures of a plan from all its shards.
type Assembly struct {
	Shard // the fields that the shards have in common
	found map[int]located
	shots [][]located
}

// located is a part with the rectangle of its unit and the file that contains its result.
type located struct {
	Part
	rect image.Rectangle
	file *File
}

// Assemble combines the shards of a plan, in any order. It returns an error if a file comes from another renderer, or
// has other shots or options than the first file. It also returns an error if a shard is missing or occurs twice. The
// files must stay open while the assembly is used.
func Assemble(files []File) (*Assembly, error) {
	if len(files) == 0 {
		return nil, errors.New("want shards, got none")
	}
	a := &Assembly{found: make(map[int]located)}
	renderer := ownRenderer()
	var common []byte
	from := make(map[int]string) // names of the files by the numbers of their shards
	for i := range files {
		f := &files[i]
		s, err := f.read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		own := *s
		own.Index, own.Parts = 0, nil
		switch {
		case s.Plan.Renderer != renderer:
			return nil, fmt.Errorf("%s was rendered by renderer %s, and this program has renderer %s: render and assemble all shards with the same program",
				f.Name, short(s.Plan.Renderer), short(renderer))
		case i == 0:
			a.Shard, common = own, marshal(own)
		case s.Plan.Scene != a.Plan.Scene:
			return nil, fmt.Errorf("%s shows the scene %.12s..., %s the scene %.12s...", f.Name, s.Plan.Scene, files[0].Name, a.Plan.Scene)
		case s.Count != a.Count:
			return nil, fmt.Errorf("%s is one of %d shards, %s one of %d", f.Name, s.Count, files[0].Name, a.Count)
		case !bytes.Equal(marshal(own), common):
			return nil, fmt.Errorf("%s has other options than %s", f.Name, files[0].Name)
		}
		if other, there := from[s.Index]; there {
			return nil, fmt.Errorf("%s and %s are both shard %d of %d", other, f.Name, s.Index, s.Count)
		}
		from[s.Index] = f.Name
		if err := a.take(f, s); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if missing := missing(from, a.Count); missing != "" {
		return nil, fmt.Errorf("missing of %d shards: %s", a.Count, missing)
	}
	a.shots = make([][]located, len(a.Plan.Shots))
	for n, u := range a.Plan.Units() {
		a.shots[u.Shot] = append(a.shots[u.Shot], a.found[n])
	}
	return a, nil
}

// take records the parts of a shard. It returns an error unless they are exactly the units of the shard.
func (a *Assembly) take(f *File, s *Shard) error {
	mine, _ := s.units()
	for _, p := range s.Parts {
		u, ok := mine[p.Unit]
		if !ok || p.Length < headBytes || p.Length > maxResult(sizeOf(u.Rect)) || p.Offset < 0 || p.Offset > f.Size-int64(p.Length) {
			return fmt.Errorf("unit %d is not one of this shard's, or not where it should be", p.Unit)
		}
		delete(mine, p.Unit)
		a.found[p.Unit] = located{p, u.Rect, f}
	}
	if len(mine) > 0 {
		return fmt.Errorf("it lacks %d of its units", len(mine))
	}
	return nil
}

// missing lists the numbers of missing shards, at most the first 20.
func missing(there map[int]string, count int) string {
	const most = 20
	var list []string
	for i := range count {
		if _, ok := there[i]; ok {
			continue
		}
		if len(list) == most {
			list = append(list, "and more")
			break
		}
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ", ")
}

// Picture returns the film of a shot. It uses opt.Progress and opt.Rows and ignores other options.
func (a *Assembly) Picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	c := newCanvas(&a.Plan.Shots[shot], opt)
	for _, p := range a.shots[shot] {
		if err := context.Cause(ctx); err != nil {
			return c.film, err
		}
		data := make([]byte, p.Length)
		if _, err := p.file.ReadAt(data, p.Offset); err != nil {
			return nil, err
		}
		film, err := decode(data, p.rect)
		if err == nil && sumOf(data) != p.Hash {
			err = errors.New("other pixels than the index says")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: unit %d: %w", p.file.Name, p.Unit, err)
		}
		c.put(film)
	}
	return c.film, nil
}

// Note returns the note of a shot, or "" if it has none.
func (a *Assembly) Note(shot int) string { return a.shots[shot][0].Note }
