package course

import (
	"math"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shapes"
)

// A feature is a property that a question may have. If wrong answers occur only in questions with a feature, the
// verdict states it with the feature's name, after the words "only where".
type feature[Q any] struct {
	name string
	has  func(q *Q) bool
}

// lineFeatures returns the features of questions about a line and a solid of the kind of s.
func lineFeatures(s shapes.Shape) []feature[lineQuestion] {
	crossing := func(f func(q *lineQuestion, c crossings) bool) func(q *lineQuestion) bool {
		return func(q *lineQuestion) bool {
			c := solveLine(q)
			return c.Count > 0 && f(q, c)
		}
	}
	all := append(originFeatures(func(q *lineQuestion) (geom.Ray, shapes.Shape) { return q.ray, q.shape }), []feature[lineQuestion]{
		{"the line misses the solid", func(q *lineQuestion) bool { return solveLine(q).Count == 0 }},
		{"the whole solid lies behind the origin", crossing(func(_ *lineQuestion, c crossings) bool { return c.T[c.Count-1] < 0 })},
	}...)
	// parts adds features about the parts of the solid that the line crosses, such as "the line enters through the body".
	// The result of the function of is the index in names of the part at which crossing i lies.
	parts := func(names []string, of func(q *lineQuestion, c crossings, i int) int) {
		for k, name := range names {
			all = append(all,
				feature[lineQuestion]{"the line enters and leaves through " + name, crossing(func(q *lineQuestion, c crossings) bool {
					return of(q, c, 0) == k && of(q, c, c.Count-1) == k
				})},
				feature[lineQuestion]{"the line enters through " + name, crossing(func(q *lineQuestion, c crossings) bool { return of(q, c, 0) == k })},
				feature[lineQuestion]{"the line leaves through " + name, crossing(func(q *lineQuestion, c crossings) bool { return of(q, c, c.Count-1) == k })},
				feature[lineQuestion]{"the line crosses " + name, crossing(func(q *lineQuestion, c crossings) bool {
					return of(q, c, 0) == k || of(q, c, c.Count-1) == k
				})})
		}
	}
	switch s.(type) {
	case *shapes.Sphere: // it has one part
	case *shapes.Box:
		all = append(all, feature[lineQuestion]{"the line is parallel to a face", func(q *lineQuestion) bool {
			for _, d := range slabsOf(q).d {
				if d == 0 {
					return true
				}
			}
			return false
		}})
		all = append(all, feature[lineQuestion]{"the line passes through an edge", crossing(func(q *lineQuestion, c crossings) bool {
			return slices.ContainsFunc(c.T, q.atEdge)
		})})
		parts([]string{"a face +x or -x", "a face +y or -y", "a face +z or -z"}, func(q *lineQuestion, c crossings, i int) int {
			return q.shape.(*shapes.Box).Across(c.Normals[i])
		})
	case *shapes.Capsule:
		all = append(all, alongAxis(capsuleAxis))
		parts([]string{"the ball at a", "the ball at b", "the body"}, func(q *lineQuestion, c crossings, i int) int {
			b := bodyOf(q)
			switch y := b.y + float64(c.T[i]*b.dy); {
			case b.length == 0 || y < 0:
				return 0
			case y > b.length:
				return 1
			}
			return 2
		})
	case *shapes.Cylinder:
		all = append(all, alongAxis(func(s shapes.Shape) geom.Vec3 { return s.(*shapes.Cylinder).B.Sub(s.(*shapes.Cylinder).A) }))
		parts([]string{"the disc at a", "the disc at b", "the side"}, func(q *lineQuestion, c crossings, i int) int {
			switch u, _ := axisOf(q.shape.(*shapes.Cylinder)); {
			case c.Normals[i].Dot(u) < -0.5:
				return 0
			case c.Normals[i].Dot(u) > 0.5:
				return 1
			}
			return 2
		})
	}
	return all
}

// alongAxis returns the feature of lines that programs may take for parallel to the axis of a solid, a vector that the function of
// returns.
func alongAxis(of func(s shapes.Shape) geom.Vec3) feature[lineQuestion] {
	return feature[lineQuestion]{"the line is parallel to the axis, or nearly so", func(q *lineQuestion) bool { return isAlong(q.ray.Dir, of(q.shape)) }}
}

