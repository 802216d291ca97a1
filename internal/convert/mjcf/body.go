package mjcf

import (
	"fmt"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// body is a body with everything that is fixed to it.
type body struct {
	*markup.Element // nil: the world
	name            string
	label           string // name of its placement, with a suffix if it was replicated
	parent          *body
	part            *model.Part
	joints          []joint
	children        []*body
	mocap           int // its number among the motion-capture bodies, from 1; 0 if it is not one

	inertia *model.Pose  // its inertial frame if the file states it, else nil
	massive []model.Pose // frames of its geoms with mass; the frames of meshes are unknown
	unknown bool         // whether its inertial frame is unknown

	local     model.Pose // pose in its parent, at the positions of [Options]
	reference model.Pose // pose in the world, as in the file
	now       model.Pose // pose in the world, at the positions of [Options]
}

// isWorld reports whether the body is the world.
func (b *body) isWorld() bool { return b.parent == nil }

// context is the place of an element in the model.
type context struct {
	body   *body
	frame  model.Pose // pose in the body
	class  *class
	prefix string // for names, in an attached model
	suffix string // for names, in a replicated element
	depth  int    // nesting depth

	attached *instance // the outermost attached model that contains the element; nil if none exists
	copied   *copied   // the innermost replicate or attach element that contains the element; nil if none exists
}

// copied is one copy of the contents of a replicate or attach element.
type copied struct {
	outer  *copied // the next element of this kind that contains it, or nil
	of     *markup.Element
	number int // of the copy, from 0
}

// within reports whether the innermost elements of c are those of d inside base, and have the same numbers. If so, it
// returns the next outer element of c, or nil.
func (c *copied) within(d, base *copied) (outer *copied, ok bool) {
	for ; d != base; c, d = c.outer, d.outer {
		if c == nil || c.of != d.of || c.number != d.number {
			return nil, false
		}
	}
	return c, true
}

// maxDepth is the largest nesting depth of elements, attached ones included.
const maxDepth = 2000

// label returns the name of an element, with the prefix and suffix for attached and replicated elements.
func (in *context) label(e *markup.Element) string {
	name := e.Get("name")
	if name == "" {
		return ""
	}
	return in.prefix + name + in.suffix
}

// contents reads the elements in a body, a frame, or a replicated element.
func (r *reader) contents(section *markup.Element, in context) error {
	if in.depth++; in.depth > maxDepth {
		return section.Wrong("", problem.CodeTooDeep, "elements must nest at most %d deep, with those that are attached", maxDepth)
	}
	for _, e := range section.Children {
		if r.elements++; r.elements > maxElements {
			return e.Wrong("", problem.CodeTooLarge, "a model must have at most %d elements, with all that is replicated", maxElements)
		}
		class, err := r.classes.of(e, "class", in.class)
		if err == nil {
			err = r.element(e, in, class)
		}
		if err := r.tolerate(err); err != nil {
			return err
		}
	}
	return nil
}

// element reads one element; class contains its defaults.
func (r *reader) element(e *markup.Element, in context, class *class) (err error) {
	switch e.Name {
	case "geom":
		return r.geom(tagged(e, class), in)
	case "site":
		if r.Sites {
			return r.geom(tagged(e, class), in)
		}
	case "joint", "freejoint":
		return r.joint(tagged(e, class), in)
	case "light":
		return r.light(tagged(e, class), in)
	case "camera":
		return r.viewpoint(tagged(e, class), in)
	case "body", "frame", "replicate":
		if in.class, err = r.classes.of(e, "childclass", class); err != nil {
			return err
		}
		switch e.Name {
		case "body":
			return r.body(e, in)
		case "frame":
			return r.frame(e, in)
		}
		return r.replicate(e, in)
	case "composite", "flexcomp":
		r.scene.Account.Skip(e.Name, e.Where())
		r.deformable = append(r.deformable, deformable{e, len(r.bodies) - 1})
	case "inertial":
		return r.inertial(tagged(e, class), in)
	case "attach":
		return r.attach(e, in)
	}
	return nil
}

// stand returns the pose of an element in its body.
func (r *reader) stand(t tag, in context) (model.Pose, error) {
	p, err := r.compiler.pose(t)
	return r.inBody(p, in), err
}

// inBody converts a pose as written in the file to a pose in the body.
func (r *reader) inBody(p model.Pose, in context) model.Pose {
	if r.compiler.global {
		return in.body.reference.Inverse().Then(p)
	}
	return in.frame.Then(p)
}

func (r *reader) body(e *markup.Element, in context) error {
	b := &body{Element: e, name: e.Get("name"), parent: in.body, part: &model.Part{Name: e.Get("name")}}
	t := tag{Element: e}
	var err error
	if b.local, err = r.stand(t, in); err != nil {
		return err
	}
	if r.compiler.global && t.with("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler") == nil {
		b.local = model.Pose{} // any pose is possible: the elements in it have global coordinates
	}
	if mocap, err := t.is("mocap", off); err != nil {
		return err
	} else if mocap {
		r.mocaps++
		b.mocap = r.mocaps
	}
	b.reference = in.body.reference.Then(b.local)
	if b.label = in.label(e); b.label != "" {
		r.named[b.label], r.named[b.name] = b, b
	}
	if b.part.Name == "" {
		b.part.Name = "body"
	}
	in.body.children = append(in.body.children, b)
	r.bodies = append(r.bodies, b)
	return r.contents(e, context{body: b, class: in.class, depth: in.depth, attached: in.attached, copied: in.copied})
}

func (r *reader) frame(e *markup.Element, in context) error {
	p, err := r.compiler.pose(tag{Element: e})
	in.frame = in.frame.Then(p)
	if err != nil {
		return err
	}
	return r.contents(e, in)
}

// replicate reads the contents of e several times, each time moved and rotated further. The names of elements directly
// in e get a number as suffix. Elements in bodies do not: the names of the bodies distinguish them.
func (r *reader) replicate(e *markup.Element, in context) error {
	count, err := strconv.Atoi(e.Get("count"))
	if err != nil || count < 0 || count > maxElements {
		return e.Wrong("count", problem.CodeOutOfRange, "must be a whole number, 0 to %d", maxElements)
	}
	offset, err := e.Vector("offset", geom.Vec3{})
	if err != nil {
		return err
	}
	euler, err := e.Vector("euler", geom.Vec3{})
	if err != nil {
		return err
	}
	outer := in
	digits := len(strconv.Itoa(count))
	names, bytes := namesIn(e)
	var at model.Pose
	for i := range count {
		if r.elements++; r.elements > maxElements { // an empty one counts, too
			return e.Wrong("count", problem.CodeTooLarge, "makes more than %d elements", maxElements)
		}
		// This is one rotation by i times the angles. i successive rotations by the angles can give a different result.
		at.Rotation = r.compiler.euler(euler.Scale(float64(i)))
		in.frame = outer.frame.Then(at)
		in.suffix = fmt.Sprintf("%s%0*d", e.Get("sep"), digits, i) + outer.suffix
		if r.nameBytes += bytes + names*(len(in.prefix)+len(in.suffix)); r.nameBytes > scene.MaxPlacedNames {
			return e.Wrong("count", problem.CodeTooLarge, "makes names of more than %d bytes", scene.MaxPlacedNames)
		}
		in.copied = &copied{outer.copied, e, i}
		if err := r.contents(e, in); err != nil {
			return err
		}
		at.Position = at.Point(offset)
	}
	return nil
}

// namesIn returns the number of elements in e, without those in another replicate, and the length of their names. An element
// without a name counts, too: its copies have names.
func namesIn(e *markup.Element) (names, bytes int) {
	for _, c := range e.Children {
		names, bytes = names+1, bytes+len(c.Get("name"))
		if c.Name != "replicate" {
			n, b := namesIn(c)
			names, bytes = names+n, bytes+b
		}
	}
	return names, bytes
}

// assemble places each body in its parent.
func (r *reader) assemble() {
	for _, b := range r.bodies[1:] {
		b.parent.part.Places = append(b.parent.part.Places, model.Place{Part: b.part, Name: b.label, Pose: b.local})
	}
}
