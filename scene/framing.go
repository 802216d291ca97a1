package scene

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/typeface"
)

// Framing describes a camera by its direction and by the solids that it shows. Its position follows: as near as possible
// so that what sections leave of the solids is inside of the picture, see [camera.Fit]. Outlines, titles, labels, dimensions and axes get room,
// too.
type Framing struct {
	Camera    camera.Camera // of which only the projection, the up vector and the field of view matter
	Direction geom.Vec3     // of the view, from the camera into the scene; any length except 0
	Fit       []Range       // the solids to show; nil for all
	Margin    float64       // between the solids and the edge of the picture, as a fraction of the picture's shorter side

	// Each is true if the camera of a film frames each frame by itself. Otherwise one camera shows the solids of all
	// frames.
	Each bool
}

// defaultMargin is the default of Framing.Margin in scene files.
const defaultMargin = 0.04

// MaxMargin is the largest margin of a [Framing].
const MaxMargin = 0.45

// DefaultFraming returns the framing of a scene without a camera: all solids, in perspective, from the direction
// (1, 0.6, 1.4).
func DefaultFraming() Framing {
	return Framing{
		Camera:    camera.Camera{Up: camera.DefaultUp(), FOV: camera.DefaultFOV},
		Direction: geom.Vec3{X: -1, Y: -0.6, Z: -1.4},
		Margin:    defaultMargin,
	}
}

// FramingKeys returns the keys of [camera] that a camera with a fixed position must not have. The caller owns the slice.
func FramingKeys() []string { return framingKeys().Names() }

// framing returns the framing of a scene without a camera of a fixed position.
func (s *Scene) framing() Framing {
	if s.Framing != nil {
		return *s.Framing
	}
	return DefaultFraming()
}

// View returns the scene's camera prepared for a picture of width by height pixels, see [Scene.CameraFor]. It returns an
// error if the camera is degenerate, if the solids cannot be framed, or if the size is not positive.
func (s *Scene) View(width, height int) (*camera.View, error) {
	if s.Camera != nil {
		return s.Camera.View(width, height)
	}
	framed, err := s.Framed(width, height)
	if err != nil {
		return nil, err
	}
	return framed.Camera.View(width, height)
}

// CameraFor returns the scene's camera. If its position is not fixed, CameraFor returns the camera that frames the solids
// in a picture of width by height pixels, according to s.Framing. Without solids, it frames the unit sphere at the
// origin. If they cannot be framed, as [Scene.View] reports, it returns a camera without a position.
func (s *Scene) CameraFor(width, height int) camera.Camera {
	if s.Camera != nil {
		return *s.Camera
	}
	framed, err := s.Framed(width, height)
	if err != nil {
		return s.framing().Camera
	}
	return framed.Camera
}

// Framed returns the camera that frames the scene in a picture of width by height pixels, and what its planes touch. It
// ignores s.Camera. It returns an error if a value of s.Framing is invalid.
func (s *Scene) Framed(width, height int) (camera.Fitted, error) {
	return s.framed(width, height, false)
}

// Turntable returns the camera of a turntable, a film in which the camera circles around its up vector through a pivot.
// For a camera with a fixed position, the pivot is the point that it looks at. Otherwise it is the middle of the solids, and the
// camera is just so far away that the ball around the pivot that contains all solids fits into the picture.
func (s *Scene) Turntable(width, height int) (c camera.Camera, pivot geom.Vec3, err error) {
	if s.Camera != nil {
		return *s.Camera, s.Camera.LookAt, nil
	}
	framed, err := s.framed(width, height, true)
	if s.film != nil && !s.framing().Each {
		s = s.film.scene
	}
	return framed.Camera, s.middle(), err
}

func (s *Scene) framed(width, height int, turns bool) (camera.Fitted, error) {
	f := s.framing()
	if s.film != nil && !f.Each {
		return s.film.framed(s, &f, width, height, turns)
	}
	fit, err := f.start(s, width, height)
	if err != nil {
		return camera.Fitted{}, err
	}
	origin := s.middle()
	if !f.cover(fit, s, origin, height, turns) {
		fit.Cover(s.uncut(f.Fit).supports(origin, fit.Normals()))
	}
	return fit.Camera(origin), nil
}

