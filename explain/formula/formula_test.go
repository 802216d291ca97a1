package formula

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pillbox/geom"
)

func TestFormulas(t *testing.T) {
	v, w := geom.Vec3{X: 1.1, Y: -2.3, Z: 3.7}, geom.Vec3{X: 0.3, Y: 0.9, Z: -5}
	a, b := 0.7, -1.3
	d := New[Float]()
	d.Know("v", Vector(v))
	d.Know("w'", Vector(w))
	d.Know("a", Real(a))
	d.Know("b_2", Real(b))
	for _, test := range []struct {
		formula string
		want    Value[Float]
	}{
		{"1.5", Real(1.5)},
		{"2e-3", Real(2e-3)},
		{"a + b_2 - a", Real(a + b - a)},
		{"a * b_2 + a", Real(float64(a*b) + a)},
		{"-a * b_2", Real(-(a * b))},
		{"a - (-b_2)", Real(a + b)},
		{"a / b_2 / a", Real(a / b / a)},
		{"a² - b_2²", Real(float64(a*a) - float64(b*b))},
		{"√(a * a + 1)", Real(math.Sqrt(float64(a*a) + 1))},
		{"√a", Real(math.Sqrt(a))},
		{"|b_2|", Real(1.3)},
		{"v + b_2 w'", Vector(v.AddScaled(b, w))},
		{"v - a w'", Vector(v.AddScaled(-a, w))},
		{"(a - b_2) v", Vector(v.Scale(a - b))},
		{"v / |v|", Vector(v.Unit())},
		{"v · w'", Real(v.Dot(w))},
		{"-(v · w')", Real(-v.Dot(w))},
		{"-v", Vector(v.Neg())},
		{"v × w'", Vector(v.Cross(w))},
		{"(v × w') · v / |w'|²", Real(v.Cross(w).Dot(v) / w.Norm2())},
		{"|v|²", Real(v.Norm2())},
		{"|v - w'|²", Real(v.Sub(w).Norm2())},
		{"v.x * w'.z", Real(v.X * w.Z)},
		{"(v.x, a, 2 - w'.y)", Vector(geom.Vec3{X: v.X, Y: a, Z: 2 - w.Y})},
		{"v * w'", Vector(geom.Vec3{X: v.X * w.X, Y: v.Y * w.Y, Z: v.Z * w.Z})},
		{"min(a, b_2, 3)", Real(b)},
		{"max(0 / 0, b_2, a)", Real(a)},
		{"floor(b_2 / a)", Real(-2)},
		{"floor(v)", Vector(geom.Vec3{X: 1, Y: -3, Z: 3})},
		{"-1 / 0", Real(math.Inf(-1))},
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
	d := New[Float]()
	d.Know("x", Real(2))
	d.Know("none", Real(math.NaN()))
	for formula, want := range map[string]bool{
		"x < 3": true, "x < 2": false, "x <= 2": true, "x > 1": true, "x >= 2": true, "x = 2": true, "x = 3": false,
		"0 <= x <= 2": true, "0 <= x < 2": false, "none <= 0": false, "none > 0": false, "none = none": false,
	} {
		if got := d.Holds(formula); got != want {
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
	d := New[Integer]()
	d.Know("n", Scalar(Integer{big1}))
	v := d.Let("x", "n * n - (n - 1) * (n + 1)", "")
	if v.x[0].String() != "1" {
		t.Errorf("n² - (n - 1)(n + 1) = %v, want 1", v.x[0])
	}
	if n := d.Steps()[0].Numbers; n != "123456789012345678901234567890 * 123456789012345678901234567890 - (123456789012345678901234567890 - 1) * (123456789012345678901234567890 + 1)" {
		t.Errorf("printed as %s", n)
	}
}

// TestNumbersGetTheDigitsTheyNeed subtracts two numbers that agree in their first digits.
func TestNumbersGetTheDigitsTheyNeed(t *testing.T) {
	d := New[Float]()
	d.Know("r", Real(1))
	d.Know("l", Real(0.99999991234567))
	d.Let("disc", "r² - l²", "")
	d.Claim("l < r", "")
	want := []Step{
		{Symbol: "disc", Formula: "r² - l²", Numbers: "1² - 0.9999999123457²", Result: "1.75309e-07"},
		{Formula: "l < r", Numbers: "0.9999999 < 1", Result: "0.9999999 < 1"},
	}
	for i, w := range want {
		if s := d.Steps()[i]; s.Numbers != w.Numbers || s.Result != w.Result {
			t.Errorf("%s: printed %s = %s, want %s = %s", s.Formula, s.Numbers, s.Result, w.Numbers, w.Result)
		}
	}
}

// TestSumsShowTheirTerms: a result has the digits that show what each term does to it, unless a term
// is nothing but rounding.
func TestSumsShowTheirTerms(t *testing.T) {
	for _, test := range []struct {
		x, y float64
		want string
	}{
		{1e8, 0.8, "100000000 - 0.8 = 99999999.2"},
		{1e8, 0.0625, "100000000 - 0.0625 = 99999999.94"},
		{0.8, 1e8, "0.8 - 100000000 = -99999999.2"},
		{1, 1e-16, "1 - 1e-16 = 1"},
		{12.5, 1.19773, "12.5 - 1.19773 = 11.3023"},
	} {
		d := New[Float]()
		d.Know("x", Real(test.x))
		d.Know("y", Real(test.y))
		d.Let("z", "x - y", "")
		s := d.Steps()[0]
		got := strings.ReplaceAll(s.Numbers, "1e+08", "100000000") + " = " + s.Result
		if got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if err := Check[Float](s); err != nil {
			t.Error(err)
		}
	}
}

// TestCheckFindsWhatDoesNotComeOut alters what is printed.
func TestCheckFindsWhatDoesNotComeOut(t *testing.T) {
	d := New[Float]()
	d.Know("x", Real(2))
	d.Let("y", "x * x", "")
	d.Claim("x < y", "")
	equation, claim := d.Steps()[0], d.Steps()[1]
	for name, s := range map[string]Step{
		"a result": {Symbol: "y", Formula: equation.Formula, Numbers: "2 * 2", Result: "5"},
		"a number": {Symbol: "y", Formula: equation.Formula, Numbers: "2 * 3", Result: "4"},
		"a symbol": {Symbol: "y", Formula: equation.Formula, Numbers: "x * 2", Result: "4"},
		"a claim":  {Formula: claim.Formula, Numbers: "2 < 1", Result: "2 < 4"},
		"a term":   {Formula: claim.Formula, Numbers: "2 < 4", Result: "2 < 5"},
	} {
		if Check[Float](s) == nil {
			t.Errorf("%s is wrong, and nobody says so", name)
		}
	}
	for _, s := range d.Steps() {
		if err := Check[Float](s); err != nil {
			t.Error(err)
		}
	}
}
