package tracer_test

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"testing"
	"testing/fstest"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/tools/peers"
	"pillbox/pngfile"
	"pillbox/scene"
	"pillbox/shade"
)

// Each stage of making a picture has a benchmark, and BenchmarkWhole measures all stages together. The scenes
// are those of scripts/bench. Stages between loading and encoding run on one goroutine; Render uses all
// processors.

// ofSolids runs the benchmark run for scenes of increasing size. The scene with a million solids needs -effort campaign.
func ofSolids(b *testing.B, run func(b *testing.B, s *peers.Scene)) {
	counts := []int{30, 1000, 100_000}
	if effort.IsCampaign() {
		counts = append(counts, 1_000_000)
	}
	for _, n := range counts {
		b.Run(fmt.Sprintf("solids=%d", n), func(b *testing.B) { run(b, peers.Random(42, n)) })
	}
}

// perUnit reports the time per unit of work. Each iteration of the benchmark must do n units.
func perUnit(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

func pixels(s *peers.Scene) int { return s.Image.Width * s.Image.Height }

// written returns what the function write writes.
func written(b *testing.B, write func(io.Writer) error) []byte {
	b.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkLoad(b *testing.B) {
	b.Run("form=tables", func(b *testing.B) {
		ofSolids(b, func(b *testing.B, s *peers.Scene) {
			data := written(b, s.WriteTOML)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := scene.Decode("tables.toml", data); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("form=bulk", func(b *testing.B) {
		ofSolids(b, func(b *testing.B, s *peers.Scene) {
			data := written(b, s.WriteBulk)
			files := fstest.MapFS{
				peers.SpheresFile:   {Data: written(b, s.WriteSpheres)},
				peers.CapsulesFile:  {Data: written(b, s.WriteCapsules)},
				peers.BoxesFile:     {Data: written(b, s.WriteBoxes)},
				peers.CylindersFile: {Data: written(b, s.WriteCylinders)},
			}
			size := len(data)
			for _, f := range files {
				size += len(f.Data)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := scene.Decode("bulk.toml", data, scene.WithFiles(files)); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

func worldOf(s *peers.Scene) *accel.BVH {
	return accel.New(accel.Source{Spheres: s.Spheres, Capsules: s.Capsules, Boxes: s.Boxes, Cylinders: s.Cylinders})
}

func BenchmarkBuild(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		for b.Loop() {
			worldOf(s)
		}
		perUnit(b, s.Objects.Len(), "solid")
	})
}

const packetSide = accel.PacketSide

// packets is a view of a scene, divided into packets in the same way as Render does.
type packets struct {
	world *accel.BVH
	rays  []geom.Packet
	hits  [][]accel.Hit // of each packet
}

func newPackets(b *testing.B, s *peers.Scene) *packets {
	b.Helper()
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		b.Fatal(err)
	}
	p := &packets{world: worldOf(s)}
	all := image.Rect(0, 0, s.Image.Width, s.Image.Height)
	for y := 0; y < all.Max.Y; y += packetSide {
		for x := 0; x < all.Max.X; x += packetSide {
			packet := view.Packet(image.Rect(x, y, x+packetSide, y+packetSide).Intersect(all), 1)
			hits := make([]accel.Hit, packet.Len())
			p.world.Nearest(&packet, hits)
			p.rays, p.hits = append(p.rays, packet), append(p.hits, hits)
		}
	}
	return p
}

// litPoint is a hit whose surface faces the light of the scene.
type litPoint struct {
	departure accel.SecondaryRay
	reach     float64
	normal    geom.Vec3
	albedo    shade.Color
}

// lit returns the lit points of each packet.
func (p *packets) lit(s *peers.Scene) [][]litPoint {
	all := make([][]litPoint, len(p.rays))
	for i := range p.rays {
		packet := &p.rays[i]
		for k, hit := range p.hits[i] {
			if hit.Object == accel.None {
				continue
			}
			at := packet.SampleRay(k%packet.NX, k/packet.NX).At(hit.T)
			dir, reach := s.Lights[0].Toward(at)
			if hit.Normal.Dot(dir) > 0 {
				d := accel.SecondaryRay{Ray: geom.Ray{Origin: at, Dir: dir}, Object: hit.Object, Inside: hit.Inside}
				all[i] = append(all[i], litPoint{d, reach, hit.Normal, s.Objects.Material(int(hit.Object)).Albedo})
			}
		}
	}
	return all
}

func BenchmarkPrimary(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		for _, projection := range []camera.Projection{camera.Perspective, camera.Orthographic} {
			b.Run(fmt.Sprintf("projection=%v", projection), func(b *testing.B) {
				s.Camera.Projection, s.Camera.ViewHeight = projection, 20 // the cube's edge
				p := newPackets(b, s)
				hits := make([]accel.Hit, packetSide*packetSide) // reused for every packet, as in Render
				for b.Loop() {
					for i := range p.rays {
						p.world.Nearest(&p.rays[i], hits[:p.rays[i].Len()])
					}
				}
				perUnit(b, pixels(s), "ray")
			})
		}
	})
}

func BenchmarkShadow(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		p := newPackets(b, s)
		var rays [][]accel.SecondaryRay
		var dist [][]float64
		n := 0
		for _, points := range p.lit(s) {
			var r []accel.SecondaryRay
			var d []float64
			for _, point := range points {
				r, d = append(r, point.departure), append(d, point.reach)
			}
			rays, dist = append(rays, r), append(dist, d)
			n += len(r)
		}
		blocked := make([]bool, p.rays[0].Len())
		for b.Loop() {
			for i, r := range rays {
				p.world.Blocked(r, dist[i], blocked[:len(r)])
			}
		}
		perUnit(b, n, "ray")
	})
}

// BenchmarkShade measures how lit points become pixels: direction to the light, Lambert's law, and sRGB.
func BenchmarkShade(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		all := newPackets(b, s).lit(s)
		light, n := &s.Lights[0], 0
		for _, points := range all {
			n += len(points)
		}
		var sum uint8
		for b.Loop() {
			for _, points := range all {
				for i := range points {
					q := &points[i]
					dir, _ := light.Toward(q.departure.Ray.Origin)
					irradiance := s.Shading.Ambient.Top.Add(light.Irradiance(q.normal.Dot(dir)))
					c := shade.Lambert(q.albedo, irradiance).Clamp()
					sum += shade.EncodeSRGB8(c.R) + shade.EncodeSRGB8(c.G) + shade.EncodeSRGB8(c.B)
				}
			}
		}
		_ = sum
		perUnit(b, n, "pixel")
	})
}

func BenchmarkEncode(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		img := render(b, &s.Scene, options{}).Image
		b.SetBytes(int64(len(img.Pix)))
		for b.Loop() {
			if err := pngfile.Encode(io.Discard, img); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRender measures only rendering, like "render bench", without preparing the scene and encoding the
// picture.
func BenchmarkRender(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		for _, shadows := range []bool{false, true} {
			b.Run(fmt.Sprintf("shadows=%v", shadows), func(b *testing.B) {
				s.Shading.Shadows = shadows
				p, err := pillbox.Prepare(&s.Scene, pillbox.Picture{})
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := p.Render(b.Context(), pillbox.Work{}); err != nil {
						b.Fatal(err)
					}
				}
				perUnit(b, pixels(s), "pixel")
			})
		}
	})
}

// BenchmarkWhole decodes a scene, renders it, and encodes the picture while it is being rendered.
func BenchmarkWhole(b *testing.B) {
	ofSolids(b, func(b *testing.B, s *peers.Scene) {
		data := written(b, s.WriteTOML)
		for b.Loop() {
			loaded, err := scene.Decode("whole.toml", data)
			if err != nil {
				b.Fatal(err)
			}
			var encoder *pngfile.Encoder
			render(b, loaded, options{Work: pillbox.Work{Rows: func(film *pillbox.Film, n int) {
				if encoder == nil {
					encoder = pngfile.NewEncoder(io.Discard, film.Image, pngfile.Options{Color: pngfile.RGB})
				}
				encoder.Rows(n)
			}}})
			if err := encoder.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
