package course

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
)

const protocolSchema = "../../docs/course/protocol.schema.json"

// follows fails the test unless line is valid according to the given part of the protocol's schema.
func follows(t *testing.T, c *jsonschema.Compiler, part string, line []byte) {
	t.Helper()
	s, err := c.Compile(protocolSchema + part)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// TestQuestionsFollowProtocol validates questions and right answers with the schema of the protocol.
func TestQuestionsFollowProtocol(t *testing.T) {
	c := jsonschema.NewCompiler()
	for _, s := range AllStages() {
		e, err := s.Exam(Options{Count: min(s.Count, effort.Of(20, 60, 60))})
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Len() {
			line, err := e.Question(i)
			if err != nil {
				t.Fatal(err)
			}
			follows(t, c, "", line)
			data, err := json.Marshal(e.question(i).expected())
			if err != nil {
				t.Fatal(err)
			}
			fields := map[string]any{}
			if err := json.Unmarshal(data, &fields); err != nil {
				t.Fatal(err)
			}
			fields["id"] = i
			if data, err = json.Marshal(fields); err != nil {
				t.Fatal(err)
			}
			follows(t, c, "#/$defs/answer-"+s.Name, data)
		}
	}
}

// TestPictureOfCylinder checks a question about a user's scene with a cylinder. It must contain the cylinder and be
// valid according to the schema.
func TestPictureOfCylinder(t *testing.T) {
	const text = "[[light]]\nposition = [4, 8, 4]\n[[cylinder]]\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.5\n"
	s, err := scene.Decode("drum.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := Usable(s); err != nil {
		t.Fatal(err)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	picture, _ := Find(pictureName)
	e, err := picture.Exam(Options{Scenes: []*follow.Prepared{follow.Of(p)}})
	if err != nil {
		t.Fatal(err)
	}
	line, err := e.Question(0)
	if err != nil {
		t.Fatal(err)
	}
	follows(t, jsonschema.NewCompiler(), "", line)
	if want := `"type":"cylinder","a":[0,0,0],"b":[0,1,0],"radius":0.5`; !bytes.Contains(line, []byte(want)) {
		t.Errorf("%s, want %s", line, want)
	}
}
