package explain

import (
	"fmt"

	"pillbox/internal/follow"
	"pillbox/internal/text"
)

// occlusion lists what hides the sky at the end of a path.
func (w *writer) occlusion(q *follow.Path, level int) {
	if o := q.Occlusion; o != nil {
		w.section(level+1, SectionLights, "Ambient light: "+openText(o))
		w.hidden(skyDirections(o), "direction")
	}
}

// openText states how many directions are open.
func openText(o *follow.Occlusion) string {
	return fmt.Sprintf("%d of %s open", o.Above.Open+o.Below.Open, text.Count(len(o.Samples), "direction"))
}