// start returns a fit without solids for a picture of the scene.
func (f *Framing) start(s *Scene, width, height int) (*camera.Fit, error) {
	if err := framingKeys().Check("", &cameraTable{framed: true, Framing: *f}); err != nil {
		return nil, err
	}
	if err := s.checkRanges(f.Fit); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	return camera.NewFit(f.Camera, f.Direction, width, height, s.inset(f, width, height))
}

// middle returns the origin for framing: the center of the bounds of all solids.
func (s *Scene) middle() geom.Vec3 {
	bounds := geom.EmptyBounds()
	for _, row := range kindTable() {
		bounds = bounds.Union(row.bounds(s))
	}
	if bounds.IsEmpty() {
		return geom.Vec3{}
	}
	return bounds.Center()
}

// cover adds the solids and annotations of a scene to a fit for a picture of the given height. For a turntable, it adds
// a ball around the solids. It returns false if sections leave nothing of the solids.
func (f *Framing) cover(fit *camera.Fit, s *Scene, origin geom.Vec3, height int, turns bool) bool {
	if turns {
		fit.Cover(s.ball(f.Fit, origin))
		return true
	}
	isCovered := true
	if s.Objects.Len() == 0 {
		fit.Cover([6]float64{1, 1, 1, 1, 1, 1})
	} else if left := s.remains(f.Fit, s.framesTogether()); left.isEmpty() {
		isCovered = false
	} else {
		fit.Cover(left.supports(origin, fit.Normals()))
	}
	a := annotated{Scene: s, fit: fit, on: f.Fit, origin: origin, scale: float64(height) / float64(max(1, s.Image.Height))}
	a.all()
	return isCovered
}

// ball returns the supports of the ball around a point that contains some solids.
func (s *Scene) ball(on []Range, center geom.Vec3) (supports [6]float64) {
	radius := 0.0
	for _, r := range s.ranges(on) {
		for n := r.First; n < r.First+r.Count; n++ {
			k, i := s.Of(n)
			middle, inner := k.row().ball(k.row().solid(s, i))
			radius = max(radius, middle.Sub(center).Norm()+inner)
		}
	}
	if s.Objects.Len() == 0 {
		radius = 1
	}
	for i := range supports {
		supports[i] = radius
	}
	return supports
}

// ranges returns on, or the range of all solids if on is nil.
func (s *Scene) ranges(on []Range) []Range {
	if on == nil {
		return []Range{{0, s.Objects.Len()}}
	}
	return on
}

// Touching returns the number of the solid that a side of the picture touches: the first of those, of the framed solids,
// that extend the farthest toward it, without what sections take away. It returns false for a scene without solids. It considers the solids of this scene
// only, not those of other frames of a film.
func (s *Scene) Touching(side camera.Side, width, height int) (number int, ok bool) {
	f := s.framing()
	fit, err := f.start(s, width, height)
	if err != nil || s.Objects.Len() == 0 {
		return 0, false
	}
	left := s.remains(f.Fit, s.framesTogether())
	if left.isEmpty() {
		left = s.uncut(f.Fit)
	}
	return left.farthest(s.middle(), fit.Normals()[side]), true
}

// FramingNote says what the planes of a camera that frames the solids touch, in a picture of width by height pixels, such
// as: the left plane touches capsule "fore", the right plane sphere[2]. It returns "" for a camera with a fixed
// position, and if the solids cannot be framed.
func (s *Scene) FramingNote(width, height int) string {
	if s.Camera != nil {
		return ""
	}
	found, err := s.Framed(width, height)
	switch f := s.framing(); {
	case err != nil || s.Objects.Len() == 0:
		return ""
	case s.film != nil && !f.Each:
		return "framed for the whole film"
	case found.Close:
		return "framed, as near to the solids as possible"
	}
	var touched [2]string
	for i := range touched {
		side := found.Limit + camera.Side(i)
		if touched[i] = found.Touching[side]; touched[i] == "" {
			n, _ := s.Touching(side, width, height)
			touched[i] = s.Label(n)
		}
	}
	return fmt.Sprintf("framed: the %v plane touches %s, the %v plane %s", found.Limit, touched[0], found.Limit+1, touched[1])
}

