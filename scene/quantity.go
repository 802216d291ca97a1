package scene

import (
	"strings"

	"pillbox/exact"
	"pillbox/geom"
)

// Quantity is the format of a length.
type Quantity struct {
	Factor    float64 // converts scene units to the unit
	Unit      string
	HasDigits bool // if false, up to three decimal places, without trailing zeros
	Digits    int  // number of decimal places
}

// Write returns the text of a length in scene units, correctly rounded.
func (q *Quantity) Write(length float64) string {
	return q.WriteDistance(geom.Vec3{}, geom.Vec3{}, length)
}

// WriteDistance returns the text of the distance between two points plus a length, all in scene units, correctly rounded.
func (q *Quantity) WriteDistance(from, to geom.Vec3, more float64) string {
	return q.write(exact.Length{P: [3]float64{from.X, from.Y, from.Z}, Q: [3]float64{to.X, to.Y, to.Z}, More: more, Factor: q.Factor})
}

// mostPlaces is the largest number of decimal places of a number. float64 has no numbers that need more for two digits.
const mostPlaces = 330

// write writes a length, which must already be in the unit.
func (q *Quantity) write(x exact.Magnitude) string {
	s := q.formatNumber(x)
	if q.Unit != "" {
		s += " " + q.Unit
	}
	return s
}

// formatNumber writes a magnitude, correctly rounded. Only 0 is written as 0: a magnitude that is less gets more digits.
func (q *Quantity) formatNumber(x exact.Magnitude) string {
	places := q.Digits
	if !q.HasDigits {
		places = decimalsOf(x.Float64())
	}
	s := x.Text(places)
	if least := x.Float64(); least > 0 && strings.Trim(s, "0.") == "" {
		for places = 0; least < 0.6 && places < mostPlaces; places++ { // 0.5 may be rounded down
			least *= 10
		}
		s = x.Text(places)
	}
	if !q.HasDigits && strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// decimalsOf returns the number of decimal places for a length without digits of its own: three, or more if fewer than two
// significant digits would remain, so that no length is written as 0.
func decimalsOf(x float64) int {
	n := 3
	for least := 0.01; x < least && x != 0 && n < mostPlaces; least /= 10 {
		n++
	}
	return n
}
