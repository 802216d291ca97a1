package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/tracer"
	"pillbox/scene"
)

// countingWorld is a world that counts the decisions of the renderer about rays toward lights with a size and into
// the sky. At each point, the renderer decides whether it must cast these rays.
type countingWorld struct {
	follow.World
	*decisions
}

// decisions counts points at which the renderer decides about rays: all counts all points, open those from which no
// solid hides anything, and covered those from which one solid hides all of the light. At the last two, no rays are
// cast.
type decisions struct{ all, open, covered atomic.Int64 }

func (w countingWorld) Cover(l *accel.AreaLight, axes []accel.SecondaryRay, cones []accel.Cone, covers []accel.Cover, cast accel.CastFan) {
	w.World.Cover(l, axes, cones, covers, cast)
	w.all.Add(int64(len(axes)))
	for _, c := range covers {
		switch c {
		case accel.Open:
			w.open.Add(1)
		case accel.Covered:
			w.covered.Add(1)
		}
	}
}

func (w countingWorld) MayOcclude(p, n geom.Vec3, object int32, reach float64) bool {
	w.all.Add(1)
	may := w.World.MayOcclude(p, n, object, reach)
	if !may {
		w.open.Add(1)
	}
	return may
}

// countRays renders the scenes with soft light, among them the sphereflakes of -scenes, and the still life. For each
// scene, it prints how many rays toward a light with a size, or into the sky, are possible, and how many of them the
// renderer casts.
func (b *bench) countRays(ctx context.Context, out io.Writer) error {
	t := table{head: []string{"scene", "rays", "points", "nothing is hidden", "one solid hides all", "rays of all points", "rays cast", "share"}}
	for _, n := range b.softScenes() {
		for _, k := range softKinds() {
			s := n.make()
			k.change(s)
			if err := addCount(ctx, &t, n.name, &s.Scene); err != nil {
				return err
			}
		}
	}
	s, err := scene.Load("scenes/still-life.toml")
	if err != nil {
		return err
	}
	s.Image.Antialias = 1
	withSky := *s
	s.Shading.Occlusion = scene.Occlusion{}
	for _, s := range []*scene.Scene{s, &withSky} {
		if err := addCount(ctx, &t, "still life", s); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(out)
	t.print(w)
	return w.Flush()
}

// addCount renders a scene and adds a row. If the scene has ambient occlusion, only the rays into the sky are counted.
func addCount(ctx context.Context, t *table, name string, s *scene.Scene) error {
	kind := "to the light"
	if s.Shading.Occlusion.Enabled {
		kind, s.Shading.Shadows = "into the sky", false
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		return err
	}
	p := *follow.Of(prepared)
	n := &decisions{}
	p.World = countingWorld{p.World, n}
	rays, err := tracer.Render(ctx, &p, tracer.Film{Pix: make([]uint8, 4*p.Size.X*p.Size.Y)}, tracer.Work{})
	if err != nil {
		return err
	}
	samples := int64(p.Sampler.Points())
	all, cast := n.all.Load()*samples, (n.all.Load()-n.open.Load()-n.covered.Load())*samples
	if s.Shading.Occlusion.Enabled {
		cast = rays.Shadow // rays from the inner side of a solid that are blocked by the same solid are not cast either
	}
	percent := func(n, of int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of))) }
	t.addRow(name, kind, count(int(n.all.Load())), percent(n.open.Load(), n.all.Load()), percent(n.covered.Load(), n.all.Load()),
		count(int(all)), count(int(cast)), percent(cast, all))
	return nil
}