// isAlong reports whether programs may take the direction dir for parallel to an axis: the part of dir across the axis is shorter
// than 1e-5. It returns false if the axis is 0.
func isAlong(dir, axis geom.Vec3) bool {
	return axis != (geom.Vec3{}) && dir.Cross(axis.Unit()).Norm() < 1e-5
}

// atEdge reports whether the point at the distance t is on an edge of the question's box, up to rounding.
func (q *lineQuestion) atEdge(t float64) bool {
	s, faces := slabsOf(q), 0
	for i := range 3 {
		if math.Abs(math.Abs(s.o[i]+float64(t*s.d[i]))-s.h[i]) <= leewayOf(q.ray, q.shape) {
			faces++
		}
	}
	return faces >= 2
}

// originFeatures returns the features about where the ray's origin is. The function of returns the ray and the solid of a
// question.
func originFeatures[Q any](of func(q *Q) (geom.Ray, shapes.Shape)) []feature[Q] {
	where := func(q *Q) (contained, onSurface bool) {
		r, s := of(q)
		for _, x := range spanOf(r, s) {
			onSurface = onSurface || math.Abs(x) <= leewayOf(r, s)
		}
		return shapes.Contains(s, r.Origin), onSurface
	}
	return []feature[Q]{
		{"the origin is inside the solid", func(q *Q) bool { contained, onSurface := where(q); return contained && !onSurface }},
		{"the origin is on the surface of the solid", func(q *Q) bool { _, onSurface := where(q); return onSurface }},
		{"the origin is inside the solid or on its surface", func(q *Q) bool { contained, onSurface := where(q); return contained || onSurface }},
	}
}

// spanOf returns the distances at which the line of a ray crosses a solid.
func spanOf(r geom.Ray, s shapes.Shape) []float64 {
	if span, ok := s.Span(r); ok {
		return []float64{span.Near.T, span.Far.T}
	}
	return nil
}

// solidFeatures returns a feature for each kind of solid in the questions of a stage.
func solidFeatures[Q any](shapeOf func(q *Q) shapes.Shape, kinds ...string) []feature[Q] {
	all := make([]feature[Q], len(kinds))
	for i, name := range kinds {
		all[i] = feature[Q]{"the solid is a " + name, func(q *Q) bool { return label(shapeOf(q)) == name+"[0]" }}
	}
	return all
}

func aheadFeatures() []feature[aheadQuestion] {
	return slices.Concat(originFeatures(func(q *aheadQuestion) (geom.Ray, shapes.Shape) { return q.ray, q.shape }), []feature[aheadQuestion]{
		{"nothing lies ahead", func(q *aheadQuestion) bool { return !solveAhead(q).OK }},
	}, solidFeatures(func(q *aheadQuestion) shapes.Shape { return q.shape }, "sphere", "capsule", "cylinder", "box"))
}

func segmentFeatures() []feature[segmentQuestion] {
	foot := func(q *segmentQuestion) float64 {
		ab := q.seg.B.Sub(q.seg.A)
		return q.sphere.Center.Sub(q.seg.A).Dot(ab) / ab.Norm2() // NaN if a = b
	}
	return []feature[segmentQuestion]{
		{"the foot lies before a", func(q *segmentQuestion) bool { return foot(q) < 0 }},
		{"the foot lies beyond b", func(q *segmentQuestion) bool { return foot(q) > 1 }},
		{"the foot lies beyond an end", func(q *segmentQuestion) bool { return foot(q) < 0 || foot(q) > 1 }},
		{"the foot lies between the ends", func(q *segmentQuestion) bool { return foot(q) >= 0 && foot(q) <= 1 }},
		{"the sphere is touched", func(q *segmentQuestion) bool { return solveSegment(q).Touches }},
		{"the sphere is not touched", func(q *segmentQuestion) bool { return !solveSegment(q).Touches }},
	}
}

func overlapFeatures() []feature[overlapQuestion] {
	feet := func(q *overlapQuestion) (between, parallel bool) {
		x := axesOf(q)
		s, t, ok := x.inner()
		return ok && inUnit(s) && inUnit(t), !ok
	}
	return []feature[overlapQuestion]{
		{"the axes are parallel, or one is a point", func(q *overlapQuestion) bool { _, parallel := feet(q); return parallel }},
		{"the common perpendicular meets both axes", func(q *overlapQuestion) bool { between, _ := feet(q); return between }},
		{"an end is closest", func(q *overlapQuestion) bool { between, _ := feet(q); return !between }},
		{"the capsules are in the plane", func(q *overlapQuestion) bool { return len(q.A.P) == 2 }},
		{"the capsules are in space", func(q *overlapQuestion) bool { return len(q.A.P) == 3 }},
	}
}

