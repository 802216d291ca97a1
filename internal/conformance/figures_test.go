package conformance_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillbox/exact"
	"pillbox/internal/convert/gltf"
	"pillbox/internal/course"
	"pillbox/internal/play"
	"pillbox/overlap"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// figure is a text that a page must contain. It has %v in place of its numbers.
type figure struct {
	page, text string
	numbers    []any
}

// rounded formats a number with the given digits after the decimal point.
func rounded(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

// stored returns the 8-bit value that a picture stores for the linear value x of light.
func stored(x float64) uint8 { return shade.EncodeSRGB8(x) }

// light returns the linear value of light for which a picture stores the 8-bit value n.
func light(n float64) float64 { return shade.FromSRGB(n/255, n/255, n/255).R }

// share returns x in words such as "a third". It rounds x to the closest fraction 1/n.
func share(x float64) string {
	names := map[int]string{2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth", 7: "a seventh"}
	return names[int(math.Round(1/x))]
}

// numerals contains the words for small numbers.
var numerals = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// power formats a power of two.
func power(x float64) string { return fmt.Sprintf("2^%v", math.Log2(x)) }

// thousands formats an integer with commas between thousands.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// sphereflake returns the number of solids of a sphereflake of the given depth, with the floor. Each ball has nine
// smaller balls around it.
func sphereflake(depth int) string {
	n, level := 1, 1
	for range depth + 1 {
		n += level
		level *= 9
	}
	return thousands(n)
}

// figures returns the texts with numbers that the tests can compute again. Numbers in the output of commands are
// not included.
func figures(t *testing.T) []figure {
	const lessons, perf = "docs/lessons/", "docs/performance.md"
	six, seven, tenth, fifth := math.Pow(0.8, 6), math.Pow(0.8, 7), 0.1, 0.2
	shadow := 5 * 0.8 / math.Sqrt(3*3-0.8*0.8)
	quarter, third := 0.25, 0.35
	solids := func(name string) int { return load(t, name).Objects.Len() }
	tree := solids(lessons + "tree.toml")
	cam := load(t, lessons+"camera.toml")
	height := 2 * (cam.Camera.FOV / 2).Tan()
	limits := play.DefaultLimits()
	half := func(x, y, z float64) float64 { return x*y + y*z + z*x } // the area of a box
	column, part := rounded(half(1.9, 11, 0.9), 2), rounded(half(1.9, 5, 0.9), 2)
	return []figure{
		{lessons + "antialiasing.md", "so the pixel has 7/16 of the light, %v", []any{7.0 / 16}},
		{lessons + "antialiasing.md", "as sRGB %v. Averaging the stored numbers 0 and 255 would give %v", []any{stored(7.0 / 16), rounded(255*7.0/16, 0)}},
		{lessons + "camera.md", "A field of view of %v degrees gives height = %v, and with %v rows pixel = %v",
			[]any{cam.Camera.FOV.Degrees(), height, numerals[cam.Image.Height], height / float64(cam.Image.Height)}},
		{lessons + "camera.md", "Its picture has only %v x %v pixels", []any{cam.Image.Width, cam.Image.Height}},
		{lessons + "camera.md", "The picture has %v columns and %v rows", []any{numerals[cam.Image.Width], numerals[cam.Image.Height]}},
		{lessons + "lambert.md", "Why is linear 0.8 stored as sRGB %v and not as 0.8 times 255, which is %v?", []any{stored(0.8), 0.8 * 255}},
		{lessons + "lambert.md", "The cosine of 60 degrees is %v", []any{rounded(math.Cos(math.Pi/3), 1)}},
		{lessons + "lambert.md", "It is sRGB %v", []any{stored(0.5)}},
		{lessons + "mirrors.md", "0.8 to the sixth power, about %v.", []any{share(six)}},
		{lessons + "mirrors.md", "by up to %v times as much, %v.", []any{rounded(seven/six, 1), rounded(seven, 2)}},
		{lessons + "shadows.md", "between %v and %v.", []any{rounded(math.Floor(100*shadow)/100, 2), rounded(math.Ceil(100*shadow)/100, 2)}},
		{lessons + "sphere.md", "Here the triangle has the sides 0.6, %v and 1.", []any{rounded(math.Sqrt(1-0.6*0.6), 1)}},
		{lessons + "sphere.md", "`disc` is still %v.", []any{rounded(1-0.6*0.6, 2)}},
		{lessons + "sphere.md", "Between 2^53 and 2^54, about %v and %v times 10^15", []any{rounded(math.Exp2(53)/1e15, 0), rounded(math.Exp2(54)/1e15, 0)}},
		{lessons + "sphere.md", "`b²` is 10^%v", []any{math.Log10(1e8 * 1e8)}},
		{lessons + "segment.md", "The comparison is reversed, so the test reports that the segment touches the small ball: %v >= 1", []any{2 * 2}},
		{lessons + "traps.md", "half of the light is stored as %v, and a screen shows 128 as about %v of the light", []any{rounded(255*0.5, 0), share(light(128))}},
		{lessons + "traps.md", "is the same, but %v times smaller", []any{
			load(t, "internal/play/broken/acne.toml").Spheres[0].Radius / load(t, "internal/play/broken/epsilon.toml").Spheres[0].Radius}},
		{lessons + "traps.md", "in floats, -0.25 + 0.35 is slightly %v than 0.1", []any{map[bool]string{true: "less", false: "more"}[third-quarter < tenth]}},
		{lessons + "exact.md", "With floats, 0.1 + 0.2 is a little %v than 0.3", []any{map[bool]string{true: "more", false: "less"}[tenth+fifth > 0.3]}},
		{lessons + "tree.md", "%v groups of three balls", []any{numerals[tree/3]}},
		{lessons + "tree.md", "has %v balls: five columns of four groups of three", []any{solids(lessons + "tree-deep.toml")}},
		{lessons + "tree.md", "1.9 * 11 + 11 * 0.9 + 0.9 * 1.9 = %v 12 * %v = %v", []any{column, column, rounded(12*half(1.9, 11, 0.9), 2)}},
		{lessons + "tree.md", "1.9 * 5 + 5 * 0.9 + 0.9 * 1.9 = %v 2 * 6 * %v = %v", []any{part, part, rounded(12*half(1.9, 5, 0.9), 2)}},
		{lessons + "capsule.md", "The bound is `|d2| < %v`", []any{power(shapes.ParallelSine)}},
		{lessons + "cylinder.md", "As for a capsule, the ray counts as parallel to the axis if `|d2| < %v`", []any{power(shapes.ParallelSine)}},

		{"docs/course/03-capsule.md", "shorter than %v", []any{power(shapes.ParallelSine)}},
		{"docs/course/13-cylinder.md", "shorter than %v", []any{power(shapes.ParallelSine)}},
		{"docs/course/06-overlap.md", "4900 // 1000 is %v, but %v is more than %v.", []any{4900 / 1000, 4900.0 / 1000, 4900 / 1000}},
		{"docs/course/09-lambert.md", "%v, not %v. A screen shows 128 as about %v of the light.", []any{stored(0.5), rounded(255*0.5, 0), share(light(128))}},
		{"docs/course/11-mirror.md", "0.8^8, about %v", []any{share(math.Pow(0.8, 8))}},
		{"docs/course/README.md", "at most %v of the largest distance", []any{power(course.Leeway)}},
		{"docs/course/teachers.md", "The course has %v stages.", []any{numerals[len(course.Stages())]}},

		{"README.md", "in under %v lines", []any{10 * (1 + strings.Count(text(t, "scenes/chess.toml"), "\n")/10)}},

		{perf, "its tree holds %v times as many primitives", []any{rounded((1+1+6)/3.0, 1)}},
		{perf, "the time per pixel of Embree grows by factors of %v (without shadows) and %v (with shadows). The time of Pillbox grows by %v (without) and %v (with shadows).",
			[]any{rounded(492.1/114.1, 1), rounded(860.5/141.1, 1), rounded(97.7/13.4, 1), rounded(239.9/21.2, 1)}},
		{perf, "sphereflakes of %v, %v and %v solids", []any{sphereflake(4), sphereflake(5), sphereflake(6)}},
		{perf, "A breakdown of one run of %v ms: 1.2 ms for any Go program, 2.5 ms to set up libraries and commands, 1.7 ms for the picture, and 1.8 ms to sync",
			[]any{rounded(1.2+2.5+1.7+1.8, 1)}},
		{perf, "serves all %v rays", []any{thousands(32 * 32)}},
		{perf, "ten times as many spheres took %v times the processor time (2.0 and 15.9 s)", []any{rounded(15.9/2.0, 1)}},
		{perf, "a picture of the demo takes %v times as many instructions as natively", []any{rounded(7238/2539.0, 1)}},

		{"docs/scene.md", "`width` times `height` is at most %v", []any{power(scene.MaxPixels)}},
		{"docs/scene.md", "in pixels, 1..%v;", []any{thousands(scene.MaxSide)}},
		{"docs/scene.md", ": n x n rays per pixel, 1..%v", []any{scene.MaxAntialias}},
		{"docs/scene.md", "the largest number of reflections of a ray, 0..%v", []any{scene.MaxBounces}},
		{"docs/scene.md", "frames per second, 0.001..%v.", []any{thousands(scene.MaxFPS)}},
		{"docs/scene.md", "there are round(duration * fps) frames, at most %v", []any{power(scene.MaxFrames)}},
		{"docs/scene.md", "number of copies, 1..%v", []any{thousands(scene.MaxPlaced)}},
		{"docs/scene.md", "Names have at most %v characters.", []any{scene.MaxName}},
		{"docs/scene.md", "at most %v MiB, about two million solids", []any{scene.MaxBytes >> 20}},
		{"docs/scene.md", "Placements nest at most %v deep and make at most %v solids", []any{scene.MaxNesting, thousands(scene.MaxPlaced)}},
		{"docs/scene.md", "at most %v pairs of name patterns", []any{scene.MaxAllowedOverlaps}},
		{"docs/scene.md", "Maximum size of a CSV file: %v GiB.", []any{scene.MaxBulkBytes >> 30}},
		{"docs/program.md", "at most %v pairs are counted, and at most %v pairs of solids whose bounds overlap are examined",
			[]any{thousands(overlap.MaxCounted), thousands(overlap.MaxExamined)}},
		{"docs/playground.md", "| size of a request | %v MiB;", []any{limits.Body >> 20}},
		{"docs/playground.md", "| picture | %v pixels, %v samples |", []any{power(float64(limits.Pixels)), power(float64(limits.Samples))}},
		{"docs/playground.md", "placements and bulk tables | %v |", []any{power(float64(limits.Solids))}},
		{"docs/playground.md", "| pictures at the same time | %v |", []any{limits.Renders}},
		{"docs/playground.md", "| time for an answer | %v seconds |", []any{limits.Seconds}},
		{"docs/explain.md", "for up to %v decimal places", []any{exact.MaxPlaces}},
		{"docs/program.md", "which may have up to %v decimal places", []any{exact.MaxPlaces}},
		{"docs/export.md", "A file has at most %v solids", []any{thousands(gltf.MaxSolids)}},
		{"docs/program.md", "The limits are those of scenes: %v pixels per side and %v pixels", []any{thousands(scene.MaxSide), power(scene.MaxPixels)}},
	}
}

// load loads the scene in the named file of the repository.
func load(t *testing.T, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// text returns the contents of the named file of the repository.
func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDocsFigures computes the numbers in the documentation again, and checks that the pages contain them.
func TestDocsFigures(t *testing.T) {
	for _, f := range figures(t) {
		want := fmt.Sprintf(f.text, f.numbers...)
		if !strings.Contains(strings.Join(strings.Fields(text(t, f.page)), " "), want) {
			t.Errorf("%s does not say %q", f.page, want)
		}
	}
}

// between is the range of numbers that are rounded to the same decimal.
type between struct{ lo, hi float64 }

// number matches a number in a table.
var number = regexp.MustCompile(`[\d,]*\d(\.\d+)?`)

// cell parses the first number in a table cell, or the range in parentheses that follows it. The result is false if
// there is no number.
func cell(text string) (between, bool) {
	var found []between
	for _, digits := range number.FindAllString(text, 3) {
		_, behind, _ := strings.Cut(digits, ".")
		x, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
		if err != nil {
			return between{}, false
		}
		half := 0.5 * math.Pow10(-len(behind))
		found = append(found, between{x - half, x + half})
	}
	if len(found) == 3 && strings.Contains(text, "(") {
		return between{found[1].lo, found[2].hi}, true
	}
	return append(found, between{})[0], len(found) > 0
}

// columns returns the cells of a row.
func columns(line string) []string {
	cells := strings.Split(strings.Trim(line, "| "), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// TestDocsRatios checks the tables of measurements: a column named "A / B" must agree with the columns A and B.
func TestDocsRatios(t *testing.T) {
	checked := 0
	var head []string
	for i, line := range strings.Split(text(t, "docs/performance.md"), "\n") {
		if !strings.HasPrefix(line, "|") {
			head = nil
			continue
		}
		cells := columns(line)
		if head == nil {
			head = cells
			continue
		}
		for k, name := range head {
			over, under, ok := operands(head, name)
			if !ok || k >= len(cells) {
				continue
			}
			a, okA := least(cells, over)
			b, okB := cell(cells[under])
			ratio, okR := cell(cells[k])
			if !okA || !okB || !okR {
				continue
			}
			checked++
			if a.lo/b.hi > ratio.hi || a.hi/b.lo < ratio.lo {
				t.Errorf("docs/performance.md:%d: %s is %s, not %.4g to %.4g", i+1, name, cells[k], a.lo/b.hi, a.hi/b.lo)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d ratios", checked)
	}
	t.Logf("%d ratios", checked)
}

// operands finds the columns of a table for a ratio with a name such as "A / B". under is the index of the column
// for B. over holds the index of the column for A. If A is "peer", it holds the indices of the columns for POV-Ray
// and Tachyon, of which the smaller number counts.
func operands(head []string, name string) (over []int, under int, ok bool) {
	a, b, ok := strings.Cut(name, " / ")
	if !ok || strings.Contains(name, ",") {
		return []int{1}, 2, name == "ratio" && len(head) == 4 // the table compares one thread with two
	}
	find := func(noun string) int {
		return slices.IndexFunc(head, func(h string) bool {
			return h == noun || strings.HasPrefix(h, noun+", ") && !strings.Contains(h, "bytes")
		})
	}
	under = find(b)
	for _, noun := range map[bool][]string{true: {"POV-Ray", "Tachyon"}, false: {a}}[a == "peer"] {
		over = append(over, find(noun))
	}
	return over, under, under >= 0 && !slices.Contains(over, -1)
}

// least returns the smallest number in those cells whose indices are in at. The result is false if at is empty or
// one of these cells has no number.
func least(cells []string, at []int) (between, bool) {
	best := between{math.Inf(1), math.Inf(1)}
	for _, i := range at {
		x, ok := cell(cells[i])
		if !ok {
			return x, false
		}
		if x.lo < best.lo {
			best = x
		}
	}
	return best, len(at) > 0
}
