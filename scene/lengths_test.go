package scene

import (
	"strings"
	"testing"

	"pillbox/exact"
)

// TestWrittenLengths checks that lengths keep two significant digits, and that no length is written as 0.
func TestWrittenLengths(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0 m", 2: "2 m", 1.23456: "1.235 m", 0.0512: "0.051 m", 0.01: "0.01 m",
		0.0002: "0.0002 m", 0.00123: "0.0012 m", 0.00012345: "0.00012 m", 3e-15: "0.000000000000003 m",
	} {
		q := Quantity{Factor: 1, Unit: "m"}
		if got := q.write(exact.Length{More: x, Factor: 1}); got != want {
			t.Errorf("%v is written as %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0.00", 0.005: "0.01", 0.00499: "0.005", 0.0002: "0.0002", 0.00096: "0.001", 0.00055: "0.0006", 1e-300: "0." + strings.Repeat("0", 299) + "1"} {
		q := Quantity{Factor: 1, HasDigits: true, Digits: 2}
		if got := q.write(exact.Length{More: x, Factor: 1}); got != want {
			t.Errorf("with two digits, %v is written as %q, want %q", x, got, want)
		}
	}
}

// TestShortScaleBar checks that a scale bar that is shorter than a pixel is refused.
func TestShortScaleBar(t *testing.T) {
	const text = "camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = \"orthographic\", view_height = 10 }\n" +
		"image = { width = 100, height = 100 }\nscale_bar = { length = "
	for length, isWrong := range map[string]bool{"0.2": false, "0.01": true, "1e-12": true} {
		_, err := Decode("s.toml", []byte(text+length+" }\n"))
		if (err != nil) != isWrong || isWrong && !strings.Contains(err.Error(), "must be longer: the bar has") {
			t.Errorf("length %s: %v", length, err)
		}
	}
}
