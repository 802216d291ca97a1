package web_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"pillbox/internal/course"
	"pillbox/internal/course/classroom"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/web"
)

// script returns text as a JavaScript string.
func script(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// openCourse opens a stage of the course. If program is not empty, it replaces the program in the editor.
func openCourse(t *testing.T, url, stage, program string, l look) *page {
	t.Helper()
	p := open(t, url+"/#course="+stage, l)
	p.wait(`document.getElementById("course-editor")?.editor`)
	if program != "" {
		p.program(program)
	}
	return p
}

// program replaces the program in the editor by text.
func (p *page) program(text string) {
	p.Helper()
	eval[any](p, `document.getElementById("course-editor").editor.replace(`+script(text)+`)`)
}

// graded runs the program in the editor and returns the text of the result.
func (p *page) graded() string {
	p.Helper()
	eval[any](p, `{ delete document.getElementById("course-result").dataset.done; }`)
	p.click("#course-run")
	p.wait(`document.getElementById("course-result").dataset.done`)
	return eval[string](p, `document.getElementById("course-result").innerText`)
}

// report returns the text of the verdict.
func (p *page) report() string {
	p.Helper()
	return eval[string](p, `document.querySelector("#course-verdict .report")?.textContent ?? ""`)
}

// solutions returns a program for the page that solves all stages up to the given one.
func solutions(stage string) string {
	var all []string
	for _, s := range classroom.Stages() {
		all = append(all, s.Solution)
		if s.Name == stage {
			break
		}
	}
	return strings.Join(all, "\n")
}

// grader builds the program `render`, which grades exported programs, and returns its path.
func grader(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	return fixture.Program(t, "render", t.TempDir())
}

// words returns text with single spaces between words, because `render grade` wraps lines.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestCourseVerdicts compares the verdict of the page with that of `render grade` for the exported program, for a
// right program and for one with a known mistake. In place of the command that derives the first wrong answer, the
// page must link to the playground. The picture must show the first pixel that differs.
func TestCourseVerdicts(t *testing.T) {
	url := serve(t, nil)
	p := openCourse(t, url, "sphere", "", look{})
	render := grader(t)
	file := filepath.Join(t.TempDir(), "tracer.mjs")
	right := solutions("sphere")
	wrong := strings.Replace(right, "unit(sub(p, s.center))", "unit(sub(s.center, p))", 1)
	for _, c := range []struct{ stage, program, says, pixels string }{
		{"sphere", right, "passed: all 300 answers are right", "All 5400 pixels are as expected"},
		{"sphere", wrong, "the opposite of the normals is used", "pixels differ; the first is pixel"},
		{"picture", solutions("picture"), "passed: all 6 answers are right", "All 5400 pixels are as expected"},
		{"picture", strings.Replace(solutions("picture"), "3 * (y * width + x)", "3 * ((height - 1 - y) * width + x)", 1), "upside down", "pixels differ; the first is pixel"},
	} {
		eval[any](p, `{ location.hash = "course=`+c.stage+`"; }`)
		p.wait(`document.getElementById("course-stage").value === "` + c.stage + `"`)
		p.program(c.program)
		text := p.graded()
		names := eval[int](p, `document.querySelectorAll("#course-verdict .look-name").length`)
		if named := eval[string](p, `document.getElementById("course-named")?.textContent ?? ""`); (names > 0) != strings.Contains(named, c.says) {
			t.Errorf("%s: %d mistakes have names; at the top stands %q", c.stage, names, named)
		}
		if !strings.Contains(text, c.says) || !strings.Contains(text, c.pixels) {
			t.Errorf("%s: %s, want %q and %q", c.stage, text, c.says, c.pixels)
		}
		p.must(os.WriteFile(file, []byte(eval[string](p, `import("/js/course/program.js").then(({ exported }) => exported(document.getElementById("course-editor").editor.text))`)), 0o666))
		out, _ := exec.Command(render, "grade", c.stage, "--timeout", "100", "--", "node", file).Output() // it fails for wrong answers
		got, want := words(p.report()), words(string(out))
		if c.stage == "picture" { // the question contains names of files
			got, _, _ = strings.Cut(got, "question")
			want, _, _ = strings.Cut(want, "question")
		}
		want, _, derives := strings.Cut(want, " This derives the question:")
		if linked := eval[bool](p, `!!document.getElementById("course-derive")`); linked != derives && c.stage != "picture" {
			t.Errorf("%s: the page links to a derivation: %v, want %v", c.stage, linked, derives)
		}
		if got != want || want == "" {
			t.Errorf("%s: the page says\n%s\nrender grade says\n%s", c.stage, got, want)
		}
	}
	for _, stage := range []string{"sphere", "picture"} {
		if !eval[bool](p, `[...document.getElementById("course-stage").options].some((o) => o.value === "`+stage+`" && o.textContent.endsWith("✓"))`) {
			t.Errorf("%s is not marked as passed", stage)
		}
	}
}

// TestCourseDerivations checks the link below a wrong answer in every stage. It must open the playground with the
// scene and the query of the derivation.
func TestCourseDerivations(t *testing.T) {
	p := openCourse(t, serve(t, nil), "sphere&count=20", "", look{})
	begun := eval[string](p, `import("/js/course/program.js").then(({ FIRST, has, stub }) => [...document.getElementById("course-stage").options].reduce((text, { value }) => (has(text, value) ? text : text + "\n" + stub(value)), FIRST))`)
	for _, s := range course.AllStages() {
		count := min(20, s.Count/2) // whole pictures take long
		eval[any](p, fmt.Sprintf(`{ location.hash = "course=%s&count=%d"; }`, s.Name, count))
		p.wait(`!document.getElementById("course").hidden && document.getElementById("course-stage").value === "` + s.Name + `"`)
		p.program(begun)
		if got := p.graded(); strings.Contains(got, "This derives") || !strings.Contains(got, "in the playground") {
			t.Errorf("%s: %s", s.Name, got)
			continue
		}
		eval[any](p, `{ document.getElementById("why").dataset.state = ""; }`)
		p.click("#course-derive")
		p.wait(`document.getElementById("course").hidden && document.querySelector("#sections details, #brief p") && document.getElementById("why").dataset.state === "answer" && ` + whole)
		if got := eval[string](p, `document.getElementById("verdict").textContent`); strings.Contains(got, "error") {
			t.Errorf("%s: the scene has %s", s.Name, got)
		}
	}
}

// TestCourseFiguresAreReadable checks that the figures of the stages are drawn for the width and the colors of the page, in a
// narrow and in a wide window: with the letters that the engine chooses for this width, and without scrolling. Figures
// that no command of a lesson draws are pictures.
func TestCourseFiguresAreReadable(t *testing.T) {
	url := serve(t, nil)
	drawn := 0
	for _, l := range []look{{}, {width: 390, height: 844, dark: true}} {
		p := open(t, url+"/#course=sphere", l)
		for _, s := range course.AllStages() {
			eval[any](p, fmt.Sprintf(`{ location.hash = "course=%s"; }`, s.Name))
			p.wait(fmt.Sprintf(`document.getElementById("course-stage")?.value === %q && document.querySelector("#course-chapter .figure img")?.naturalWidth`, s.Name))
			const frame = `document.querySelector("#course-chapter .figure > div")`
			if eval[bool](p, frame+`.scrollWidth > `+frame+`.clientWidth || document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%+v, %s: the figure is wider than its frame", l, s.Name)
			}
			if eval[string](p, frame+`.querySelector("img").alt`) == "" {
				t.Errorf("%s: the figure is not described", s.Name)
			}
			if !eval[bool](p, frame+`.matches(".drawn")`) {
				continue
			}
			drawn++
			want := eval[float64](p, `(async () => {
				const call = async (name, body) => (await fetch("/api/" + name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();
				const { lessons } = await call("scenes", {});
				const { title, scene, figure, ...body } = lessons.flatMap(({ examples }) => examples).find(({ figure }) => figure?.file === `+frame+`.dataset.file);
				const width = `+frame+`.clientWidth;
				const { svg } = await call("diagram", { ...body, kind: figure.kind, shown: width < 900 ? width : 0 });
				return Math.round(Number(svg.match(/width="([0-9.]+)"/)[1]));
			})()`)
			if got := eval[float64](p, frame+`.querySelector("img").naturalWidth`); got != want {
				t.Errorf("%+v, %s: the figure has %g columns, the engine draws %g for this width", l, s.Name, got, want)
			}
		}
	}
	if drawn < 2*10 {
		t.Errorf("only %d figures are drawn", drawn)
	}
}

// TestCourseSeedAndWatch checks that another seed gives other questions. It also checks the option to grade a
// program whenever the reader stops typing.
func TestCourseSeedAndWatch(t *testing.T) {
	p := openCourse(t, serve(t, nil), "ahead&count=30", "answer.ahead = () => ({ t: 1 });", look{})
	first := p.graded()
	if !strings.Contains(first, " of 30 answers are right") {
		t.Errorf("with count=30: %s", first)
	}
	eval[any](p, `(() => { const seed = document.getElementById("course-seed"); seed.value = 7; seed.dispatchEvent(new Event("change")); })()`)
	p.wait(`location.hash.includes("seed=7")`)
	if second := p.graded(); second == first {
		t.Error("another seed gives the same questions")
	}
	eval[any](p, `{ delete document.getElementById("course-result").dataset.done; document.getElementById("course-watch").checked = true; }`)
	p.program(solutions("ahead"))
	p.wait(`document.getElementById("course-result").dataset.done`)
	if got := p.report(); !strings.Contains(got, "passed: all 30 answers are right") {
		t.Errorf("while typing: %s", got)
	}
	if eval[bool](p, `document.getElementById("course-stage").selectedOptions[0].textContent.endsWith("✓")`) {
		t.Error("30 questions suffice to pass the stage")
	}
}

// TestCourseFailures runs programs that fail in many ways. The page must state what is wrong and in which line.
func TestCourseFailures(t *testing.T) {
	p := openCourse(t, serve(t, nil), "ahead&timeout=1", "", look{})
	for _, c := range []struct{ what, program, says string }{
		{"a loop", "answer.ahead = () => {\n  for (;;) {}\n};", "gave no answer for 1 second and was ended, at question 0 (ordinary: "},
		{"a loop later", "answer.ahead = ({ id }) => {\n  while (id > 2) {}\n  return { t: null };\n};", "3 of 1300 questions are answered, the first without an answer has the id 3 (ordinary: box: anywhere)"},
		{"a loop at the beginning", "while (true) {}", "gave no answer for 1 second"},
		{"an exception", "\nanswer.ahead = (q) => {\n  return q.none.t;\n};", "Line 3: TypeError: Cannot read properties of undefined (reading 't'), at question 0"},
		{"an exception at the beginning", "\n\nnothing();", "Line 3: ReferenceError: nothing is not defined"},
		{"a thrown text", "answer.ahead = () => {\n  throw 'so what';\n};", "Line 2: so what"},
		{"a deep recursion", "const f = (n) => 1 + f(n);\nanswer.ahead = () => f(0);", "Line 1: RangeError: Maximum call stack size exceeded"},
		{"a syntax error", "answer.ahead = () => {\n  let = 3 +;\n};", "Line 2: SyntaxError"},
		{"an open bracket", "answer.ahead = () => {\n  return { t: 1 };", "Line 2: SyntaxError"},
		{"an open comment", "answer.ahead = () => ({ t: 1 });\n/*", "Line 2: SyntaxError"},
		{"an import", "import { dot } from './vectors.mjs';\nanswer.ahead = () => ({ t: null });", "Line 1: SyntaxError: Cannot use import statement outside a module"},
		{"a big integer", "answer.ahead = () => ({ t: 1n });", "TypeError: Do not know how to serialize a BigInt, at question 0"},
		{"async", "answer.ahead = async () => ({ t: 1 });", "must not be async"},
		{"no function", "const ahead = 1;", "The program has no function answer.ahead."},
		{"another answer", "const answer = { ahead: 3 };", "The program has no function answer.ahead."},
		{"no answer", "answer.ahead = () => {};", "t: is missing"},
		{"a sloppy variable", "answer.ahead = () => {\n  x = 1;\n};", "Line 2: ReferenceError: x is not defined"},
		{"fetch", "answer.ahead = () => {\n  fetch('" + "http://127.0.0.1:1/" + "');\n};", "Line 2: ReferenceError: fetch is not defined"},
		{"storage", "answer.ahead = () => {\n\n  indexedDB.open('x');\n};", "Line 3: ReferenceError: indexedDB is not defined"},
		{"the page", "answer.ahead = () => document.title;", "Line 1: ReferenceError: document is not defined"},
		{"output", "console.log('begun', [1, NaN, { a: -0 }], undefined);\nanswer.ahead = () => ({ t: null });", "begun [1, NaN, { a: -0 }] undefined"},
	} {
		p.program(c.program)
		if got := p.graded(); !strings.Contains(got, c.says) {
			t.Errorf("%s: %s, want %q", c.what, got, c.says)
		}
		if n := eval[int](p, `document.querySelectorAll("iframe").length`); n != 0 {
			t.Errorf("%s: %d programs are still running", c.what, n)
		}
	}
	p.program("answer.ahead = () => {\n  return null.x;\n};")
	p.graded()
	p.click("#course-go")
	p.wait(`document.getElementById("course-editor").shadowRoot.querySelector(".cm-activeLine").textContent.includes("null.x")`)
	p.click("#course-run") // the second click stops it
	p.wait(`document.getElementById("course-result").dataset.done`)

	p.program("answer.ahead = () => { for (;;) {} };")
	eval[any](p, `{ location.hash = "course=ahead"; delete document.getElementById("course-result").dataset.done; }`)
	p.click("#course-run")
	p.wait(`document.querySelector("iframe")`)
	p.click("#course-run")
	p.wait(`document.getElementById("course-result").dataset.done`)
	if got := eval[string](p, `document.getElementById("course-result").innerText`); !strings.Contains(got, "You stopped the program") {
		t.Errorf("stopped: %s", got)
	}
}

// TestCourseIsConfined runs a program that finds the network functions that the page has removed. It must not be
// able to connect, even from its own worker, because the browser itself refuses connections.
func TestCourseIsConfined(t *testing.T) {
	inner := handler(t, nil)
	var reached atomic.Bool
	url := httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/secret") {
			reached.Store(true)
			w.Header().Set("Content-Type", "text/javascript")
			return
		}
		inner.ServeHTTP(w, r)
	}))
	p := openCourse(t, url, "sphere", "", look{})
	p.expected = "Content Security Policy"
	for _, program := range []string{
		`fetch("URL/secret").then(() => postMessage("done"), () => postMessage("refused"))`,
		`import("URL/secret.js").then(() => postMessage("done"), () => postMessage("refused"))`,
		`try { importScripts("URL/secret.js"); postMessage("done"); } catch { postMessage("refused"); }`,
		`const x = new XMLHttpRequest(); x.open("GET", "URL/secret"); x.onload = () => postMessage("done"); x.onerror = () => postMessage("refused"); x.send()`,
		`const s = new EventSource("URL/secret"); s.onerror = () => postMessage("refused")`,
		`const w = new Worker(URL.createObjectURL(new Blob(['fetch("URL/secret").then(() => postMessage("done"), () => postMessage("refused"))']))); w.onmessage = ({ data }) => postMessage(data)`,
		`eval("1"); postMessage("done")`,
	} {
		program = strings.ReplaceAll(program, "URL/", url+"/")
		got := eval[string](p, `import("/js/course/sandbox.js").then(({ confined }) => new Promise((resolve) => {
			const worker = confined(`+script(program)+`);
			const end = (text) => { worker.terminate(); resolve(text); };
			worker.onmessage = ({ data }) => end(data);
			worker.onerror = (event) => { event.preventDefault(); end("refused"); };
		}))`)
		if got != "refused" {
			t.Errorf("%s: %s", program, got)
		}
	}
	if reached.Load() {
		t.Error("a program reached the server")
	}
}

// TestCourseGlobals lists all names that a program can reach from the global object. None must give access to storage,
// files or connections: only the names that sandbox.js allows remain, with the names that all objects have.
func TestCourseGlobals(t *testing.T) {
	p := openCourse(t, serve(t, nil), "sphere", "", look{})
	program := `const names = new Set();
		for (let o = globalThis; o; o = Object.getPrototypeOf(o)) Reflect.ownKeys(o).filter((key) => typeof globalThis[key] !== "number").forEach((key) => names.add(String(key)));
		console.log([...names].join(" "));`
	names := strings.Fields(eval[string](p, `import("/js/course/sandbox.js").then(({ confined, script }) => new Promise((resolve) => {
		const worker = confined(script(`+script(program)+`).source);
		const end = (text) => { worker.terminate(); resolve(text); };
		worker.onmessage = ({ data }) => end(data.log);
		worker.onerror = (event) => { event.preventDefault(); end("error " + event.message); };
	}))`))
	allowed := strings.Fields(eval[string](p, `import("/js/course/sandbox.js").then(({ ALLOWED }) => ALLOWED.join(" ") + " " + Object.getOwnPropertyNames(Object.prototype).join(" "))`))
	for _, name := range names {
		if !slices.Contains(allowed, name) && name != "answer" && name != "writePNG" && !strings.HasPrefix(name, "Symbol(") {
			t.Errorf("a program can reach %s", name)
		}
	}
	if !slices.Contains(names, "Math") || !slices.Contains(names, "writePNG") {
		t.Errorf("the names are %q", names)
	}
}

// TestCourseKeeps checks that the program and the visible hints survive a reload. The hints must be those of
// `render grade --hint`.
func TestCourseKeeps(t *testing.T) {
	p := openCourse(t, serve(t, nil), "box", "", look{})
	if eval[bool](p, `document.getElementById("course-missing").hidden`) {
		t.Error("the page does not say that a function is missing")
	}
	p.click("#course-add")
	if !eval[bool](p, `document.getElementById("course-missing").hidden`) {
		t.Error("the page says that the added function is missing")
	}
	text := eval[string](p, `document.getElementById("course-editor").editor.text`)
	if !strings.Contains(text, "answer.sphere = ") || !strings.Contains(text, "answer.box = ({ origin, direction, center, half_extents, axes }) => {") {
		t.Errorf("the program is %s", text)
	}
	box, _ := course.Find("box")
	for i, hint := range box.Hints() {
		shown := `document.getElementById("course-steps").innerText`
		if strings.Contains(eval[string](p, shown), hint) {
			t.Errorf("hint %d is shown before it is asked for", i+1)
		}
		p.click("#course-reveal")
		if got := eval[string](p, shown); !strings.Contains(got, hint) {
			t.Errorf("hint %d: %s", i+1, got)
		}
	}
	p.click("#course-reveal")
	p.do(chromedp.Reload())
	p.wait(`document.getElementById("course-editor")?.editor`)
	if got := eval[string](p, `document.getElementById("course-editor").editor.text`); got != text {
		t.Errorf("after a reload: %s", got)
	}
	if got := eval[string](p, `document.getElementById("course-steps").innerText`); !strings.Contains(got, box.Hints()[2]) || !strings.Contains(got, "t_near") || strings.Contains(got, "answer.box = ") {
		t.Errorf("after a reload: %s", got)
	}
	p.click("#course-reveal")
	if got := eval[string](p, `document.getElementById("course-steps").innerText`); !strings.Contains(got, "answer.box = ") || eval[bool](p, `!!document.getElementById("course-reveal")`) {
		t.Errorf("the solution is %s", got)
	}

	// An exported program can be opened again.
	if got := eval[string](p, `import("/js/course/program.js").then(({ exported, opened }) => opened(exported(document.getElementById("course-editor").editor.text)))`); got != text {
		t.Errorf("opened again: %s", got)
	}

	// The keys have their functions in the course.
	p.program("answer.box = () => {};")
	eval[any](p, `document.getElementById("course-run").focus()`)
	scene := p.text()
	p.key("z", chromedp.ModifierCtrl)
	p.key("\r", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("course-result").dataset.done`)
	if got := p.report(); !strings.Contains(got, "count: is missing") || p.text() != scene {
		t.Errorf("%s, the scene is %q", got, p.text())
	}

	// The playground is as it was before.
	p.click("#course-close")
	p.wait(`document.getElementById("course").hidden && document.getElementById("editor").editor.text.includes("[[")`)
	p.click("#course-open")
	p.wait(`!document.getElementById("course").hidden`)
	if stage := eval[string](p, `document.getElementById("course-stage").value`); stage != "box" || !strings.Contains(p.report(), "count: is missing") {
		t.Errorf("the course comes back at the stage %s, with %q", stage, p.report())
	}
	eval[any](p, `history.back()`)
	p.wait(`document.getElementById("course").hidden`)
}

// TestCourseExports checks that exported programs answer all questions of every stage. The answers of the solutions
// must be right, and those of the page's starting programs wrong.
func TestCourseExports(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("runs every stage; needs -effort all")
	}
	render := grader(t)
	folder := t.TempDir()
	source, err := fs.ReadFile(web.Files(), "js/course/program.js")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("program.mjs", string(source))
	var names []string
	for _, s := range course.AllStages() {
		names = append(names, s.Name)
	}
	text, _ := json.Marshal(map[string]any{"solution": solutions(""), "names": names})
	out, err := exec.Command("node", write("export.mjs", `import { FIRST, exported, has, stub } from "./program.mjs";
import { writeFileSync } from "node:fs";
const { solution, names } = `+string(text)+`;
const begun = FIRST + names.filter((name) => !has(FIRST, name)).map(stub).join("\n");
if (!names.every((name) => has(begun, name))) throw new Error("a stage has no beginning");
writeFileSync(new URL("solution.mjs", import.meta.url), exported("console.log('begun');\n" + solution));
writeFileSync(new URL("begun.mjs", import.meta.url), exported(begun));`)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(render, "grade", "all", "--extra", "--count", "10", "--timeout", "100", "--", "node", filepath.Join(folder, "solution.mjs")).CombinedOutput(); err != nil || strings.Count(string(out), "passed:") != len(names) {
		t.Errorf("solutions: %v: %s", err, out)
	}
	for _, name := range names {
		out, _ := exec.Command(render, "grade", name, "--count", "10", "--json", "--timeout", "100", "--", "node", filepath.Join(folder, "begun.mjs")).Output()
		var v struct {
			course.Verdict
			Failure string
		}
		if err := json.Unmarshal(out, &v); err != nil || v.Failure != "" || v.Passed || v.Answered != v.Questions {
			t.Errorf("%s: %v, %.300s", name, err, out)
		}
	}
}

// courseStates opens the course in several states. In each, it calls the function that begin returned for the page,
// with the name of the state.
func courseStates(t *testing.T, l look, begin func(p *page) func(moment string)) {
	t.Helper()
	p := openCourse(t, serve(t, nil), "sphere&timeout=1", "", l) // a server of its own, so that nothing is stored
	p.wait(`document.querySelector("#course-chapter img")?.naturalWidth > 0`)
	look := begin(p)
	look("begin")
	p.click("#course-protocol summary")
	for range 4 {
		p.click("#course-reveal")
	}
	look("hints")
	p.click("#course-reveal")
	look("solution")
	p.program("console.log('length', [3, 4], Math.hypot(3, 4));\n" + strings.Replace(solutions("sphere"), "unit(sub(p, s.center))", "unit(sub(s.center, p))", 1))
	p.graded()
	look("wrong")
	p.click("#course-tab-program")
	look("program")
	p.program(solutions("sphere"))
	p.graded()
	look("passed")
	p.program("answer.sphere = (q) => {\n  return q.none.t;\n};")
	p.graded()
	look("exception")
	p.click("#course-go")
	look("line")
	p.program("answer.sphere = () => {\n  for (;;) {}\n};")
	p.graded()
	look("loop")
	eval[any](p, `{ location.hash = "course=mirror"; }`)
	p.wait(`document.getElementById("course-stage").value === "mirror"`)
	p.click("#course-tab-program")
	look("missing")
}
