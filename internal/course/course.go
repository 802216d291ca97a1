// Package course generates the questions of a course in which a learner writes a ray tracer. It judges the answers and
// identifies typical mistakes.
//
// The course has stages, from a ray and a sphere to whole pictures. A [Stage] generates an [Exam], which is a number of
// questions. Each question is a pure function of the stage, the [Options] and the question's number. The learner's
// program receives the questions as lines of JSON and answers with lines of JSON. [Exam.Judge] judges one answer, and
// [Exam.Verdict] summarizes all. The package runs no program and reads no clock.
//
// The right answers are computed by the packages that render: shapes, exact, camera, shade and follow.
//
// # Tolerances
//
// Every number of an answer is judged with [Leeway], a fraction of a distance. Let D be the largest distance between
// two points of the question or from the world's origin, and let e = Leeway D. An answer about a line and a solid is
// right if it is right for a solid that is grown or shrunk by at most e. A distance along the line may differ by
// another e. So the tolerance is proportional to the lengths in the question, and never a fixed length. It also grows
// with the question's condition number: if a line is nearly tangent to a surface, both a hit and a miss are right.
//
// Colors are sums of products, and are judged relative to the total light. Colors seen in mirrors may differ by four
// times as much as they change when the ray is moved by e, plus a small constant.
//
// # Mistakes
//
// A [Mistake] is a hypothesis about the learner's program. In the stage picture, known mistakes have one or more variants:
// faulty ways to compute the answer, or changes to the question or to the right answer. In all other stages, a mistake is a
// wrong step of a textbook program. If some answers are wrong, every variant, and every program with a wrong step, answers
// the same questions, but at most 2000 of them. The verdict names a mistake that behaves like the learner on nearly all questions:
// it is right where the learner is right, and gives the same wrong answer where the learner is wrong.
//
// Before that, the verdict tries programs that keep a value from one question to the next (see kept.go).
//
// If no single mistake fits that well, the verdict names two mistakes that fit together, if each explains answers that
// the other one does not.
//
// If no mistake fits well, the verdict looks for suspects: textbook solutions of the stage in which one step is wrong
// (see program.go), and slips with one number or vector of the question. The suspects are generated from the steps of the
// solutions, and from what can go wrong in a step of each kind, such as exchanged operands, a missing factor, a wrong sign
// or a reversed comparison. If several suspects fit equally well, the verdict names the likeliest ones.
// If none fits, the verdict looks for two causes that explain the answers together (see together.go).
//
// If no suspect fits either, the verdict accepts a mistake that differs from the learner only in normals or in a few kinds
// of degenerate questions. If nothing fits, it states what the wrong answers have in common: how a field differs from the
// right one, and in which questions.
//
// Conventions: y is up, directions have unit length, colors in questions are sRGB, and colors in answers are linear. A
// Stage is immutable. One goroutine may request questions of an Exam while another one judges answers.
package course

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"slices"
	"sync"

	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Leeway is the tolerance for a learner's answer, as a fraction of the largest distance in the question. A careful formula
// has a rounding error of at most [shapes.Slack], 2^-47. The textbook formula has a discriminant that is a difference of
// squares, so its error is larger by a factor: the distance divided by the radius. This factor is at most 64 in the
// ordinary questions, so a Leeway of 64 times Slack accepts the textbook formula there, but not at larger distances.
const Leeway = 64 * shapes.Slack

// Class is a group of questions by difficulty. An exam has the classes in the order of these constants.
type Class string

const (
	Ordinary   Class = "ordinary"   // lengths around 1
	Scaled     Class = "scaled"     // lengths 10^3 to 10^13 times larger or smaller
	Degenerate Class = "degenerate" // tangent, inside, behind, parallel, on a surface, through an edge, of zero length; nearly so
)

// Classes returns the classes in the order of an exam.
func Classes() []Class { return []Class{Ordinary, Scaled, Degenerate} }

// Stage is a step of the course.
type Stage struct {
	Name   string      // used in questions and on the command line
	Lesson string      // the page in docs/lessons that explains the stage
	Count  int         // the default number of questions of an exam
	kind   func() kind // makes the questions and mistakes of the stage when they are first needed
}

