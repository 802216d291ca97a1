package mjcf

import (
	"fmt"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// body is a body with what is fixed to it.
type body struct {
	*markup.Element // nil: the world
	name            string
	label           string // of its placement: what was replicated has a suffix
	parent          *body
	part            *model.Part
	joints          []joint
	children        []*body
	mocap           int // its number among motion-capture bodies, from 1; 0 for all others

	inertia *model.Pose  // its inertial frame, if the file says so
	massive []model.Pose // the frames of its geoms that have mass; those of meshes are not known
	unknown bool         // so its inertial frame is not known

	local     model.Pose // in its parent, as the model stands
	reference model.Pose // in the world, as the file has it
	now       model.Pose // in the world, as the model stands
}

// isWorld reports whether the body is the world.
func (b *body) isWorld() bool { return b.parent == nil }

// context is where an element stands.
type context struct {
	body   *body
	frame  model.Pose // in the body
	class  *class
	prefix string // of names, in what is attached
	suffix string // of names, in what is replicated
	depth  int    // of elements in each other

	attached *instance // the outermost attached model that it belongs to, nil if it belongs to none
}

// maxDepth is how deep elements may nest, with those that are attached.
const maxDepth = 2000

// label returns the name of what stands directly in what is attached or replicated.
func (in *context) label(e *markup.Element) string {
	name := e.Get("name")
	if name == "" {
		return ""
	}
	return in.prefix + name + in.suffix
}

// contents reads what is in a body, a frame, or what is replicated.
func (r *reader) contents(section *markup.Element, in context) error {
	if in.depth++; in.depth > maxDepth {
		return section.Wrong("", scene.CodeTooDeep, "elements must nest at most %d deep, with those that are attached", maxDepth)
	}
	for _, e := range section.Children {
		if r.elements++; r.elements > maxElements {
			return e.Wrong("", scene.CodeTooLarge, "a model must have at most %d elements, with all that is replicated", maxElements)
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

// element reads one of them, whose defaults are those of the class.
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

// stand returns where an element is in its body.
func (r *reader) stand(t tag, in context) (model.Pose, error) {
	p, err := r.compiler.pose(t)
	return r.inBody(p, in), err
}

// inBody returns what a pose in the file is in the body.
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
		b.local = model.Pose{} // anywhere: what is in it says where it stands itself
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
	return r.contents(e, context{body: b, class: in.class, depth: in.depth, attached: in.attached})
}

func (r *reader) frame(e *markup.Element, in context) error {
	p, err := r.compiler.pose(tag{Element: e})
	in.frame = in.frame.Then(p)
	if err != nil {
		return err
	}
	return r.contents(e, in)
}

// replicate reads its contents several times, each time moved and turned on. The names of what stands
// directly in it get a number behind them; what is in bodies is distinguished by their names.
func (r *reader) replicate(e *markup.Element, in context) error {
	count, err := strconv.Atoi(e.Get("count"))
	if err != nil || count < 0 || count > maxElements {
		return e.Wrong("count", scene.CodeOutOfRange, "must be a whole number, 0 to %d", maxElements)
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
	var at model.Pose
	for i := range count {
		if r.elements++; r.elements > maxElements { // an empty one counts, too
			return e.Wrong("count", scene.CodeTooLarge, "makes more than %d elements", maxElements)
		}
		// The rotation is that of i times the angles, which is not always that of i rotations.
		at.Rotation = r.compiler.euler(euler.Scale(float64(i)))
		in.frame = outer.frame.Then(at)
		in.suffix = fmt.Sprintf("%s%0*d", e.Get("sep"), digits, i) + outer.suffix
		if err := r.contents(e, in); err != nil {
			return err
		}
		at.Position = at.Point(offset)
	}
	return nil
}

// assemble places each body in its parent.
func (r *reader) assemble() {
	for _, b := range r.bodies[1:] {
		b.parent.part.Places = append(b.parent.part.Places, model.Place{Part: b.part, Name: b.label, Pose: b.local})
	}
}
