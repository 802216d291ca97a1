package cast

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/accel"
	"pillbox/internal/text"
	"pillbox/scene"
)

// encoder encodes output rows, field by field. There is no list of the field names: for the header of a
// CSV file, it encodes a row with isHeader set, in which each field writes its name instead of its
// value.
type encoder struct {
	*Options
	isHeader bool
	out      []byte
	fields   int              // fields of the current row so far
	names    map[int32]string // names of solids, already escaped
	faces    []string         // names of the scene's sections; see [facesOf]
}

// row encodes the rows for a ray or segment: its hits, or err if that is not nil.
func (e *encoder) row(ray int64, hits []Hit, err error) {
	if e.Count {
		e.count(ray, hits, err)
		return
	}
	if len(hits) == 0 {
		e.hit(ray, &Hit{T: math.Inf(1), Object: accel.None}, err)
	}
	for i := range hits {
		e.hit(ray, &hits[i], err)
	}
}

// count encodes a row with the number of crossings.
func (e *encoder) count(ray int64, hits []Hit, err error) {
	crossings, touches := 0, false
	for i := range hits {
		touches = touches || hits[i].Touches
		if !math.IsInf(hits[i].T, 1) {
			crossings++
		}
	}
	if e.Format == Records {
		e.countRecord(ray, crossings, touches, err)
		return
	}
	e.integer("ray", ray)
	if err == nil {
		e.integer("count", int64(crossings))
	} else {
		e.empty("count")
	}
	e.end(touches, err)
}

// hit encodes a row with one hit, whose Object is [accel.None] if nothing was hit.
func (e *encoder) hit(ray int64, h *Hit, err error) {
	if e.Format == Records {
		e.record(ray, h, err)
		return
	}
	e.integer("ray", ray)
	if math.IsInf(h.T, 1) {
		for _, name := range [...]string{"t", "x", "y", "z", "nx", "ny", "nz"} {
			e.empty(name)
		}
	} else {
		e.writeNumber("t", h.T)
		e.writeNumber("x", h.Point.X)
		e.writeNumber("y", h.Point.Y)
		e.writeNumber("z", h.Point.Z)
		e.writeNumber("nx", h.Normal.X)
		e.writeNumber("ny", h.Normal.Y)
		e.writeNumber("nz", h.Normal.Z)
	}
	if h.Object == accel.None {
		e.empty("object")
		e.name(accel.None)
		e.empty("inside")
	} else {
		e.integer("object", int64(h.Object))
		e.name(h.Object)
		e.boolean("inside", h.Inside)
	}
	if len(e.faces) > 0 {
		e.face(h.Face)
	}
	e.end(h.Touches, err)
}

// facesOf returns the names of the cut faces of a scene, one for each section: its name, or "section 0".
func facesOf(s *scene.Scene) []string {
	var names []string
	for i := range s.Sections {
		names = append(names, cmp.Or(s.Sections[i].Name, fmt.Sprintf("section %d", i)))
	}
	return names
}

// face encodes on which cut face a hit lies. The field is empty if face is 0, see [Hit].
func (e *encoder) face(face uint8) {
	switch {
	case face == 0:
		e.empty("face")
	case e.Format == Float64:
		e.writeNumber("face", float64(face-1))
	case e.field("face"):
		e.out = append(e.out, e.text(e.faces[face-1])...)
	}
}

// end encodes the last fields of a row.
func (e *encoder) end(touches bool, err error) {
	if e.Query.isSegment() {
		if err == nil {
			e.boolean("touches", touches)
		} else {
			e.empty("touches")
		}
	}
	if e.KeepGoing {
		e.problem(err)
	}
	switch e.Format {
	case CSV:
		e.out = append(e.out, '\n')
	case JSONLines:
		e.out = append(e.out, '}', '\n')
	}
	e.fields = 0
}

// field begins a field in a text format by writing what precedes the value. It returns false if the row is a
// header, which has no values. Otherwise the caller must append the value.
func (e *encoder) field(name string) bool {
	switch e.Format {
	case CSV:
		if e.fields > 0 {
			e.out = append(e.out, ',')
		}
		if e.isHeader {
			e.out = append(e.out, name...)
		}
	case JSONLines:
		if e.fields == 0 {
			e.out = append(e.out, '{')
		} else {
			e.out = append(e.out, ',')
		}
		e.out = append(e.out, '"')
		e.out = append(e.out, name...)
		e.out = append(e.out, '"', ':')
	}
	e.fields++
	return !e.isHeader
}

func (e *encoder) writeNumber(name string, x float64) {
	if e.Format == Float64 {
		e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(x))
	} else if e.field(name) {
		if x == 0 {
			x = 0 // without the sign of -0
		}
		e.out = strconv.AppendFloat(e.out, x, 'g', -1, 64)
	}
}

func (e *encoder) integer(name string, n int64) {
	if e.Format == Float64 {
		e.writeNumber(name, float64(n))
	} else if e.field(name) {
		e.out = strconv.AppendInt(e.out, n, 10)
	}
}

func (e *encoder) boolean(name string, b bool) {
	if e.Format == Float64 {
		x := 0.0
		if b {
			x = 1
		}
		e.writeNumber(name, x)
	} else if e.field(name) {
		e.out = strconv.AppendBool(e.out, b)
	}
}

// empty encodes a field without a value.
func (e *encoder) empty(name string) {
	if e.Format == Float64 {
		e.writeNumber(name, math.NaN())
	} else if e.field(name) && e.Format == JSONLines {
		e.out = append(e.out, "null"...)
	}
}

// name encodes the name of a solid.
func (e *encoder) name(object int32) {
	if e.Format == Float64 {
		return
	}
	if e.field("name") {
		e.out = append(e.out, e.nameOf(object)...)
	}
}

// nameOf returns the encoded name of a solid.
func (e *encoder) nameOf(object int32) string {
	if object == accel.None || e.Name == nil {
		return e.text("")
	}
	name, known := e.names[object]
	if !known {
		if e.names == nil {
			e.names = make(map[int32]string)
		}
		name = e.text(e.Name(object))
		e.names[object] = name
	}
	return name
}

// problem encodes the field named error. The field is empty if err is nil.
func (e *encoder) problem(err error) {
	if err == nil {
		e.empty("error")
	} else if e.Format == Float64 {
		e.writeNumber("error", 1)
	} else if e.field("error") {
		e.out = append(e.out, e.text(err.Error())...)
	}
}

// text returns s, encoded for the format. An empty string becomes an empty field.
func (e *encoder) text(s string) string {
	if e.Format == CSV {
		s = text.Escape(s)
		if strings.ContainsAny(s, `",`) || strings.TrimSpace(s) != s {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	if s == "" {
		return "null"
	}
	data, _ := json.Marshal(s) // never fails for a string
	return string(text.EscapeJSON(data))
}