// Stages returns the stages of the course, in order.
func Stages() []*Stage {
	return []*Stage{
		{"sphere", "sphere.md", 300, sync.OnceValue(sphereStage)},
		{"box", "box.md", 500, sync.OnceValue(boxStage)},
		{"capsule", "capsule.md", 400, sync.OnceValue(capsuleStage)},
		{"ahead", "sphere.md#from-inside", 1300, sync.OnceValue(aheadStage)},
		{"segment", "segment.md", 400, sync.OnceValue(segmentStage)},
		{"overlap", "exact.md", 1500, sync.OnceValue(overlapStage)},
		{"nearest", "tree.md", 1400, sync.OnceValue(nearestStage)},
		{"camera", "camera.md", 300, sync.OnceValue(cameraStage)},
		{"lambert", "lambert.md", 400, sync.OnceValue(lambertStage)},
		{"shadow", "shadows.md", 2000, sync.OnceValue(shadowStage)},
		{"mirror", "mirrors.md", 700, sync.OnceValue(mirrorStage)},
		{pictureName, "antialiasing.md", 6, sync.OnceValue(pictureStage)},
	}
}

// ExtraStages returns the optional stages.
func ExtraStages() []*Stage {
	return []*Stage{
		{"cylinder", "cylinder.md", 1100, sync.OnceValue(cylinderStage)},
		{"cut", cutLesson, 1100, sync.OnceValue(cutStage)},
	}
}

// AllStages returns the stages of the course, followed by the optional ones.
func AllStages() []*Stage { return append(Stages(), ExtraStages()...) }

// pictureName is the name of the stage whose questions may be about the user's scenes.
const pictureName = "picture"