// mostTaken is the largest part of the room inside of the margins that outlines and titles take from the solids. In a
// smaller picture, they cover the solids.
const mostTaken = 0.75

// inset returns the widths at the sides of a picture that the solids must leave free: the margin, half of an outline, a
// title, a legend and a color bar.
func (s *Scene) inset(f *Framing, width, height int) (in camera.Inset) {
	margin := float64(f.Margin * float64(min(width, height)))
	taken, _ := s.taken(float64(width), float64(height))
	for pair, length := range [...]int{width, height} { // left and right, bottom and top
		first, second, share := 2*pair, 2*pair+1, 1.0
		most := float64(mostTaken * (float64(length) - 2*margin))
		if both := taken[first] + taken[second]; both > most {
			share = most / both
		}
		in[first], in[second] = margin+float64(share*taken[first]), margin+float64(share*taken[second])
	}
	return in
}

// crowded is the part of the room inside of the margins above which annotations at the edges leave little room for the solids.
const crowded = 0.5

// Crowded returns the table of annotations because of which a camera that frames the solids has little room for them: "legend",
// "colormap", "scale_bar", "axes" or "title", the one that takes the largest part. It returns "" if there is room, and for a camera
// with a fixed position.
func (s *Scene) Crowded(width, height int) (table string) {
	if s.Camera != nil {
		return ""
	}
	f := s.framing()
	margin := float64(f.Margin * float64(min(width, height)))
	taken, strips := s.taken(float64(width), float64(height))
	largest := 0.0
	for pair, length := range [...]int{width, height} { // left and right, bottom and top
		if taken[2*pair]+taken[2*pair+1] <= float64(crowded*(float64(length)-2*margin)) {
			continue
		}
		for _, x := range strips {
			if share := x.width / float64(length); int(x.side)/2 == pair && share > largest {
				table, largest = x.table, share
			}
		}
	}
	return table
}

// strip is a strip at a side of the picture that annotations take.
type strip struct {
	table string // of the annotations
	side  camera.Side
	width float64
}

// taken returns the widths that outlines, a title, and the blocks in the corners need in a picture of a size, and the strips
// of the title and of the blocks.
func (s *Scene) taken(width, height float64) (in camera.Inset, strips []strip) {
	scale := height / float64(max(1, s.Image.Height))
	if s.Outline != nil {
		for side := range in {
			in[side] = float64(s.Outline.Width*scale) / 2
		}
	}
	var title strip
	var titleWidth float64
	if t := s.Annotations.Title; t != nil {
		title.table, title.side = "title", camera.Top
		if t.Bottom {
			title.side = camera.Bottom
		}
		w, h := t.box(t.Text, true, scale)
		away, beyond := t.Strip(scale)
		titleWidth = w + float64(2*float64(TextRoom*float64(t.Size*scale)))
		in[title.side] += away + h + beyond
		title.width = in[title.side]
		strips = append(strips, title)
	}
	// A block in a corner takes a strip at the side of the picture of which it takes the smaller share. If it has no room beside
	// a title, it goes below or above the title.
	corner := func(table, name string, w, h, size float64) {
		margin := float64(2 * float64(CornerMargin*float64(size*scale))) // one to the edge, and one to the solids
		w, h = w+margin, h+margin
		x := strip{table, camera.Left, w}
		if strings.HasSuffix(name, "right") {
			x.side = camera.Right
		}
		if float64(h*width) < float64(w*height) {
			x.side, x.width = camera.Top, h
			if strings.HasPrefix(name, "bottom") {
				x.side = camera.Bottom
			}
			if x.side == title.side && w+float64((titleWidth-width)/2) > 0 {
				x.width += title.width
			}
		}
		strips = append(strips, x)
		in[x.side] = max(in[x.side], x.width)
	}
	if g := s.Annotations.Legend; g != nil && len(g.Entries) > 0 && len(g.Entries) <= MaxAnnotations {
		p := g.Plan(scale)
		corner("legend", g.Corner, p.Width, p.Height, g.Size)
	}
	if b := s.Annotations.ColorBar; b != nil {
		p := b.Plan(s.Colormap, scale, height)
		corner("colormap", b.Corner, p.Width, p.Height, b.Size)
	}
	if b := s.Annotations.ScaleBar; b != nil {
		// Its length follows from the camera, so it takes a strip at the top or bottom.
		_, h := b.box(b.Write(b.Length), false, scale)
		corner("scale_bar", b.Corner, width, h+float64(b.Size*scale), b.Size)
	}
	if x := s.Annotations.Axes; x != nil && x.Corner != "" {
		around := float64(2 * float64((x.Length+float64(AxesReach*x.Size))*scale))
		corner("axes", x.Corner, around, around, AxesMargin*x.Size)
	}
	return in, strips
}

