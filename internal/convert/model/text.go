package model

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

func rounded(c camera.Camera) camera.Camera {
	round := func(v geom.Vec3) geom.Vec3 { return geom.Vec3{X: digits(v.X), Y: digits(v.Y), Z: digits(v.Z)} }
	c.Position, c.LookAt, c.Up = round(c.Position), round(c.LookAt), round(c.Up)
	c.FOV, c.ViewHeight = geom.Angle(digits(c.FOV.Degrees())), digits(c.ViewHeight)
	return c
}

// digits rounds x to the number of digits that converted files contain.
func digits(x float64) float64 {
	y, err := strconv.ParseFloat(numberText(x), 64)
	if err != nil {
		return math.NaN()
	}
	return y
}

// vectorText formats a vector. A component that is only a rounding error, compared with the largest one, becomes 0.
func vectorText(v geom.Vec3) string {
	const rounding = 0x1p-50
	least := v.MaxAbs() * rounding
	drop := func(x float64) float64 {
		if math.Abs(x) < least {
			return 0
		}
		return x
	}
	return sizesText(geom.Vec3{X: drop(v.X), Y: drop(v.Y), Z: drop(v.Z)})
}

// sizesText formats a vector. Unlike vectorText, it keeps components that are much smaller than the largest one.
func sizesText(v geom.Vec3) string {
	return tomltext.Array(numberText(v.X), numberText(v.Y), numberText(v.Z))
}

func numberText(x float64) string { return string(appendNumber(nil, x)) }

// appendNumber appends x with at most 12 digits; further digits are rounding errors of the conversion.
func appendNumber(to []byte, x float64) []byte {
	// Most coordinates have at most three decimals. Formatting them as integers, in thousandths, is faster and gives
	// the same text.
	const decimals, most = 1000, 1e6
	if n := math.Round(float64(x * decimals)); math.Abs(x) < most && n/decimals == x {
		return appendThousandths(to, int64(n))
	}
	const precision = 12
	return strconv.AppendFloat(to, x+0, 'g', precision, 64) // + 0 turns -0 into 0
}

// appendThousandths appends n / 1000 without zeros at its end.
func appendThousandths(to []byte, n int64) []byte {
	if n < 0 {
		to, n = append(to, '-'), -n
	}
	to = strconv.AppendInt(to, n/1000, 10)
	if n %= 1000; n == 0 {
		return to
	}
	to = append(to, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	for to[len(to)-1] == '0' {
		to = to[:len(to)-1]
	}
	return to
}

func vector(v [3]float64) geom.Vec3 { return geom.Vec3{X: v[0], Y: v[1], Z: v[2]} }

// isPlain reports whether a name consists only of printable ASCII characters other than the space.
func isPlain(name string) bool {
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return false
		}
	}
	return true
}

// clean returns the name in one line, without surrounding space and with at most [scene.MaxName] characters, so that it is
// valid in bulk tables and scene files. It cuts a longer name and appends a hash of the whole name, so that long names
// stay different.
func clean(name string) string {
	if !isPlain(name) {
		name = strings.TrimSpace(strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return '_'
			}
			return r
		}, strings.ToValidUTF8(name, "_")))
	}
	if short := cut(name, scene.MaxName); short != name {
		sum := sha256.Sum256([]byte(name))
		return appended(short, fmt.Sprintf("-%x", sum[:8]))
	}
	return name
}

// appended returns a name with a suffix of ASCII characters. It cuts the name if the result would be longer than
// [scene.MaxName].
func appended(name, suffix string) string { return cut(name, scene.MaxName-len(suffix)) + suffix }

// cut returns the first n characters of s, or all of s if it has fewer.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
