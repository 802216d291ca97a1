package regress

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"reflect"
	"slices"

	"pillbox"
	"pillbox/camera"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// A trial undoes edits one unit at a time and records what changes.
type trial struct {
	Comparison
	accepted, present Version
	renames           renames
	edits             []*edit // those of the renames come first
	plans             map[string]filePlan
	fixed             map[string]any // the files without edits; as []byte if they are those of the present version
	same              documents      // the present version
	units             []*unit

	want, got *image.NRGBA
	masked    pixelSet
	older     pixelSet // pixels in which rendering the accepted scene differs from the accepted picture; nil: unknown
	undone    pixelSet // pixels in which rendering the accepted scene differs from the present picture; nil: unknown

	// These describe the present scene and are nil until they are needed.
	names *naming
	tree  *pillbox.Prepared
}

// A filePlan computes an edited file for any choice of undone edits. The file's edits are edits[first:end] of the
// trial.
type filePlan struct {
	plan
	first, end int
}

// A unit is a set of edits that are undone together: a single edit, or a group.
type unit struct {
	edits    []int
	scene    *scene.Scene // the present scene without the edits; nil if it takes too much memory to keep
	examined bool
	size     image.Point // size of the picture without the edits
	pixels   pixelSet    // pixels that change when the unit is undone; nil if none do
	together int         // number of pixels that another unit changes, too
	effects  []Effect
}

func newTrial(accepted, present Version, c Comparison) *trial {
	t := &trial{Comparison: c, accepted: accepted, present: present, want: straight(c.Want), got: straight(c.Got)}
	t.masked = covered(c.Diff.Got, c.Diff.Tolerance.Masks)
	a, b := accepted.documents(), present.documents()
	t.plan(a, b, findRenames(a, b))
	if len(t.renames.list) > 0 && !t.givesAccepted() {
		t.plan(a, b, renames{}) // a reference was not recognized, so treat renames as other edits
	}
	t.present.lines(t.edits)
	return t
}

// givesAccepted reports whether undoing all edits gives the accepted scene.
func (t *trial) givesAccepted() bool {
	s, err := t.decode(t.all())
	return err == nil && SameScene(s, t.accepted.Scene)
}

// plan finds the edits that lead from one version to the other, given what was renamed.
func (t *trial) plan(a, b documents, all renames) {
	t.renames, t.same = all, b
	t.edits, t.plans, t.fixed = nil, make(map[string]filePlan), make(map[string]any)
	for i := range all.list {
		t.edits = append(t.edits, all.list[i].edit())
	}
	a = all.applied(a, all.list)
	for _, file := range slices.Sorted(maps.Keys(b)) {
		if v, ok := a[file]; ok && (len(all.list) > 0 || !bytes.Equal(t.accepted.file(file), t.present.file(file))) {
			d, first := differ{file, &t.edits}, len(t.edits)
			t.plans[file] = filePlan{d.document(v, b[file]), first, len(t.edits)}
		} else {
			t.fixed[file] = t.present.file(file)
		}
	}
	for file := range a {
		if _, ok := b[file]; !ok {
			t.fixed[file] = a[file] // undoing an edit may bring back a reference to this file
		}
	}
}

// file returns the contents of a file of a version.
func (v *Version) file(name string) []byte {
	if name == ownFile {
		return v.Text
	}
	return v.Files[name]
}

// all returns an undone value with which every edit is undone.
func (t *trial) all() undone { return slices.Repeat(undone{true}, len(t.edits)) }

// without returns an undone value with which only the given edits are undone.
func (t *trial) without(edits ...int) undone {
	u := make(undone, len(t.edits))
	for _, i := range edits {
		u[i] = true
	}
	return u
}

// decode returns the present scene with the edits undone that u selects. It returns an error if the result is not a
// valid scene.
func (t *trial) decode(u undone) (*scene.Scene, error) {
	files := make(map[string][]byte)
	if slices.Contains(u[:len(t.renames.list)], true) {
		for name, doc := range t.renames.undone(t.documents(u), u) {
			files[name] = encode(doc)
		}
	} else {
		for name, p := range t.plans {
			if !slices.Contains(u[p.first:p.end], true) {
				files[name] = t.present.file(name)
				continue
			}
			v, _ := p.plan(u)
			files[name] = encode(v)
		}
		for name, doc := range t.fixed {
			files[name] = encode(doc)
		}
	}
	text := files[ownFile]
	delete(files, ownFile)
	s, err := scene.Decode(t.present.Name, text, scene.WithFiles(osfile.Memory(files)))
	if err == nil && t.At != nil {
		s, err = s.At(*t.At)
	}
	if err == nil {
		_, err = s.View(s.Image.Width, s.Image.Height)
	}
	return s, err
}

// documents returns the files of the present version with the edits undone that u selects, except renames.
func (t *trial) documents(u undone) documents {
	docs := make(documents)
	for name, p := range t.plans {
		docs[name], _ = p.plan(u)
	}
	for name, doc := range t.fixed {
		docs[name] = doc
		if same, ok := t.same[name]; ok {
			docs[name] = same
		}
	}
	return docs
}

