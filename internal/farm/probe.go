package farm

import (
	"context"
	"fmt"

	"pillbox"
	"pillbox/scene"
)

// ProbeHash is the pixel hash that every worker must get for the probe scene.
const ProbeHash = "3bdd07762e9c6b22dc409c9798249ff984ceae4c6bdb8ae8e4c8eda45f420fc8"

// probe is a scene with something of everything that decides a pixel.
const probe = `format = 1
image = { width = 64, height = 48, antialias = 3, antialias_mode = "adaptive" }
camera = { position = [1, 3, 9], look_at = [0, 0.3, 0], fov = 37 }
shading = { ambient = { top = "#334455", bottom = "#221100" }, bounces = 3 }
light = [
  { position = [5, 8, 6], color = "#ffeedd", intensity = 0.7 },
  { direction = [-1, -2, -0.5], intensity = 0.3 },
]
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
`

// checkProbe renders the probe scene. The error says that this machine gives other bits.
func checkProbe(ctx context.Context) error {
	s, err := scene.Decode("probe", []byte(probe))
	if err != nil {
		return err
	}
	film, err := pillbox.Render(ctx, s, pillbox.Options{})
	if err != nil {
		return err
	}
	if got := pillbox.Hash(film.Image); got != ProbeHash {
		return fmt.Errorf("this machine renders the probe scene to the bits %.12s..., and all others to %.12s...: it must not take part", got, ProbeHash)
	}
	return nil
}
