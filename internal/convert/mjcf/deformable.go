package mjcf

import (
	"fmt"

	"pillbox/internal/convert/markup"
)

// deformable is a flexcomp or composite element, which MuJoCo expands to bodies with joints.
type deformable struct {
	*markup.Element
	after int // the index of the last body before the bodies of the expansion
}

// withoutDeformable returns a list of joint positions without the positions of a deformable's joints, because these
// joints are not converted. The number of these positions follows from the length of the list, so this works for only
// one deformable.
func (r *reader) withoutDeformable(qpos []float64) ([]float64, error) {
	surplus := len(qpos) - r.qpos
	switch {
	case surplus == 0:
		return qpos, nil
	case surplus < 0 || len(r.deformable) == 0:
		return nil, fmt.Errorf("the model has %d positions of joints (qpos), got %d", r.qpos, len(qpos))
	case len(r.deformable) > 1:
		return nil, fmt.Errorf("the model has %d positions of joints (qpos) besides those of %d flexcomp and composite elements, whose places are not known; give the %[1]d, got %d", r.qpos, len(r.deformable), len(qpos))
	}
	d := r.deformable[0]
	start := 0
	for _, b := range r.bodies[:d.after+1] {
		for i := range b.joints {
			start += b.joints[i].width()
		}
	}
	r.scene.Account.Note(d.Name, fmt.Sprintf("skipped with its numbers %d to %d of qpos", start, start+surplus-1), d.Where())
	return append(append([]float64(nil), qpos[:start]...), qpos[start+surplus:]...), nil
}
