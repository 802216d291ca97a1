package explain

import (
	"math"
	"math/big"
	"testing"

	"pillbox/geom"
)

func TestFormulas(t *testing.T) {
	v, w := geom.Vec3{X: 1.1, Y: -2.3, Z: 3.7}, geom.Vec3{X: 0.3, Y: 0.9, Z: -5}
	a, b := 0.7, -1.3
	d := newDerivation[float]()
	d.know("v", vector(v))
	d.know("w'", vector(w))
	d.know("a", real(a))
	d.know("b_2", real(b))
	for _, test := range []struct {
		formula string
		want    value[float]
	}{
		{"1.5", real(1.5)},
		{"2e-3", real(2e-3)},
		{"a + b_2 - a", real(a + b - a)},
		{"a * b_2 + a", real(float64(a*b) + a)},
		{"-a * b_2", real(-(a * b))},
		{"a - (-b_2)", real(a + b)},
		{"a / b_2 / a", real(a / b / a)},
		{"a² - b_2²", real(float64(a*a) - float64(b*b))},
		{"√(a * a + 1)", real(math.Sqrt(float64(a*a) + 1))},
		{"√a", real(math.Sqrt(a))},
		{"|b_2|", real(1.3)},
		{"v + b_2 w'", vector(v.AddScaled(b, w))},
		{"v - a w'", vector(v.AddScaled(-a, w))},
		{"(a - b_2) v", vector(v.Scale(a - b))},
		{"v / |v|", vector(v.Unit())},
		{"v · w'", real(v.Dot(w))},
		{"-(v · w')", real(-v.Dot(w))},
		{"-v", vector(v.Neg())},
		{"v × w'", vector(v.Cross(w))},
		{"(v × w') · v / |w'|²", real(v.Cross(w).Dot(v) / w.Norm2())},
		{"|v|²", real(v.Norm2())},
		{"|v - w'|²", real(v.Sub(w).Norm2())},
		{"v.x * w'.z", real(v.X * w.Z)},
		{"(v.x, a, 2 - w'.y)", vector(geom.Vec3{X: v.X, Y: a, Z: 2 - w.Y})},
		{"v * w'", vector(geom.Vec3{X: v.X * w.X, Y: v.Y * w.Y, Z: v.Z * w.Z})},
		{"min(a, b_2, 3)", real(b)},
		{"max(0 / 0, b_2, a)", real(a)},
		{"-1 / 0", real(math.Inf(-1))},
	} {
		n, err := parse(test.formula)
		if err != nil {
			t.Errorf("%q: %v", test.formula, err)
			continue
		}
		if got := d.exact().eval(n); got != test.want {
			t.Errorf("%q = %v, want %v", test.formula, got, test.want)
		}
		if again := show(n, symbol.String); again != test.formula {
			t.Errorf("%q is written %q", test.formula, again)
		}
	}
}

func TestRelations(t *testing.T) {
	d := newDerivation[float]()
	d.know("x", real(2))
	d.know("none", real(math.NaN()))
	for formula, want := range map[string]bool{
		"x < 3": true, "x < 2": false, "x <= 2": true, "x > 1": true, "x >= 2": true, "x = 2": true, "x = 3": false,
		"0 <= x <= 2": true, "0 <= x < 2": false, "none <= 0": false, "none > 0": false, "none = none": false,
	} {
		if got := d.holds(formula); got != want {
			t.Errorf("%q is %v", formula, got)
		}
	}
}

func TestFormulaErrors(t *testing.T) {
	for _, formula := range []string{"", "a +", "(a", "|a", "a)", "(a, b)", "min(a", "* a", "a < ", "1 $ 2"} {
		if n, err := parse(formula); err == nil {
			t.Errorf("%q is taken for %#v", formula, n)
		}
	}
}

func TestIntegersAreExact(t *testing.T) {
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	d := newDerivation[whole]()
	d.know("n", scalar(whole{big1}))
	v := d.let("x", "n * n - (n - 1) * (n + 1)", "")
	if v.x[0].String() != "1" {
		t.Errorf("n² - (n - 1)(n + 1) = %v, want 1", v.x[0])
	}
	if n := d.steps[0].Numbers; n != "123456789012345678901234567890 * 123456789012345678901234567890 - (123456789012345678901234567890 - 1) * (123456789012345678901234567890 + 1)" {
		t.Errorf("printed as %s", n)
	}
}

// TestNumbersGetTheDigitsTheyNeed subtracts two numbers that agree in their first digits.
func TestNumbersGetTheDigitsTheyNeed(t *testing.T) {
	d := newDerivation[float]()
	d.know("r", real(1))
	d.know("l", real(0.99999991234567))
	d.let("disc", "r² - l²", "")
	d.claim("l < r", "")
	want := []Step{
		{Symbol: "disc", Formula: "r² - l²", Numbers: "1² - 0.9999999123457²", Result: "1.75309e-07"},
		{Formula: "l < r", Numbers: "0.9999999 < 1", Result: "0.9999999 < 1"},
	}
	for i, w := range want {
		if s := d.steps[i]; s.Numbers != w.Numbers || s.Result != w.Result {
			t.Errorf("%s: printed %s = %s, want %s = %s", s.Formula, s.Numbers, s.Result, w.Numbers, w.Result)
		}
	}
}