// Strip returns the distances between the edge of the picture and the box of the title, which extends from the capitals to the
// baseline, and between the box and the solids. Neither is less than the letters reach beyond the box.
func (t *Title) Strip(scale float64) (away, beyond float64) {
	size := float64(t.Size * scale)
	outer, inner := t.Reach(t.Text, true, scale)
	if t.Bottom {
		outer, inner = inner, outer
	}
	return max(float64(TitleMargin*size), outer+float64(2*TextRoom*size)), max(float64(Descent*size), inner)
}

// Proportions of texts, as multiples of their size.
const (
	Leading     = 1.3     // between baselines
	TextRoom    = 1.0 / 8 // around the letters, free of lines, arrowheads and other texts
	Descent     = 0.22    // of the longest letters below the baseline
	TitleMargin = 0.6     // between a title and the edge of the picture
	AxesReach   = 1.2     // of the texts of axes in a corner beyond the tips
	AxesMargin  = 0.3     // between these texts and the edges
)

// box returns the width and the height of a text in a picture in which a pixel of the scene file has scale pixels. The
// height is that from the capitals of the first line to the baseline of the last.
func (l *Lettering) box(caption string, bold bool, scale float64) (width, height float64) {
	face := typeface.Styled(bold, false)
	size, lines := float64(l.Size*scale), strings.Split(caption, "\n")
	for _, line := range lines {
		width = max(width, typeface.LineWidth(line, size, bold))
	}
	height = float64(float64(face.CapHeight())*size)/float64(face.UnitsPerEm()) + float64(float64(len(lines)-1)*float64(Leading*size))
	return width, height
}

// Reach returns how far letters of a text reach above the capitals of its first line and below the baseline of its last line, in
// a picture in which a pixel of the scene file has scale pixels.
func (l *Lettering) Reach(caption string, bold bool, scale float64) (above, below float64) {
	face := typeface.Styled(bold, false)
	size, lines := float64(l.Size*scale), strings.Split(caption, "\n")
	capitals := float64(float64(face.CapHeight())*size) / float64(face.UnitsPerEm())
	up, _ := typeface.LineReach(lines[0], size, bold)
	_, down := typeface.LineReach(lines[len(lines)-1], size, bold)
	return max(0, up-capitals), max(float64(Descent*size), down)
}

// annotated adds the annotations of a scene to a fit.
type annotated struct {
	*Scene
	fit    *camera.Fit
	on     []Range // the solids that are framed; nil for all
	origin geom.Vec3
	scale  float64 // pixels of the picture per pixel of the scene file
}

func (a *annotated) all() {
	notes := &a.Annotations
	for i := range notes.Labels {
		if x := &notes.Labels[i]; a.frames(x.On) {
			a.label(i, x)
		}
	}
	for i := range notes.Dimensions {
		x := &notes.Dimensions[i]
		if x.Across == "" && a.on == nil || x.Across != "" && a.frames([]Range{{x.Solid, 1}}) {
			a.dimension(i, x)
		}
	}
	for i := range notes.Lines {
		a.line(i, &notes.Lines[i])
	}
	for i := range notes.Angles {
		a.angle(i, &notes.Angles[i])
	}
	for i := range notes.Markers {
		if x := &notes.Markers[i]; a.frames(x.At.On) {
			a.point(keytable.Indexed("marker", i), x.At.At, float64(x.Size*a.scale/2), float64(x.Size*a.scale/2))
		}
	}
	if x := notes.Axes; x != nil && x.Corner == "" && a.on == nil {
		for i, way := range [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
			w, h := x.box(x.Texts[i], false, a.scale)
			reach := float64(1.3 * float64(x.Size*a.scale)) // of the text's middle beyond the tip
			a.point("axes", x.At.AddScaled(x.Length, way), reach+float64(w/2), reach+float64(h/2))
		}
		a.point("axes", x.At, 0, 0)
	}
}