// Find returns the stage with the given name, or false. It also finds optional stages.
func Find(name string) (*Stage, bool) {
	all := AllStages()
	i := slices.IndexFunc(all, func(s *Stage) bool { return s.Name == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// Mistakes returns the known mistakes of this stage.
func (s *Stage) Mistakes() []Mistake { return s.kind().mistakes() }

// Mistake describes a known mistake.
type Mistake struct {
	Name   string `json:"name"`   // a few words
	Advice string `json:"advice"` // what goes wrong, and what to do instead
	Lesson string `json:"lesson"` // the page in docs/lessons about it, with an anchor if it has one
}

// kind is the implementation of a stage, independent of the types of its questions and answers.
type kind interface {
	mistakes() []Mistake
	changeable() []int // the mistakes that are changes of the question or the answer, in ascending order
	cases() []caseName
	randomMistakes() []Mistake
	alwaysRandom(mistake int) bool // reports whether a random mistake must explain all wrong answers
	sortsOfRandom(mistake int) int // the number of sorts of wrong answers that a random mistake must cause
	keeperMistakes() []Mistake
	keeper(k int) func(q question, fields answer, wrong bool) fit // compares the answers of keeper k with the learner's, for all questions in order
	suspects() []Mistake
	odd(suspect int) int      // how unlikely a suspect is, 0 or more
	isNamed(suspect int) bool // a suspect is a slip with a name of its own
	coarse() bool             // answers are so few words that wrong ones are easily alike
	loosens() bool            // a loose comparison differs from a strict one: see stageOf.loosen
	featureNames() []string
	question(d *dice, i int, h Head) question
	grid() image.Point
	pixel(d *dice, at image.Point, h Head) question
}

// caseName identifies a kind of question within a class.
type caseName struct {
	class Class
	name  string
}

// question is one question of an exam.
type question interface {
	// line encodes the question as JSON.
	line() ([]byte, error)

	// judge returns the first error in an answer, or nil.
	judge(fields answer) *problem

	// unreadable returns the first error in the format of an answer, or nil. nan is true if the error is a number that
	// is NaN or null.
	unreadable(fields answer) (p *problem, nan bool)

	// expected returns the right answer.
	expected() any

	// faulty returns the answer of a program that has the mistakes of a hypothesis.
	faulty(h hypothesis) any

	// fits compares the learner's answer with the answer of a program that makes the mistakes of the hypothesis h. The
	// argument wrong states whether the learner's answer is wrong.
	fits(h hypothesis, fields answer, wrong bool) fit

	// effect compares the learner's answer with the answer of a program that has several causes; see together.go.
	effect(causes []int, fields answer, wrong bool) effect

	// suspect compares the learner's answer with the answer of suspect k, a textbook program with one wrong step. If loose is
	// true, it ignores parts of the answer that are wrong only because other parts are.
	suspect(k int, fields answer, wrong, loose bool) fit

	// almostRight reports whether a wrong answer is right to about six digits.
	almostRight(fields answer) bool

	// hasFeature reports whether the question has feature i of the stage, such as "the line misses the solid".
	hasFeature(i int) bool

	// mayBeRandom reports whether a wrong answer may come from the random mistake with the given index: a mistake whose
	// answers depend on how the program rounds, so that they cannot be predicted.
	mayBeRandom(mistake int, fields answer) bool

	// sortOfRandom returns the sort of a wrong answer for which mayBeRandom returns true.
	sortOfRandom(mistake int, fields answer) int

	// explain returns a command that derives the right answer.
	explain() Derivation

	// color returns the color that an answer gives to the pixel of a canvas. It returns false if numbers are missing or
	// not finite.
	color(at image.Point, fields answer) (shade.Color, bool)

	// rightColor returns the color that the right answer gives to the pixel.
	rightColor(at image.Point) shade.Color
}

// Head contains the fields at the beginning of every question.
type Head struct {
	ID    int    `json:"id"`
	Stage string `json:"stage"`
	Class Class  `json:"class"`
	Case  string `json:"case"` // such as "tangent"
}

// Derivation is a command that derives the answer to a question with all intermediate numbers. It contains the
// arguments for the program render, and its standard input, which may be empty.
type Derivation struct {
	Args  []string `json:"args"`
	Stdin string   `json:"stdin,omitempty"`
}

// stageOf implements a stage with questions Q and answers A. All its functions are pure.
type stageOf[Q, A any] struct {
	asks    []ask[Q]
	solve   func(*Q) A                   // returns the right answer
	read    func(*Q, *reader) A          // decodes an answer of the learner's program
	judge   func(q *Q, given A) *problem // nil if the answer is right
	scale   func(*Q) float64             // the largest length in the question, to which lengths in answers are relative
	derive  func(*Q) Derivation
	alike   func(a, b A) bool // reports whether two answers are equal up to rounding; nil: [alike]
	library []variant[Q, A]
	changes []change[Q, A]
	random  []random[Q, A]
	keepers []keeper[Q, A]
	slips   []change[Q, A] // general slips with the numbers of questions and answers

	books  books[Q, A] // the textbook programs, whose wrong runs are suspects, like the slips: they are tried if no other mistake fits well
	listed sync.Once
	wrongs []suspect[Q, A] // of the books, once listed

	features []feature[Q]

	// If one part of an answer is wrong, other parts may follow from it differently in each program. The function
	// loosen replaces these other parts, so that they do not count in a comparison. It may be nil.
	loosen func(q *Q, a *A)

	pixels pixels[Q, A] // how the stage's answers make a picture

	equal bool // an answer is right only if it equals the right one, with ==
	words bool // answers are single words, so wrong ones are easily alike
}

// random is a mistake whose effect depends on how the program rounds, so a variant cannot reproduce its answers.
type random[Q, A any] struct {
	Mistake
	may    func(q *Q, given A) bool // reports whether the mistake may have caused a wrong answer
	always bool                     // it must explain all wrong answers

	// The mistake causes wrong answers of several sorts: sort returns the sort of an answer, less than sorts, or -1 for an
	// answer that shows none. Each sort must be frequent. If sorts is 0, the answers are not sorted.
	sorts int
	sort  func(q *Q, given A) int
}

// ask generates one kind of question.
type ask[Q any] struct {
	class Class
	name  string
	make  func(*dice) Q
}

// variant is a mistake together with a function that computes the answer of a program with this mistake.
type variant[Q, A any] struct {
	Mistake
	solve func(*Q) A
}

// asked is one question of a stage, with its implementation.
type asked[Q, A any] struct {
	*stageOf[Q, A]
	head Head
	q    Q

	compared *comparedAnswer[A] // nil before the first comparison with a suspect
}

func (s *stageOf[Q, A]) mistakes() []Mistake {
	return slices.Concat(mistakesOf(s.library), mistakesOf(s.changes))
}

// knowns returns the number of known mistakes.
func (s *stageOf[Q, A]) knowns() int { return len(s.library) + len(s.changes) }

func (s *stageOf[Q, A]) suspects() []Mistake {
	return append(mistakesOf(s.slips), mistakesOf(s.textbook())...)
}

func (s *stageOf[Q, A]) coarse() bool { return s.words }

func (s *stageOf[Q, A]) loosens() bool { return s.loosen != nil }

func (s *stageOf[Q, A]) odd(k int) int {
	if k < len(s.slips) {
		return s.slips[k].odd
	}
	return s.textbook()[k-len(s.slips)].odd
}

func (s *stageOf[Q, A]) isNamed(k int) bool {
	return k >= len(s.slips) && s.textbook()[k-len(s.slips)].named
}

// textbook returns the suspects of the stage: textbook programs in which one step is wrong.
func (s *stageOf[Q, A]) textbook() []suspect[Q, A] {
	s.listed.Do(func() {
		if s.books.run != nil {
			s.wrongs = s.books.suspects(s.asks)
		}
	})
	return s.wrongs
}

func (s *stageOf[Q, A]) randomMistakes() []Mistake { return mistakesOf(s.random) }

func (s *stageOf[Q, A]) alwaysRandom(m int) bool { return s.random[m].always }

func (s *stageOf[Q, A]) sortsOfRandom(m int) int { return s.random[m].sorts }

func (s *stageOf[Q, A]) featureNames() []string {
	all := make([]string, len(s.features))
	for i := range s.features {
		all[i] = s.features[i].name
	}
	return all
}

// mistakesOf returns the mistakes of a list.
func mistakesOf[T interface{ mistake() Mistake }](list []T) []Mistake {
	all := make([]Mistake, len(list))
	for i := range list {
		all[i] = list[i].mistake()
	}
	return all
}

func (m Mistake) mistake() Mistake { return m }

func (a *asked[Q, A]) hasFeature(i int) bool { return a.features[i].has(&a.q) }

func (s *stageOf[Q, A]) cases() []caseName {
	all := make([]caseName, len(s.asks))
	for i, a := range s.asks {
		all[i] = caseName{a.class, a.name}
	}
	return all
}

func (s *stageOf[Q, A]) question(d *dice, i int, h Head) question {
	return &asked[Q, A]{stageOf: s, head: h, q: s.asks[i].make(d)}
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

func (a *asked[Q, A]) unreadable(fields answer) (p *problem, nan bool) {
	r := &reader{fields: fields}
	a.read(&a.q, r)
	return cmp.Or(r.problem, r.nan), r.problem == nil
}

func (a *asked[Q, A]) expected() any { return a.solve(&a.q) }

func (a *asked[Q, A]) faulty(h hypothesis) any { return a.faultyAnswer(h) }

func (a *asked[Q, A]) mayBeRandom(mistake int, fields answer) bool {
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	return r.problem == nil && a.random[mistake].may(&a.q, given)
}

func (a *asked[Q, A]) sortOfRandom(mistake int, fields answer) int {
	if a.random[mistake].sorts == 0 {
		return 0
	}
	return a.random[mistake].sort(&a.q, a.read(&a.q, &reader{fields: fields}))
}

func (a *asked[Q, A]) explain() Derivation { return a.derive(&a.q) }

// same reports whether the learner's answer equals a mistake's answer, up to rounding.
func (a *asked[Q, A]) same(given, faulty A) bool {
	if a.alike != nil {
		return a.alike(given, faulty)
	}
	return alike(given, faulty, a.scale(&a.q))
}

// pick returns the kind of question i in an exam of n questions, as an index into cases, and its class. The first
// fifth of an exam is ordinary, the second fifth scaled, and the rest degenerate. The result turn is the number of
// earlier questions of the same kind and class.
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

// Options select an exam of a stage.
type Options struct {
	Count int    // number of questions; zero means the stage's default
	Seed  uint64 // each seed gives different questions

	// Folder is the folder of the files that questions name. The caller must write the scene files there, see
	// [Exam.SceneFile]; the learner's program writes the pictures. If Folder is empty, there are no scene files, and
	// pictures are in the working directory.
	Folder string

	// Picture returns the picture that the learner's program wrote to the file with the given name. If Picture is nil,
	// the file is read.
	Picture func(name string) (image.Image, error)

	// Scenes are the scenes for the stage picture; none means generated ones. Each has the name of its file, and must
	// satisfy [Usable].
	Scenes []*follow.Prepared
}

// MaxCount is the largest number of questions of an exam.
const MaxCount = 10_000_000

// Exam holds the questions of a stage and the results so far.
type Exam struct {
	Stage *Stage
	opt   Options
	cases []caseName

	answered []bool
	answers  int
	right    int
	wrong    map[int]answer // wrong answers by question, of the questions on which mistakes are tried
	wrongs   map[Class]int
	first    int // the lowest number of a question with a wrong answer, or -1
	lines    int // number of lines read

	firstAnswer answer // the wrong answer to question first

	constancy constancy // of the answers to the questions on which mistakes are tried

	canvas bool // the questions are those of a [Canvas]
}

// Exam returns the exam that the options select. It returns an error if the number of questions is negative or more
// than [MaxCount].
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
		Stage: s, opt: opt, cases: s.kind().cases(), first: -1,
		answered: make([]bool, opt.Count), wrong: make(map[int]answer), wrongs: make(map[Class]int),
	}, nil
}

// Len returns the number of questions.
func (e *Exam) Len() int { return e.opt.Count }

// Question returns question i, 0 <= i < Len(), as a line of JSON without a line break.
func (e *Exam) Question(i int) ([]byte, error) { return e.question(i).line() }

// WriteQuestions writes all questions, each as one line of JSON, and calls done after each. It returns the first error,
// or the cause of ctx if ctx ends first.
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
	d := newDice(&e.opt, i)
	if e.canvas {
		at := e.pixelOf(i)
		return e.Stage.kind().pixel(d, at, Head{i, e.Stage.Name, Ordinary, pixelName(at)})
	}
	index, head := e.head(i)
	_, _, d.turn = pick(e.cases, i, e.opt.Count)
	if head.Class == Scaled {
		d.rescale()
	}
	return e.Stage.kind().question(d, index, head)
}

// head returns the first fields of question i, and its kind as an index into cases.
func (e *Exam) head(i int) (index int, h Head) {
	index, class, _ := pick(e.cases, i, e.opt.Count)
	if e.Stage.Name == pictureName && len(e.opt.Scenes) > 0 {
		return index, Head{i, e.Stage.Name, Ordinary, "a scene of yours"}
	}
	return index, Head{i, e.Stage.Name, class, e.cases[index].name}
}

// HasScenes reports whether the exam has questions about whole scenes.
func (e *Exam) HasScenes() bool { return e.Stage.Name == "mirror" || e.Stage.Name == pictureName }

// SceneFile returns the scene of question i, and the file name by which the question refers to it. If the caller
// has no file to write, ok is false. That is the case if Options.Folder is empty, if the question has no scene or
// one of Options.Scenes, and in a canvas for all questions except the first.
func (e *Exam) SceneFile(i int) (name, text string, ok bool) {
	if e.opt.Folder == "" || e.canvas && i > 0 { // a canvas has one scene
		return "", "", false
	}
	switch q := e.question(i).(type) {
	case *asked[mirrorQuestion, light]:
		return q.q.file, q.q.text, true
	case *asked[pictureQuestion, pictureAnswer]:
		return q.q.file, q.q.text, q.q.text != ""
	}
	return "", "", false
}

// Usable returns an error if a scene uses features that the course does not cover.
func Usable(s *scene.Scene) error { return checkScene(s) }
