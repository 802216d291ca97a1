package formula

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
)

func TestFormulas(t *testing.T) {
	v, w := geom.Vec3{X: 1.1, Y: -2.3, Z: 3.7}, geom.Vec3{X: 0.3, Y: 0.9, Z: -5}
	a, b := 0.7, -1.3
	d := New[Float]()
	d.Know("v", Vector(v), "")
	d.Know("w'", Vector(w), "")
	d.Know("a", Real(a), "")
	d.Know("b_2", Real(b), "")
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
	d.Know("x", Real(2), "")
	d.Know("none", Real(math.NaN()), "")
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
	d.Know("n", Scalar(Integer{big1}), "")
	v := d.Let("x", "n * n - (n - 1) * (n + 1)", "")
	if v.x[0].String() != "1" {
		t.Errorf("n² - (n - 1)(n + 1) = %v, want 1", v.x[0])
	}
	if n := d.Steps()[0].Numbers; n != "123456789012345678901234567890 * 123456789012345678901234567890 - (123456789012345678901234567890 - 1) * (123456789012345678901234567890 + 1)" {
		t.Errorf("printed as %s", n)
	}
}

// TestNumbersGetTheDigitsTheyNeed checks that two nearly equal numbers are printed with enough digits for their
// difference.
func TestNumbersGetTheDigitsTheyNeed(t *testing.T) {
	d := New[Float]()
	d.Know("r", Real(1), "")
	d.Know("l", Real(0.99999991234567), "")
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

// TestSumsShowTheirTerms checks that a sum is printed with enough digits to show the effect of each term. Terms as
// small as a rounding error are ignored.
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
		d.Know("x", Real(test.x), "")
		d.Know("y", Real(test.y), "")
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

// TestCheckFindsWhatDoesNotComeOut alters printed equations. Check must find each equation that is then false.
func TestCheckFindsWhatDoesNotComeOut(t *testing.T) {
	d := New[Float]()
	d.Know("x", Real(2), "")
	d.Let("y", "x * x", "")
	d.Claim("x < y", "")
	equation, claim := d.Steps()[0], d.Steps()[1]
	for name, s := range map[string]Step{
		"a result": {Symbol: "y", Formula: equation.Formula, Numbers: "2 * 2", Result: "5"},
		"a number": {Symbol: "y", Formula: equation.Formula, Numbers: "2 * 3", Result: "4"},
		"a symbol": {Symbol: "y", Formula: equation.Formula, Numbers: "x * 2", Result: "4"},
		"a claim":  {Formula: claim.Formula, Numbers: "2 < 1", Result: "2 < 4"},
		"a term":   {Formula: claim.Formula, Numbers: "2 < 4", Result: "2 < 5"},
		"a sign":   {Symbol: "y", Formula: equation.Formula, Numbers: "2 *", Result: "4"},
		"a value":  {Formula: claim.Formula, Numbers: "2 < 4", Result: "2 <"},
	} {
		if Check[Float](s) == nil {
			t.Errorf("%s is wrong, but Check returns no error", name)
		}
	}
	for _, s := range d.Steps() {
		if err := Check[Float](s); err != nil {
			t.Error(err)
		}
	}
}

// TestDerivation checks the values of defined symbols. A silent derivation must compute the same values without
// visible steps.
func TestDerivation(t *testing.T) {
	derive := func(silent bool) *Derivation[Float] {
		d := New[Float]()
		d.Silent = silent
		d.Given("v", Vector(geom.Vec3{X: 3, Y: 4}), "")
		d.Note("%d parts", 3)
		d.Let("l", "|v|", "")
		d.Judge("l >= 5", Accepts, "long enough")
		d.Decide(Rejects, "not needed")
		return d
	}
	d := derive(false)
	if v, ok := d.Lookup("v"); !ok || Vec3(v) != (geom.Vec3{X: 3, Y: 4}) || v.Part(1) != 4 {
		t.Errorf("v is %v, %v", v, ok)
	}
	if v, ok := d.Lookup("w"); ok {
		t.Errorf("w is %v", v)
	}
	if l := d.Scalar("l"); l != 5 {
		t.Errorf("l is %v", l)
	}
	var notes []string
	for _, s := range d.Steps() {
		notes = append(notes, s.Note+"|"+string(s.Verdict)+"|"+strings.Join(s.Symbols(), " "))
	}
	want := []string{"||", "3 parts||", "||v", "accepted: long enough|accepted|l", "rejected: not needed|rejected|"}
	if !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
	quiet := derive(true)
	if len(quiet.Steps()) != 0 || quiet.Scalar("l") != 5 {
		t.Errorf("in silence: %d steps, l is %v", len(quiet.Steps()), quiet.Scalar("l"))
	}
}

// TestDerivationPanics checks that invalid calls panic.
func TestDerivationPanics(t *testing.T) {
	d := New[Float]()
	d.Know("v", Vector(geom.Vec3{X: 1}), "")
	d.Know("x", Real(2), "")
	whole := New[Integer]()
	whole.Know("n", Scalar(Integer{big.NewInt(4)}), "")
	for want, mistake := range map[string]func(){
		`no value for "y"`:           func() { d.Let("z", "x + y", "") },
		"x < 1 is false":             func() { d.Claim("x < 1", "") },
		`unexpected ""`:              func() { d.Let("z", "x +", "") },
		`unexpected ")"`:             func() { d.Let("z", "max(x)", "") },
		"3 parts meet 1":             func() { d.Let("z", "v + x", "") },
		"relation is no value":       func() { d.Let("z", "x < 3", "") },
		"integers are not divided":   func() { whole.Let("z", "n / n", "") },
		"integers have no roots":     func() { whole.Let("z", "√n", "") },
		"invalid syntax":             func() { whole.Let("z", "n + 1.5", "") },
		`unexpected "+" before " 1"`: func() { Step{Formula: "+ 1"}.Symbols() },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			mistake()
		}()
	}
}

