package picture

import (
	"pillbox"
	"pillbox/scene"
)

// Stats is the JSON that --stats prints. Times are in seconds.
type Stats struct {
	Solids    int          `json:"solids"`
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	Load      float64      `json:"load_s"`
	Build     float64      `json:"build_s"`
	Render    float64      `json:"render_s"`
	Encode    float64      `json:"encode_s"`
	Views     float64      `json:"views_s"`
	Total     float64      `json:"total_s"`
	Rays      pillbox.Rays `json:"rays"`
	PixelHash string       `json:"pixel_hash"`
}

func (s *Stats) describe(sc *scene.Scene, film *pillbox.Film) {
	s.Solids = sc.Objects.Len()
	s.Width, s.Height = film.Region.Dx(), film.Region.Dy()
	s.Rays = film.Rays
	s.PixelHash = pillbox.Hash(film.Image)
}
