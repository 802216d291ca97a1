package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pillbox"
	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/scene"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// compile returns the schema of the JSON, compiled from its text.
func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("explain.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("explain.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate returns x as JSON, and the error of validating that JSON with s.
func validate(t *testing.T, s *jsonschema.Schema, x Explanation, detail Detail) ([]byte, error) {
	t.Helper()
	data, err := x.JSON(detail)
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`[\[ ]-0[],\n]`).Match(data) {
		t.Errorf("a zero has a sign:\n%s", data)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return data, s.Validate(doc)
}

// TestJSONFollowsSchema checks that the JSON of pixels, rays and segments of every shipped scene is valid according
// to the schema. Numbers that are read back must have the same bits.
func TestJSONFollowsSchema(t *testing.T) {
	schema := compile(t)
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		rng := rand.New(rand.NewPCG(3, 3))
		for i := range effort.Of(1, 3, 30) {
			detail := Detail(i % 3)
			pixel, err := tracer.Pixel(image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y)))
			if err != nil {
				t.Fatal(err)
			}
			data, err := validate(t, schema, pixel, detail)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			readBack(t, pixel, data)

			r := geom.Ray{Origin: shapetest.Cube(rng, 10), Dir: shapetest.Direction(rng)}
			if data, err := validate(t, schema, aimed(t, tracer, r), detail); err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			seg := geom.Segment{A: r.Origin, B: shapetest.Cube(rng, 3)}
			if data, err := validate(t, schema, tracer.Segment(seg), detail); err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
		}
	})
}

// readBack compares the numbers in data, the JSON of x, with those of x.
func readBack(t *testing.T, x *Pixel, data []byte) {
	t.Helper()
	var got struct {
		Version int
		Pixel   [2]int
		Ray     struct{ Origin, Direction [3]float64 }
		Hit     *struct {
			Object        int32
			Kind          string
			T             float64
			Point, Normal [3]float64
		}
		Color struct {
			Linear [3]float64
			SRGB8  [3]uint8
		}
		Samples []struct {
			Ray   struct{ Origin, Direction [3]float64 }
			Color struct{ Linear [3]float64 }
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	first := x.Samples[0].traced()
	want := []any{
		1, [2]int{x.At.X, x.At.Y},
		[3]float64(arrayOf(first.Ray.Origin)), [3]float64(arrayOf(first.Ray.Dir)),
		first.Hit.Object != accel.None,
		[3]float64(channels(x.Linear)), [3]uint8{x.SRGB8.R, x.SRGB8.G, x.SRGB8.B},
		len(x.Samples),
	}
	have := []any{
		got.Version, got.Pixel, got.Ray.Origin, got.Ray.Direction, got.Hit != nil,
		got.Color.Linear, got.Color.SRGB8, len(got.Samples),
	}
	if h := got.Hit; h != nil {
		want = append(want, first.Hit.Object, first.Hit.T, [3]float64(arrayOf(first.Hit.Point)), [3]float64(arrayOf(first.Hit.Normal)))
		have = append(have, h.Object, h.T, h.Point, h.Normal)
	}
	for i, s := range got.Samples {
		want = append(want, [3]float64(arrayOf(x.Samples[i].Ray.Dir)), [3]float64(channels(x.Samples[i].Color)))
		have = append(have, s.Ray.Direction, s.Color.Linear)
	}
	if !reflect.DeepEqual(have, want) {
		t.Fatalf("read back %v, want %v", have, want)
	}
}

// TestJSONOfNamelessSceneFollowsSchema checks that the JSON of a scene without a name still has the key "scene".
func TestJSONOfNamelessSceneFollowsSchema(t *testing.T) {
	s := lone.Scene(&shapes.Sphere{Radius: 1})
	s.Name = ""
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	pixel, err := tracer.Pixel(image.Point{})
	if err != nil {
		t.Fatal(err)
	}
	ray := aimed(t, tracer, geom.Ray{Dir: geom.Vec3{X: 1}})
	for _, x := range []Explanation{pixel, ray, tracer.Segment(geom.Segment{})} {
		if data, err := validate(t, compile(t), x, Usual); err != nil {
			t.Errorf("%v\n%s", err, data)
		}
	}
}

func TestCapsulesJSONFollowsSchema(t *testing.T) {
	schema := compile(t)
	for i := range 50 {
		rng := rand.New(rand.NewPCG(4, uint64(i)))
		point := func() [3]float64 { return [3]float64{rng.NormFloat64(), float64(rng.IntN(5)), rng.Float64()} }
		x, err := Capsules([2]string{"a", "b"}, exact.Decimal3{P: point(), Q: point(), R: 1}, exact.Decimal3{P: point(), Q: point(), R: 0.25})
		if err != nil {
			t.Fatal(err)
		}
		if data, err := validate(t, schema, x, Usual); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
	}
}

// TestSchemaKnowsEveryKey adds an unknown key to each object of an explanation in turn. The schema must reject it.
func TestSchemaKnowsEveryKey(t *testing.T) {
	schema := compile(t)
	pixel := explained(t, "../scenes/mirror.toml", image.Pt(160, 120))
	data, err := validate(t, schema, pixel, Usual)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	objects := 0
	var visit func(at string, v any)
	visit = func(at string, v any) {
		switch v := v.(type) {
		case []any:
			for i, e := range v {
				visit(fmt.Sprintf("%s[%d]", at, i), e)
			}
		case map[string]any:
			objects++
			v["planted"] = true
			if schema.Validate(doc) == nil {
				t.Errorf("%s: an unknown key goes through", at)
			}
			delete(v, "planted")
			for key, e := range v {
				visit(at+"."+key, e)
			}
		}
	}
	visit("", doc)
	if objects < 30 {
		t.Errorf("only %d objects: the test has lost its point", objects)
	}
}