// run determines the effect of each edit.
func (t *trial) run(ctx context.Context) error {
	t.joinInseparable(ctx)
	before, err := t.acceptedPicture(ctx)
	if err != nil {
		return err
	}
	for _, u := range t.units {
		if err := t.examine(ctx, u, before); err != nil {
			return err
		}
	}
	t.count()
	t.foldRenames()
	return ctx.Err()
}

// acceptedPicture renders the accepted scene and records the pixels in which it differs from the accepted and from the
// present picture. It returns nil if there is no time, or if rendering fails.
func (t *trial) acceptedPicture(ctx context.Context) (*image.NRGBA, error) {
	img := t.got
	if !SameScene(t.accepted.Scene, t.present.Scene) {
		var err error
		if img, err = t.picture(ctx, t.accepted.Scene); img == nil {
			return nil, err
		}
	}
	if img.Rect.Size() == t.Diff.Want {
		t.older = differing(img, t.want, covered(t.Diff.Want, t.Diff.Tolerance.Masks))
	}
	if img.Rect.Size() == t.Diff.Got {
		t.undone = differing(img, t.got, t.masked)
	}
	return img, nil
}

// picture renders a scene. It returns nil if there is no time, or if rendering fails, and an error only if ctx ends.
func (t *trial) picture(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
	if !t.hasTime() {
		return nil, nil
	}
	img, err := t.Render(ctx, s)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, nil
	}
	return straight(img), nil
}

func (t *trial) hasTime() bool { return t.More == nil || t.More() }

// maxKeptSolids is the largest number of solids in a scene that joinInseparable keeps in memory for examine. A larger
// scene is decoded a second time, which takes less time than rendering it.
const maxKeptSolids = 1 << 12

// joinInseparable makes each edit a unit. It then joins each unit that cannot be undone alone with the
// units that it needs. At the latest, this ends with one unit of all edits: undoing all of them yields the accepted
// scene, which is valid.
func (t *trial) joinInseparable(ctx context.Context) {
	for i := range t.edits {
		t.units = append(t.units, &unit{edits: []int{i}})
	}
	for i := 0; i < len(t.units) && ctx.Err() == nil && t.hasTime(); i++ {
		u := t.units[i]
		s, err := t.decode(t.without(u.edits...))
		for err != nil && len(t.units) > 1 && t.hasTime() {
			u = t.join(u)
			s, err = t.decode(t.without(u.edits...))
		}
		if i = slices.Index(t.units, u); err == nil && s.Objects.Len() <= maxKeptSolids {
			u.scene = s
		}
	}
}

// join merges a unit with the others that must be undone with it, and returns the merged unit.
func (t *trial) join(u *unit) *unit {
	joined := &unit{edits: slices.Clone(u.edits)}
	for _, v := range t.neededFor(u) {
		joined.edits = append(joined.edits, v.edits...)
	}
	slices.Sort(joined.edits)
	isJoined := func(v *unit) bool { return slices.Contains(joined.edits, v.edits[0]) }
	at := slices.IndexFunc(t.units, isJoined)
	t.units = slices.Insert(slices.DeleteFunc(t.units, isJoined), at, joined)
	return joined
}

// neededFor returns the other units that must be undone together with u.
func (t *trial) neededFor(u *unit) []*unit {
	others := slices.DeleteFunc(slices.Clone(t.units), func(v *unit) bool { return v == u })
	return t.pruned(u, t.needed(u, nil, others))
}

// needed returns those candidates that must be undone together with u and others to get a valid scene. The caller must
// ensure that undoing u, others and all candidates gives a valid scene. To drop many candidates at once, needed halves
// the list recursively (Junker, QuickXplain: Preferred Explanations and Relaxations for Over-Constrained Problems, AAAI
// 2004). If there is no time, needed returns all candidates.
func (t *trial) needed(u *unit, others, candidates []*unit) []*unit {
	if !t.hasTime() {
		return candidates
	}
	if t.canUndo(u, others) {
		return nil
	}
	if len(candidates) <= 1 {
		return candidates
	}
	half := len(candidates) / 2
	first, second := candidates[:half], candidates[half:]
	needed := t.needed(u, slices.Concat(others, first), second)
	return slices.Concat(t.needed(u, slices.Concat(others, needed), first), needed)
}

// pruned drops units that need not be undone to undo u. It tries to drop single units and pairs of units. A pair can be
// droppable although neither of its units is, because two units may need each other. It stops if there is no time.
func (t *trial) pruned(u *unit, needed []*unit) []*unit {
	for i := 0; i < len(needed); i++ {
		for j := i; j < len(needed) && t.hasTime(); j++ {
			rest := slices.Clone(needed[:i])
			rest = append(rest, needed[i+1:]...)
			if j > i {
				rest = slices.Delete(rest, j-1, j)
			}
			if t.canUndo(u, rest) {
				return t.pruned(u, rest)
			}
		}
	}
	return needed
}

func (t *trial) canUndo(u *unit, others []*unit) bool {
	edits := slices.Clone(u.edits)
	for _, v := range others {
		edits = append(edits, v.edits...)
	}
	_, err := t.decode(t.without(edits...))
	return err == nil
}

