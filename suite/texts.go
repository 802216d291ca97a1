package suite

import (
	"context"
	"fmt"
	"strings"

	"pillbox/figure"
)

// compareAnnotations sets r.Annotations. It sets nothing if neither scene has annotations or if the accepted scene is
// not known. It also sets nothing if one of the pictures does not show the annotations of its scene. That is the case
// if the renderer has changed or if someone has replaced the accepted picture.
func (r *Result) compareAnnotations(ctx context.Context) {
	if r.before == nil || r.before.Annotations.IsEmpty() && r.present.Annotations.IsEmpty() {
		return
	}
	want, err := figure.DrawnFrom(ctx, r.before, r.Want)
	if err != nil {
		return // as if the accepted scene were not known
	}
	got, err := figure.DrawnFrom(ctx, r.present, r.Got)
	if err != nil {
		return // a function of the caller rendered a scene whose annotations cannot be arranged
	}
	if d, ok := figure.Compare(ctx, want, got); ok && len(d.Changes) > 0 {
		r.Annotations = &d
	}
}

// mostTexts is the number of changed annotations that [Result.Texts] lists.
const mostTexts = 12

// Texts returns a line for each annotation that changed, and a last line if all pixels outside the annotations are
// equal. It shortens long lists. It returns nil if no annotation changed, if the annotations could not be compared, and
// before [Result.Study].
func (r *Result) Texts() []string {
	if r.Annotations == nil || !r.differs() {
		return nil
	}
	lines := strings.Split(r.Annotations.String(), "\n")
	if more := len(r.Annotations.Changes) - mostTexts; more > 1 {
		rest := append([]string{fmt.Sprintf("%d more annotations changed", more)}, lines[len(r.Annotations.Changes):]...)
		lines = append(lines[:mostTexts:mostTexts], rest...)
	}
	return lines
}
