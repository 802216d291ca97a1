package course

import (
	"encoding/json"

	"pillbox/geom"
	"pillbox/shapes"
)

// triple is a point or a vector in a question.
type triple [3]float64

func tripleOf(v geom.Vec3) triple { return triple{v.X, v.Y, v.Z} }

// rayFields are the fields of a ray in a question.
type rayFields struct {
	Origin    triple `json:"origin"`
	Direction triple `json:"direction"`
}

func rayFieldsOf(r geom.Ray) rayFields { return rayFields{tripleOf(r.Origin), tripleOf(r.Dir)} }

// sphereFields, capsuleFields, cylinderFields and boxFields are the fields of solids in a question.
type (
	sphereFields struct {
		Center triple  `json:"center"`
		Radius float64 `json:"radius"`
	}
	capsuleFields struct {
		A      triple  `json:"a"`
		B      triple  `json:"b"`
		Radius float64 `json:"radius"`
	}
	cylinderFields struct {
		A      triple  `json:"a"`
		B      triple  `json:"b"`
		Radius float64 `json:"radius"`
	}
	boxFields struct {
		Center      triple    `json:"center"`
		HalfExtents triple    `json:"half_extents"`
		Axes        [3]triple `json:"axes"`
	}
)

func sphereFieldsOf(s *shapes.Sphere) sphereFields {
	return sphereFields{tripleOf(s.Center), s.Radius}
}

func capsuleFieldsOf(c *shapes.Capsule) capsuleFields {
	return capsuleFields{tripleOf(c.A), tripleOf(c.B), c.Radius}
}

func cylinderFieldsOf(c *shapes.Cylinder) cylinderFields {
	return cylinderFields{tripleOf(c.A), tripleOf(c.B), c.Radius}
}

func boxFieldsOf(b *shapes.Box) boxFields {
	m := b.Rotation
	return boxFields{tripleOf(b.Center), tripleOf(b.HalfExtents), [3]triple{tripleOf(m.X), tripleOf(m.Y), tripleOf(m.Z)}}
}

// look contains the material of a solid in a question.
type look struct {
	Color  string   `json:"color,omitempty"`  // "#rrggbb", sRGB; "" in questions about geometry only
	Mirror *float64 `json:"mirror,omitempty"` // 0 means no mirror
}

// solidJSON encodes a solid of any kind as an object with its type.
func solidJSON(s shapes.Shape, l look) ([]byte, error) {
	switch s := s.(type) {
	case *shapes.Sphere:
		return json.Marshal(struct {
			Type string `json:"type"`
			sphereFields
			look
		}{"sphere", sphereFieldsOf(s), l})
	case *shapes.Capsule:
		return json.Marshal(struct {
			Type string `json:"type"`
			capsuleFields
			look
		}{"capsule", capsuleFieldsOf(s), l})
	case *shapes.Box:
		return json.Marshal(struct {
			Type string `json:"type"`
			boxFields
			look
		}{"box", boxFieldsOf(s), l})
	case *shapes.Cylinder:
		return json.Marshal(struct {
			Type string `json:"type"`
			cylinderFields
			look
		}{"cylinder", cylinderFieldsOf(s), l})
	}
	panic("course: a solid of an unknown kind")
}

// solids are the solids of a question in the order in which a scene numbers them: grouped by kind.
type solids []shapes.Shape

// MarshalJSON encodes the solids as objects with their types.
func (all solids) MarshalJSON() ([]byte, error) {
	list := make([]json.RawMessage, len(all))
	for i, s := range all {
		var err error
		if list[i], err = solidJSON(s, look{}); err != nil {
			return nil, err
		}
	}
	return json.Marshal(list)
}

// solid is a solid of a question.
type solid struct{ shapes.Shape }

// MarshalJSON encodes the solid as an object with its type.
func (s solid) MarshalJSON() ([]byte, error) { return solidJSON(s.Shape, look{}) }

// lineQuestion is a ray and a solid. In JSON, the fields of both are in one object.
type lineQuestion struct {
	ray   geom.Ray
	shape shapes.Shape
}

// MarshalJSON encodes the fields of the ray and the solid in one object.
func (q *lineQuestion) MarshalJSON() ([]byte, error) {
	r := rayFieldsOf(q.ray)
	switch s := q.shape.(type) {
	case *shapes.Sphere:
		return json.Marshal(struct {
			rayFields
			sphereFields
		}{r, sphereFieldsOf(s)})
	case *shapes.Capsule:
		return json.Marshal(struct {
			rayFields
			capsuleFields
		}{r, capsuleFieldsOf(s)})
	case *shapes.Box:
		return json.Marshal(struct {
			rayFields
			boxFields
		}{r, boxFieldsOf(s)})
	case *shapes.Cylinder:
		return json.Marshal(struct {
			rayFields
			cylinderFields
		}{r, cylinderFieldsOf(s)})
	}
	panic("course: a solid of an unknown kind")
}