// TestIntegersFollowTheRulesOfFloats checks that formulas have the same values with integers as with floats.
func TestIntegersFollowTheRulesOfFloats(t *testing.T) {
	floats, integers := New[Float](), New[Integer]()
	for name, x := range map[string]int64{"a": 7, "b": -3} {
		floats.Know(name, Real(float64(x)), "")
		integers.Know(name, Scalar(Integer{big.NewInt(x)}), "")
	}
	for _, f := range []string{"-a", "|b|", "floor(b)", "a + b", "a - b", "a * b - b²", "min(a, b)", "max(a, b, 0)"} {
		want := floats.Let("x", f, "").Text(AllDigits)
		if got := integers.Let("x", f, "").Text(AllDigits); got != want {
			t.Errorf("%s: %s of integers, %s of floats", f, got, want)
		}
	}
	for _, f := range []string{"a > b", "a < b", "b <= b", "a = b", "b < 0 < a", "a >= 8"} {
		if got, want := integers.Holds(f), floats.Holds(f); got != want {
			t.Errorf("%s: %v of integers, %v of floats", f, got, want)
		}
	}
}

// TestApart checks that different numbers are printed with enough digits to show their difference.
func TestApart(t *testing.T) {
	const one = 1.0
	for _, c := range []struct {
		numbers []float64
		want    string
	}{
		{[]float64{1.5, 2.25}, "1.5 2.25"},
		{[]float64{1.0 / 3, 1.0 / 3}, "0.333 0.333"},
		{[]float64{1.0 / 3, 1.0/3 + 1e-6}, "0.333333 0.333334"},
		{[]float64{one, math.Nextafter(one, 2)}, "1 1.0000000000000002"},
		{nil, ""},
	} {
		if got := strings.Join(Apart(3, c.numbers...), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.numbers, got, c.want)
		}
	}
}

// TestFloatText checks that an infinite number is printed in the notation of formulas, and zero without a sign.
func TestFloatText(t *testing.T) {
	for x, want := range map[float64]string{math.Inf(1): "Inf", math.Copysign(0, -1): "0", 2.0 / 3: "0.666667", -1e100: "-1e+100"} {
		if got := Float(x).Text(Readable); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	if err := Check[Float](Step{Symbol: "x", Formula: "y", Numbers: "Inf", Result: "Inf"}); err != nil {
		t.Error(err)
	}
}
