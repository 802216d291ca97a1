package farm

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"pillbox"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// ProbeHash is the hash of the pictures of the probe scenes. A worker whose pictures have another hash must not take part
// in a farm.
const ProbeHash = "fc06b8b20026ea27021b71368581341a99eb042ce98b51f7caf99f55c673f590"

// probes returns the texts of the probe scenes. Together they use every kind of solid, parts, a bulk table, both
// projections, both antialiasing modes, shadows, mirrors, ambient light, outlines and each kind of background. The bulk
// table is in probeFiles.
func probes() []string {
	const solids = `
[material.mirror]
color = "#88aacc"
mirror = 0.55
[material.board]
color = "#eeeecc"
checker = { color = "#336644", size = 0.7 }
[[sphere]]
center = [-1.3, 0.6, 0.2]
radius = 1.1
material = "mirror"
[[capsule]]
a = [0.4, -0.3, 0.9]
b = [1.9, 1.4, -0.3]
radius = 0.45
color = "#cc4433"
[[box]]
center = [0, -1.1, 0]
half_extents = [4, 0.4, 4]
rotate = [0, 23, 0]
material = "board"
[[cylinder]]
a = [-2.6, -0.7, 1.4]
b = [-2.2, 0.8, 1.1]
radius = 0.35
color = "#ddaa33"
[[part.stack.cylinder]]
a = [0, 0, 0]
b = [0, 0.4, 0]
radius = 0.3
material = "mirror"
[[part.stack.sphere]]
center = [0, 0.6, 0]
radius = 0.25
[[place]]
part = "stack"
position = [1.2, -0.7, 2.1]
rotate = [10, 30, 20]
scale = 1.3
count = 2
step = { position = [1.1, 0, -0.2], axis = [0, 1, 0], angle = 20 }
[[bulk]]
shape = "sphere"
file = "probe.csv"
`
	return []string{`format = 1
image = { width = 64, height = 48, antialias = 3, antialias_mode = "adaptive" }
camera = { position = [1, 3, 9], look_at = [0, 0.3, 0], fov = 37 }
shading = { ambient = { top = "#334455", bottom = "#221100" }, bounces = 3 }
light = [
  { position = [5, 8, 6], color = "#ffeedd", intensity = 0.7 },
  { direction = [-1, -2, -0.5], intensity = 0.3 },
]
` + solids, `format = 1
image = { width = 48, height = 40, antialias = 2, background = { top = "#204060", bottom = "#c0a080" } }
camera = { position = [4, 3, 7], look_at = [0, 0, 0], projection = "orthographic", view_height = 6.3, up = [0.1, 1, 0] }
shading = { ambient = 0.15, bounces = 1 }
light = [ { position = [5, 8, 6], intensity = 0.9 } ]
` + solids, `format = 1
image = { width = 40, height = 40, antialias = 2, background = "transparent" }
camera = { position = [-3, 2, 6], look_at = [0, 0, 0] }
shading = { shadows = false }
` + solids, `format = 1
image = { width = 48, height = 36, antialias = 2, background = "transparent" }
camera = { position = [3, 4, 8], look_at = [0, 0, 0], fov = 40 }
shading = { color = "flat" }
outline = { width = 1.3, color = "#102030" }
` + solids}
}

// probeFiles returns the files that the probe scenes name.
func probeFiles() osfile.Memory {
	return osfile.Memory{"probe.csv": []byte("x,y,z,radius,color\n2.9,-0.4,1.2,0.3,#aa55cc\n-0.6,-0.5,2.3,0.22,#55ccaa\n0.1,1.9,-0.8,0.4,#ccccff\n")}
}

// probed is true once this process has rendered the probe scenes to the right bits. It would do so again.
var probed atomic.Bool

// checkProbe renders the probe scenes and returns an error if the hash of their pictures is not ProbeHash.
func checkProbe(ctx context.Context) error {
	if probed.Load() {
		return nil
	}
	var all strings.Builder
	for _, text := range probes() {
		film, err := renderProbe(ctx, text)
		if err != nil {
			return err
		}
		all.WriteString(pillbox.Hash(film.Image))
	}
	if got := hashOf([]byte(all.String())); got != ProbeHash {
		return fmt.Errorf("this machine renders the probe scenes to the bits %.12s..., and all others to %.12s...: it must not take part", got, ProbeHash)
	}
	probed.Store(true)
	return nil
}

func renderProbe(ctx context.Context, text string) (*pillbox.Film, error) {
	s, err := scene.Decode("probe", []byte(text), scene.WithFiles(probeFiles()))
	if err != nil {
		return nil, err
	}
	return pillbox.Render(ctx, s, pillbox.Options{})
}
