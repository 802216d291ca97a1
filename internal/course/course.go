// Package course asks the questions of a course in which a learner writes a ray tracer, judges the
// answers, and names mistakes.
//
// The course has stages, from a ray and a sphere to whole pictures. A [Stage] makes an [Exam]: so many
// questions, of which each is a pure function of the stage, the seed and its number. The learner's
// program gets them as lines of JSON and answers with lines of JSON; [Exam.Judge] reads one of these,
// and [Exam.Verdict] describes what came of all. The package runs no program and reads no clock.
//
// Expected answers come from packages shapes, exact, camera, shade and stage, those that render.
//
// # Tolerances
//
// Every number of an answer is judged with [Leeway], a fraction of a distance. With D the largest
// distance in the question between two points and e = Leeway D, an answer about a line and a solid is
// right if it is right for the solid when it is shrunk by e, grown by e, or anything between; what
// follows along the line may be off by another e. So a tolerance grows with the question, and where
// line and surface are nearly tangent it grows as the question's condition does: there both counts of
// crossings are right. Nothing is compared with a fixed length.
//
// Colors are sums of products and judged relative to the light that there is; what mirrors show is
// judged by what happens to it when the ray is moved by e.
//
// # Mistakes
//
// A [Mistake] is a faulty variant of the right answer, or several such. When answers are wrong, every variant of the
// stage is run on the same questions, and the one that is wrong where the learner is wrong, right
// where the learner is right, and gives the wrong answers that the learner gave, is named.
//
// Conventions: those of the packages that answer; y is up, directions have unit length, colors in
// questions are sRGB, those in answers linear. A Stage is immutable; an Exam may be asked for questions
// by one goroutine while another one judges.
package course

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shapes"
)

// Leeway is how far off a learner's answer may be, as a fraction of the largest distance in the
// question. [shapes.Slack], 2^-47, is the worst that rounding does to a careful formula. A formula from
// school loses another factor, the distance in radii: its discriminant is a difference of squares. The
// ordinary questions stay within 64 radii, so 2^6 times as much lets it pass there, and not from far
// away.
const Leeway = 64 * shapes.Slack

// Class says how hard a question is. Exams have them in this order.
type Class string

const (
	Ordinary   Class = "ordinary"   // lengths around 1, nothing special
	Scaled     Class = "scaled"     // the same, 10^3 to 10^13 times larger or smaller
	Degenerate Class = "degenerate" // tangent, inside, behind, parallel, on a surface, through an edge, of zero length; nearly so
)

// Classes returns the classes in the order in which an exam has them.
func Classes() []Class { return []Class{Ordinary, Scaled, Degenerate} }

// Stage is a step of the course.
type Stage struct {
	Name   string // in questions and on the command line
	Title  string
	Lesson string // the page in docs/lessons that explains it
	Count  int    // how many questions an exam has if nothing else is said
	kind   kind
}

// Stages returns the stages of the course, in order.
func Stages() []*Stage {
	return []*Stage{
		{"sphere", "A line and a sphere", "sphere.md", 300, sphereStage()},
		{"box", "A line and a box", "box.md", 500, boxStage()},
		{"capsule", "A line and a capsule", "capsule.md", 400, capsuleStage()},
		{"ahead", "The first crossing ahead", "sphere.md#from-inside", 900, aheadStage()},
		{"segment", "A segment and a sphere", "segment.md", 400, segmentStage()},
		{"overlap", "Capsules, exactly", "exact.md", 1500, overlapStage()},
		{"nearest", "The closest hit", "tree.md", 1000, nearestStage()},
		{"camera", "From a pixel to a ray", "camera.md", 300, cameraStage()},
		{"lambert", "How bright a surface is", "lambert.md", 400, lambertStage()},
		{"shadow", "Shadows", "shadows.md", 2000, shadowStage()},
		{"mirror", "Mirrors", "mirrors.md", 500, mirrorStage()},
		{pictureName, "A picture", "antialiasing.md", 6, pictureStage()},
	}
}

// ExtraStages returns the stages that the course offers beside its own.
func ExtraStages() []*Stage {
	return []*Stage{
		{"cylinder", "A line and a cylinder", "cylinder.md", 1100, cylinderStage()},
	}
}

// AllStages returns the stages of the course, then the extra ones.
func AllStages() []*Stage { return append(Stages(), ExtraStages()...) }

// pictureName is the stage whose questions may be about the user's scenes.
const pictureName = "picture"