// examine finds the pixels that change if a unit is undone. original is the picture of the accepted scene, or nil if
// none exists. If undoing the unit gives the accepted scene, examine uses this picture instead of rendering the scene
// again.
func (t *trial) examine(ctx context.Context, u *unit, original *image.NRGBA) error {
	s := u.scene
	u.scene = nil
	if s == nil {
		if !t.hasTime() {
			return nil
		}
		var err error
		if s, err = t.decode(t.without(u.edits...)); err != nil {
			return nil
		}
	}
	if SameScene(s, t.present.Scene) {
		u.examined, u.size = true, t.Diff.Got
		return nil
	}
	img := original
	if !SameScene(s, t.accepted.Scene) {
		var err error
		if img, err = t.picture(ctx, s); err != nil {
			return err
		}
	}
	if img == nil {
		return nil
	}
	u.examined, u.size = true, img.Rect.Size()
	if u.size != t.Diff.Got {
		return nil
	}
	if pixels := differing(img, t.got, t.masked); pixels.len() > 0 {
		u.pixels = pixels
		return t.findEffects(ctx, u, s)
	}
	return nil
}

// count counts, for each unit, the pixels that another unit changes, too. It then sorts the units for the report.
func (t *trial) count() {
	once, twice := newPixelSet(t.Diff.Got), newPixelSet(t.Diff.Got)
	for _, u := range t.units {
		for i, word := range u.pixels {
			twice[i] |= once[i] & word
			once[i] |= word
		}
	}
	for _, u := range t.units {
		u.together = u.pixels.lenBoth(twice)
	}
	slices.SortStableFunc(t.units, func(u, v *unit) int {
		return cmp.Or(cmp.Compare(t.rank(u), t.rank(v)), cmp.Compare(v.pixels.len(), u.pixels.len()))
	})
}

// rank is the sort key of units: those with an effect first, then those without one, then renames without effect, and last
// those that were not examined.
func (t *trial) rank(u *unit) int {
	switch {
	case !u.examined:
		return 4
	case t.isMereRename(u):
		return 3
	case u.pixels == nil:
		return 2
	}
	return 1
}

// isMereRename reports whether a unit contains only renames and has no effect.
func (t *trial) isMereRename(u *unit) bool {
	isOther := func(i int) bool { return i >= len(t.renames.list) }
	return u.examined && u.pixels == nil && u.size == t.Diff.Got && !slices.ContainsFunc(u.edits, isOther)
}

// foldRenames makes each rename without effect a part of the edits inside what was renamed, if there are any, so that
// renaming and changing something is one edit.
func (t *trial) foldRenames() {
	inside := make(map[int][]*edit) // by rename
	for _, e := range t.edits[len(t.renames.list):] {
		if i := t.renames.around(&e.Edit); i != none {
			inside[i] = append(inside[i], e)
		}
	}
	for _, u := range t.units {
		if !t.isMereRename(u) {
			continue
		}
		u.edits = slices.DeleteFunc(u.edits, func(i int) bool {
			for _, e := range inside[i] {
				e.Was, e.moved = fmt.Sprint(t.edits[i].Before), t.renames.list[i].isMove()
			}
			return len(inside[i]) > 0
		})
	}
	t.units = slices.DeleteFunc(t.units, func(u *unit) bool { return len(u.edits) == 0 })
}

// SameScene reports whether two scenes are equal in everything that a picture shows. Names of solids, lights and
// materials may differ.
func SameScene(a, b *scene.Scene) bool {
	if a == b {
		return true
	}
	return sameSolids(a, b) && slices.EqualFunc(a.Lights, b.Lights, sameLight) && sameMaterials(a, b) && sameSettings(a, b)
}

// sameSettings reports whether two scenes have equal settings, such as those of the image and the shading. It does not
// compare the camera, solids, lights and materials. It also ignores what does not affect a picture at one time, such as
// the duration of the animation.
func sameSettings(a, b *scene.Scene) bool {
	others := []string{"Name", "Camera", "Framing", "Lights", "Materials", "Spheres", "Capsules", "Boxes", "Cylinders", "Objects", "AllowedOverlaps", "Animation", "Files", "Warnings"}
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if f := x.Type().Field(i); f.IsExported() && !slices.Contains(others, f.Name) &&
			!reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return false
		}
	}
	return true
}

// sameSolids reports whether two scenes have the same solids in the same places, and the same camera.
func sameSolids(a, b *scene.Scene) bool {
	return scene.SameSolids(a, b) && cameraOf(a) == cameraOf(b)
}

// cameraOf returns the camera of a scene for the size that the scene states.
func cameraOf(s *scene.Scene) camera.Camera { return s.CameraFor(s.Image.Width, s.Image.Height) }

func sameLight(a, b scene.Light) bool { return a.Attached == b.Attached && a.Light == b.Light }

func sameMaterials(a, b *scene.Scene) bool {
	for i := range a.Objects.Len() {
		if x, y := a.Objects.Material(i), b.Objects.Material(i); x != y && !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}
