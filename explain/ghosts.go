package explain

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
)

// layers names the ghosts before the end of a path with their shares of the color, the nearest first.
func (t *Tracer) layers(q *follow.Path) []string {
	var layers []string
	for _, g := range q.Ghosts {
		layers = append(layers, fmt.Sprintf("%s %s at %s%s", percent(g.Material.Ghost.Share), t.label(g.Hit.Object), formula.Short(g.Hit.T), t.onFace(&g.Hit)))
	}
	return layers
}

// behindGhosts names the ghosts before the end of a path, as an addition to what the ray hits, or returns "".
func (t *Tracer) behindGhosts(q *follow.Path) string {
	if len(q.Ghosts) == 0 {
		return ""
	}
	return ", behind ghosts: " + strings.Join(t.layers(q), ", ")
}

// exceptGhosts returns an addition to "no solid" for a ray that enters ghosts.
func exceptGhosts(q *follow.Path) string {
	if len(q.Ghosts) == 0 {
		return ""
	}
	return " but ghosts"
}

// mixture states in one sentence how the color of a path is mixed from those of ghosts and what lies behind them. It returns
// "" if the ray enters no ghost.
func (t *Tracer) mixture(q *follow.Path) string {
	if len(q.Ghosts) == 0 {
		return ""
	}
	var parts strings.Builder
	for i, layer := range t.layers(q) {
		rest := percent(1 - q.Ghosts[i].Material.Ghost.Share)
		fmt.Fprintf(&parts, "%s, %s of what is behind it: ", layer, rest)
	}
	end := "the background"
	switch {
	case q.Hit.Object != accel.None:
		end = fmt.Sprintf("%s at %s%s", t.label(q.Hit.Object), formula.Short(q.Hit.T), t.onFace(&q.Hit))
	case !q.Seen:
		end = "the transparent background"
	}
	return "The ray enters ghosts, so its color is a mixture: " + parts.String() + end + "."
}

// veil returns the parts of a color as they are seen through the ghosts before the end of a path, and those of the ghosts.
func (t *Tracer) veil(q *follow.Path, parts []Contribution) []Contribution {
	for _, g := range slices.Backward(q.Ghosts) {
		share := g.Material.Ghost.Share
		for i := range parts {
			parts[i].Color = parts[i].Color.Scale(1 - share)
		}
		parts = append(parts, Contribution{Source: FromGhost, Light: -1, Label: "ghost: " + t.label(g.Hit.Object), Color: g.Color.Scale(share)})
	}
	return parts
}

// ghostSteps derives the color of a path from the color behind its ghosts.
func (t *Tracer) ghostSteps(d *derive.Derivation, q *follow.Path) {
	if len(q.Ghosts) > 0 && !q.Seen {
		d.Given("color", light(q.Behind), "nothing, multiplied by its opacity 0")
	}
	for i := len(q.Ghosts) - 1; i >= 0; i-- {
		g, share, color := q.Ghosts[i], fmt.Sprintf("g%d", i+1), fmt.Sprintf("ghost%d", i+1)
		d.Given(share, formula.Real(g.Material.Ghost.Share), "the share of the ghost "+t.label(g.Hit.Object)+", which the ray enters at "+formula.Short(g.Hit.T))
		d.Given(color, light(g.Color), "the color of its surface there")
		d.Let("color", fmt.Sprintf("(1 - %s) color + %s %s", share, share, color), "")
	}
}

// ghostJSON is a ghost before the end of a ray.
type ghostJSON struct {
	Hit   *hitJSON   `json:"hit"`
	Share float64    `json:"share"`
	Color colorArray `json:"color"`
}

// ghosts returns the JSON of the ghosts before the end of a path, the nearest first.
func (t *Tracer) ghosts(q *follow.Path) (all []ghostJSON) {
	for _, g := range q.Ghosts {
		all = append(all, ghostJSON{t.hitOf(g), g.Material.Ghost.Share, channels(g.Color)})
	}
	return all
}