// frames reports whether the framing shows annotations on the given solids. It shows those at points, which are on no
// solids, if it shows all solids.
func (a *annotated) frames(on []Range) bool {
	if a.on == nil {
		return true
	}
	return slices.ContainsFunc(on, func(r Range) bool {
		return slices.ContainsFunc(a.on, func(q Range) bool { return r.First < q.First+q.Count && q.First < r.First+r.Count })
	})
}

// point adds a point with a box that reaches by x pixels to the left and right of it, and by y up and down.
func (a *annotated) point(name string, p geom.Vec3, x, y float64) {
	a.fit.Point(name, p.Sub(a.origin), camera.Inset{x, x, y, y})
}

func (a *annotated) label(index int, x *Label) {
	w, h := x.box(x.Text, false, a.scale)
	above, below := x.Reach(x.Text, false, a.scale)
	size := float64(x.Size * a.scale)
	pad := float64(TextRoom * size)
	right := float64(x.Offset[0]*a.scale) - float64(float64(x.Anchor.X)*(w/2)) // to the middle of the box
	down := float64(x.Offset[1]*a.scale) - float64(float64(x.Anchor.Y)*(h/2))
	a.fit.Point(keytable.Indexed("label", index), x.At.Sub(a.origin), camera.Inset{
		camera.Left: float64(w/2) - right + pad, camera.Right: float64(w/2) + right + pad,
		camera.Top: float64(h/2) - down + pad + above, camera.Bottom: float64(h/2) + down + pad + below,
	})
}

// line adds the ends of a line. They must both be on framed solids, unless all are framed.
func (a *annotated) line(index int, x *Line) {
	if !a.frames(x.From.On) || !a.frames(x.To.On) {
		return
	}
	reach := float64(x.Width*a.scale) / 2
	if x.Heads != HeadsNone {
		reach = max(reach, float64(x.Head()*a.scale)/3)
	}
	a.point(keytable.Indexed("line", index), x.From.At, reach, reach)
	a.point(keytable.Indexed("line", index), x.To.At, reach, reach)
}

// angle adds the ends of the arc of an angle, and its middle with the text.
func (a *annotated) angle(index int, x *Angle) {
	from, to, ok := x.Legs()
	if !ok || !a.frames(x.At.On) {
		return
	}
	name, radius, reach := keytable.Indexed("angle", index), x.Arc(), float64(max(x.Width, x.Head()/3)*a.scale)
	w, h := 0.0, 0.0
	if caption := x.Caption(); caption != "" {
		w, h = x.box(caption, false, a.scale)
		w, h = w+float64(x.Size*a.scale), h+float64(x.Size*a.scale)
	}
	middle, ok := geom.Direction(from.Add(to))
	if !ok {
		middle = a.fit.Axes().Y
	}
	for _, way := range [...]geom.Vec3{from, to} {
		a.point(name, x.At.At.AddScaled(radius, way), reach, reach)
	}
	a.point(name, x.At.At.AddScaled(radius, middle), reach+w, reach+h)
}

// dimension adds the line and the text of a dimension. The text may be on either side of the line.
func (a *annotated) dimension(index int, d *Dimension) {
	name, size := keytable.Indexed("dimension", index), float64(d.Size*a.scale)
	from, to, length := d.From, d.To, d.To.Sub(d.From).Norm()
	if d.Across != "" {
		kind, i := a.Of(d.Solid)
		center, radius := kind.row().ball(kind.row().solid(a.Scene, i))
		from, to, length = center, center, 2*radius
		supports := a.uncut([]Range{{d.Solid, 1}}).supports(a.origin, a.fit.Normals())
		for i, n := range a.fit.Normals() {
			supports[i] += d.Offset.Dot(n)
		}
		a.fit.Cover(supports)
	}
	from, to = from.Add(d.Offset), to.Add(d.Offset)
	head := float64(0.3 * size)
	a.point(name, from, head, head)
	a.point(name, to, head, head)
	w, h := d.box(strings.ReplaceAll(d.Text, lengthMark, d.Write(length)), false, a.scale)
	w, h = w+size, h+size
	way, axes := to.Sub(from), a.fit.Axes()
	x, y := math.Abs(way.Dot(axes.X)), math.Abs(way.Dot(axes.Y))
	n := math.Sqrt(float64(x*x) + float64(y*y))
	sideX, sideY := 1.0, 1.0 // how far the text is to the side of the line and above it
	if n > 0 {
		sideX, sideY = y/n, x/n
	}
	distance := float64(w/2*sideX) + float64(h/2*sideY)
	a.point(name, from.Add(to.Sub(from).Scale(0.5)), float64(distance*sideX)+float64(w/2), float64(distance*sideY)+float64(h/2))
}