func nearestFeatures() []feature[nearestQuestion] {
	hit := func(f func(q *nearestQuestion, a nearestAnswer) bool) func(q *nearestQuestion) bool {
		return func(q *nearestQuestion) bool {
			a := solveNearest(q)
			return a.Object >= 0 && f(q, a)
		}
	}
	of := func(name string) feature[nearestQuestion] {
		return feature[nearestQuestion]{"a " + name + " is hit", hit(func(q *nearestQuestion, a nearestAnswer) bool { return label(q.solids[a.Object]) == name+"[0]" })}
	}
	inside := func(q *nearestQuestion, a nearestAnswer) bool {
		return shapes.Contains(q.solids[a.Object], q.ray.Origin)
	}
	return []feature[nearestQuestion]{
		{"the right index is 0", func(q *nearestQuestion) bool { return solveNearest(q).Object == 0 }},
		{"nothing is hit", func(q *nearestQuestion) bool { return solveNearest(q).Object < 0 }},
		{"a solid is hit from inside", hit(inside)},
		{"a solid is hit from outside", hit(func(q *nearestQuestion, a nearestAnswer) bool { return !inside(q, a) })},
		of("sphere"), of("capsule"), of("cylinder"), of("box"),
	}
}

func cameraFeatures() []feature[cameraQuestion] {
	flat := func(q *cameraQuestion) bool { return q.camera.Projection == camera.Orthographic }
	return []feature[cameraQuestion]{
		{"the camera is orthographic", flat},
		{"the camera is a perspective one", func(q *cameraQuestion) bool { return !flat(q) }},
	}
}

func lambertFeatures() []feature[lambertQuestion] {
	bright := func(q *lambertQuestion) float64 {
		a := solveLambert(q)
		return max(a.R, a.G, a.B)
	}
	return []feature[lambertQuestion]{
		{"the color is brighter than white", func(q *lambertQuestion) bool { return bright(q) > 1 }},
		{"there is no light", func(q *lambertQuestion) bool { return len(q.lights) == 0 }},
		{"there is one light", func(q *lambertQuestion) bool { return len(q.lights) == 1 }},
		{"there are several lights", func(q *lambertQuestion) bool { return len(q.lights) > 1 }},
		{"there is a point light", func(q *lambertQuestion) bool {
			for i := range q.lights {
				if !q.lights[i].Directional {
					return true
				}
			}
			return false
		}},
		{"there is a directional light", func(q *lambertQuestion) bool {
			for i := range q.lights {
				if q.lights[i].Directional {
					return true
				}
			}
			return false
		}},
		{"a light is behind the surface", func(q *lambertQuestion) bool {
			for i := range q.lights {
				if dir, _ := q.lights[i].Toward(q.point); q.normal.Dot(dir) < 0 {
					return true
				}
			}
			return false
		}},
	}
}

func shadowFeatures() []feature[shadowQuestion] {
	any := func(f func(q *shadowQuestion, i int) bool) func(q *shadowQuestion) bool {
		return func(q *shadowQuestion) bool {
			for i := range q.lights {
				if f(q, i) {
					return true
				}
			}
			return false
		}
	}
	return []feature[shadowQuestion]{
		{"there is one light", func(q *shadowQuestion) bool { return len(q.lights) == 1 }},
		{"there are several lights", func(q *shadowQuestion) bool { return len(q.lights) > 1 }},
		{"there is a point light", any(func(q *shadowQuestion, i int) bool { return !q.lights[i].Directional })},
		{"there is a directional light", any(func(q *shadowQuestion, i int) bool { return q.lights[i].Directional })},
		{"a light is behind the surface", any(func(q *shadowQuestion, i int) bool {
			dir, _ := q.lights[i].Toward(q.point)
			return q.normal.Dot(dir) < 0
		})},
		{"a light grazes the surface", func(q *shadowQuestion) bool {
			least := math.Inf(1)
			for i := range q.lights {
				dir, _ := q.lights[i].Toward(q.point)
				least = min(least, math.Abs(q.normal.Dot(dir)))
			}
			return least < 0.1
		}},
	}
}
