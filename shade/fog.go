package shade

// Fog mixes a color into what the camera sees, the more the deeper it lies. Up to the depth Near there is no fog. From
// there, its share grows in proportion to the depth, up to Strength at the depth Far and beyond.
type Fog struct {
	Near, Far float64 // if Far is not greater than Near, the share is Strength at all depths greater than Near
	Color     Color
	Strength  float64 // 0..1
}

// Share returns the share of the fog's color in the color of a point at a depth.
func (f *Fog) Share(depth float64) float64 {
	switch {
	case !(depth > f.Near):
		return 0
	case !(depth < f.Far):
		return f.Strength
	}
	return float64(f.Strength * ((depth - f.Near) / (f.Far - f.Near)))
}

// Over returns the color c of a point at a depth, with fog in front of it.
func (f *Fog) Over(c Color, depth float64) Color {
	share := f.Share(depth)
	if share == 0 {
		return c
	}
	return c.Mix(f.Color, share)
}