// Find returns the stage with a name, an extra one, too, and false if none exists.
func Find(name string) (*Stage, bool) {
	all := AllStages()
	i := slices.IndexFunc(all, func(s *Stage) bool { return s.Name == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// Mistakes returns the library of mistakes that learners make at this stage.
func (s *Stage) Mistakes() []Mistake { return s.kind.mistakes() }

// Mistake is a known mistake.
type Mistake struct {
	Name   string `json:"name"`   // a few words
	Advice string `json:"advice"` // what goes wrong, and what to do instead
	Lesson string `json:"lesson"` // where to read about it, as [Stage] has it
}

// kind is what a stage does, for any type of its questions and answers.
type kind interface {
	mistakes() []Mistake
	cases() []caseName
	randomMistake() (Mistake, bool)
	question(d *dice, i int, h Head) question
}

// caseName names a kind of question within a class.
type caseName struct {
	class Class
	name  string
}

// question is one question with all that can be asked of it.
type question interface {
	// line returns the question as JSON.
	line() ([]byte, error)

	// judge returns what is wrong with an answer, nil if nothing is.
	judge(fields answer) *problem

	// expected returns the right answer.
	expected() any

	// faulty returns the answer of the variant of a mistake.
	faulty(mistake int) any

	// fits reports how the variant of a mistake does on this question beside an answer.
	fits(mistake int, fields answer, wrong bool) fit

	// mayBeRandom reports whether a wrong answer may come from the stage's random mistake.
	mayBeRandom(fields answer) bool

	// explain returns what derives the question.
	explain() Derivation
}

// Head begins every question.
type Head struct {
	ID    int    `json:"id"`
	Stage string `json:"stage"`
	Class Class  `json:"class"`
	Case  string `json:"case"` // such as "tangent"
}

// Derivation is a command that derives a question with all its numbers: the arguments of render, and
// what it reads from standard input, nothing if that is empty.
type Derivation struct {
	Args  []string `json:"args"`
	Stdin string   `json:"stdin,omitempty"`
}

// stageOf is a stage whose questions are Q and answers A. All functions are pure.
type stageOf[Q, A any] struct {
	asks    []ask[Q]
	solve   func(*Q) A                   // the right answer
	read    func(*Q, *reader) A          // from what the learner's program wrote
	judge   func(q *Q, given A) *problem // nil if it is right
	scale   func(*Q) float64             // the question's largest length, beside which lengths in answers are compared
	derive  func(*Q) Derivation
	alike   func(a, b A) bool // whether two answers are the same except for digits; nil: as [alike] has it
	library []variant[Q, A]
	random  *random[Q, A] // nil: none
}

// random is a mistake of which rounding decides where it strikes: no variant gives the same answers.
type random[Q, A any] struct {
	Mistake
	may func(q *Q, given A) bool // reports whether it may have led to a wrong answer
}

// ask makes one kind of question.
type ask[Q any] struct {
	class Class
	name  string
	make  func(*dice) Q
}

// variant is a mistake, as the faulty answer that it gives.
type variant[Q, A any] struct {
	Mistake
	solve func(*Q) A
}

// asked is a question of a stage.
type asked[Q, A any] struct {
	*stageOf[Q, A]
	head Head
	q    Q
}

func (s *stageOf[Q, A]) mistakes() []Mistake {
	all := make([]Mistake, len(s.library))
	for i := range s.library {
		all[i] = s.library[i].Mistake
	}
	return all
}

func (s *stageOf[Q, A]) randomMistake() (Mistake, bool) {
	if s.random == nil {
		return Mistake{}, false
	}
	return s.random.Mistake, true
}

func (s *stageOf[Q, A]) cases() []caseName {
	all := make([]caseName, len(s.asks))
	for i, a := range s.asks {
		all[i] = caseName{a.class, a.name}
	}
	return all
}

func (s *stageOf[Q, A]) question(d *dice, i int, h Head) question {
	return &asked[Q, A]{s, h, s.asks[i].make(d)}
}

func (a *asked[Q, A]) line() ([]byte, error) {
	head, err := json.Marshal(a.head)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(&a.q)
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

func (a *asked[Q, A]) judge(fields answer) *problem {
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	if p := cmp.Or(r.problem, r.nan); p != nil {
		return p
	}
	return a.stageOf.judge(&a.q, given)
}

func (a *asked[Q, A]) expected() any { return a.solve(&a.q) }

func (a *asked[Q, A]) faulty(mistake int) any { return a.library[mistake].solve(&a.q) }

func (a *asked[Q, A]) mayBeRandom(fields answer) bool {
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	return r.problem == nil && a.random.may(&a.q, given)
}

func (a *asked[Q, A]) explain() Derivation { return a.derive(&a.q) }

func (a *asked[Q, A]) fits(mistake int, fields answer, wrong bool) fit {
	faulty := a.library[mistake].solve(&a.q)
	bad := a.stageOf.judge(&a.q, faulty) != nil
	switch {
	case !bad && !wrong:
		return neutral
	case bad != wrong:
		return differs
	}
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	switch {
	case r.problem != nil:
		return differs
	case r.nan != nil && hasNaN(faulty), a.same(given, faulty):
		return agrees // where NaN shows depends on the program
	}
	return differs
}

// same reports whether two answers are the same except for digits.
func (a *asked[Q, A]) same(given, faulty A) bool {
	if a.alike != nil {
		return a.alike(given, faulty)
	}
	return alike(given, faulty, a.scale(&a.q))
}

// pick returns which of the stage's questions number i of n is, so that the classes come in order: a
// fifth ordinary, a fifth scaled, the rest degenerate. The turn counts the questions of the same case and class
// before it.
func pick(cases []caseName, i, n int) (index int, class Class, turn int) {
	ordinary := (n + 4) / 5
	scaled := n / 5
	class = Degenerate
	from := ordinary + scaled
	switch {
	case i < ordinary:
		class, from = Ordinary, 0
	case i < ordinary+scaled:
		class, from = Scaled, ordinary
	}
	var of []int
	for k, c := range cases {
		if c.class == class || class == Scaled && c.class == Ordinary {
			of = append(of, k)
		}
	}
	return of[(i-from)%len(of)], class, (i - from) / len(of)
}

// Options choose an exam of a stage.
type Options struct {
	Count int    // of questions; zero means the stage's
	Seed  uint64 // another one gives other questions

	// Folder is where the files of questions are: scenes, which the caller writes, see [Exam.SceneFile], and
	// pictures, which the learner's program writes. Empty means that there are no scenes, and pictures in the
	// working directory.
	Folder string

	// Scenes are those whose pictures the stage picture asks for; none means its own. Each is named after its
	// file, and has nothing that [Usable] refuses.
	Scenes []*follow.Prepared
}

// MaxCount is how many questions an exam has at most.
const MaxCount = 10_000_000

// Exam is the questions of a stage and what became of them.
type Exam struct {
	Stage *Stage
	opt   Options
	cases []caseName

	answered []bool
	answers  int
	right    int
	wrong    map[int]answer // those on which mistakes are tried
	wrongs   map[Class]int
	first    int // the lowest number of a wrong answer, -1 if none exists
	lines    int // read so far

	firstAnswer answer // that one
}

// Exam returns the questions that the options choose. The error says that there are too many.
func (s *Stage) Exam(opt Options) (*Exam, error) {
	if opt.Count == 0 {
		opt.Count = s.Count
	}
	if s.Name == pictureName && len(opt.Scenes) > 0 {
		opt.Count = len(opt.Scenes)
	}
	if opt.Count < 1 || opt.Count > MaxCount {
		return nil, fmt.Errorf("an exam has 1 to %d questions, got %d", MaxCount, opt.Count)
	}
	return &Exam{
		Stage: s, opt: opt, cases: s.kind.cases(), first: -1,
		answered: make([]bool, opt.Count), wrong: make(map[int]answer), wrongs: make(map[Class]int),
	}, nil
}

// Len returns the number of questions.
func (e *Exam) Len() int { return e.opt.Count }

// Question returns a question, 0 <= i < Len(), as one line of JSON without its end.
func (e *Exam) Question(i int) ([]byte, error) { return e.question(i).line() }

// WriteQuestions writes all questions, each as one line of JSON, and calls done after each. It returns the first error
// of w, or the cause of ctx if that ends first.
func (e *Exam) WriteQuestions(ctx context.Context, w io.Writer, done func()) error {
	for i := range e.Len() {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		line, err := e.Question(i)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		done()
	}
	return nil
}

func (e *Exam) question(i int) question {
	index, head := e.head(i)
	d := newDice(&e.opt, i)
	_, _, d.turn = pick(e.cases, i, e.opt.Count)
	if head.Class == Scaled {
		d.rescale()
	}
	return e.Stage.kind.question(d, index, head)
}

// head returns what begins a question, and which of the stage's questions it is.
func (e *Exam) head(i int) (index int, h Head) {
	index, class, _ := pick(e.cases, i, e.opt.Count)
	if e.Stage.Name == pictureName && len(e.opt.Scenes) > 0 {
		return index, Head{i, e.Stage.Name, Ordinary, "a scene of yours"}
	}
	return index, Head{i, e.Stage.Name, class, e.cases[index].name}
}

// HasScenes reports whether questions of the exam are about whole scenes.
func (e *Exam) HasScenes() bool { return e.Stage.Name == "mirror" || e.Stage.Name == pictureName }

// SceneFile returns the scene of a question and the name of the file that the question gives for it; false if
// none exists, or if it is the user's.
func (e *Exam) SceneFile(i int) (name, text string, ok bool) {
	if e.opt.Folder == "" {
		return "", "", false
	}
	switch q := e.question(i).(type) {
	case *asked[mirrorQuestion, light]:
		return q.q.file, q.q.text, true
	case *asked[pictureQuestion, painting]:
		return q.q.file, q.q.text, q.q.text != ""
	}
	return "", "", false
}

// Usable returns an error if a scene has what the course leaves out.
func Usable(s *scene.Scene) error { return checkScene(s) }