// film frames all frames of a moving scene with one camera. It is safe for concurrent use.
type film struct {
	scene *Scene // the moving scene

	mu      sync.Mutex
	cameras map[filmKey]filmCamera
}

// filmKey is what the camera of a film depends on, besides the film.
type filmKey struct {
	camera.Camera
	direction     geom.Vec3
	margin        float64
	width, height int
	still         bool // whether the camera is for the scene without a time
	turns         bool // whether it is that of a turntable
}

type filmCamera struct {
	camera.Fitted
	err error
}

// framed returns the camera for s, which is the moving scene itself or this scene at a time. The camera of the moving
// scene itself, which shows the values in the file's tables, shows these, too.
func (m *film) framed(s *Scene, f *Framing, width, height int, turns bool) (camera.Fitted, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := filmKey{f.Camera, f.Direction, f.Margin, width, height, s.Moves(), turns}
	found, done := m.cameras[key]
	if !done {
		found.Fitted, found.err = m.frame(s, f, width, height, turns)
		if m.cameras == nil {
			m.cameras = make(map[filmKey]filmCamera)
		}
		m.cameras[key] = found
	}
	return found.Fitted, found.err
}

// mostFramed is the largest cost of all frames together that are framed, in solids. If it is larger, some frames are
// omitted.
const mostFramed = 1e7

func (m *film) frame(s *Scene, f *Framing, width, height int, turns bool) (camera.Fitted, error) {
	fit, err := f.start(s, width, height)
	if err != nil {
		return camera.Fitted{}, err
	}
	origin := m.scene.middle()
	isCovered := s.Moves() && f.cover(fit, s, origin, height, turns)
	for seconds := range m.scene.frameTimes(mostFramed) {
		at, err := m.scene.unframedAt(seconds)
		if err != nil {
			return camera.Fitted{}, err
		}
		isCovered = f.cover(fit, at, origin, height, turns) || isCovered
		if !m.scene.motion.affected[m.scene.root] {
			break // all frames have the same solids
		}
	}
	if !isCovered {
		fit.Cover(m.scene.uncut(f.Fit).supports(origin, fit.Normals()))
	}
	return fit.Camera(origin), nil
}

// framesTogether returns how many scenes are framed together with s.
func (s *Scene) framesTogether() int {
	if s.film == nil || s.framing().Each || s.film.scene.Animation == nil {
		return 1
	}
	return max(1, s.film.scene.Animation.Frames())
}

// frameTimes returns the times of the frames of the animation, or, if there is no [animation], of frames from 0 until
// the last time of a track. It omits some frames if all together cost more than the given number of solids.
func (s *Scene) frameTimes(mostSolids float64) iter.Seq[float64] {
	a := s.Animation
	if a == nil {
		a = &Animation{FPS: DefaultFPS}
		for _, tr := range s.motion.tracks {
			a.Duration = max(a.Duration, tr.times[len(tr.times)-1]+1/a.FPS)
		}
	}
	step := 1 + geom.ClampInt(float64(a.Frames())*s.frameCost()/mostSolids, 0, a.Frames())
	return func(yield func(float64) bool) {
		for i := 0; i < a.Frames() && yield(float64(i)/a.FPS); i += step {
		}
	}
}

// frameCost returns about how long it takes to build and to frame the scene at one time, as the number of solids for which
// it takes as long.
func (s *Scene) frameCost() float64 {
	const ofTrack, ofAnnotation = 1000, 100
	return float64(s.Objects.Len() + len(s.Lights) + ofAnnotation*s.Annotations.count() + ofTrack*len(s.motion.tracks))
}
