package suite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/regress"
	"pillbox/problem"
)

func result(name string, v Verdict, err error) *Result {
	return &Result{Reference: Reference{Name: name, Scene: "scenes/" + name + ".toml"}, Verdict: v, Err: err}
}

// inRepository is a [PathFunc] for a working directory p in a repository.
func inRepository(name string) string { return "p/" + name }

func TestGitHubAnnotations(t *testing.T) {
	wrong := problem.Errors{
		{File: "scenes/a.toml", Line: 3, Column: 4, Key: "k", Message: "is wrong", Severity: problem.SeverityError},
		{File: "scenes/a.toml", Line: 5, Column: 6, Key: "k", Message: "is odd", Severity: problem.SeverityWarning},
	}
	got := GitHubAnnotations([]*Result{
		result("fine", Identical, nil),
		result("a", Failed, wrong),
		result("50%, b: c", Failed, errors.New("one\r\ntwo")),
	}, inRepository)
	want := []string{
		"::error file=p/scenes/a.toml,line=3,col=4,title=golden a::k: is wrong",
		"::error file=p/scenes/50%25%2C b%3A c.toml,line=1,title=golden 50%25%2C b%3A c::error: one%0Atwo",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCauseOfFailed checks that reports do not repeat the cause of a failed result that its error already contains.
func TestCauseOfFailed(t *testing.T) {
	const cause = "the camera moved"
	r := result("a", Failed, errors.New("changed: 3 pixels; "+cause+"; disk full"))
	r.Why = &Why{regress.Report{Text: cause, Pixels: 3}}
	for what, text := range map[string]string{
		"String":            r.String(),
		"GitHubAnnotations": strings.Join(GitHubAnnotations([]*Result{r}, inRepository), "\n"),
		"MarkdownSummary":   MarkdownSummary([]*Result{r}, func(*Reference) string { return "" }),
	} {
		if n := strings.Count(text, cause); n != 1 {
			t.Errorf("%s tells the cause %d times: %s", what, n, text)
		}
	}
}

// TestGitHubAnnotationsAtMostTen checks that there are at most ten annotations, because GitHub shows no more per
// step. The last one must count the others.
func TestGitHubAnnotationsAtMostTen(t *testing.T) {
	for _, n := range []int{1, 10, 11, 25} {
		var all []*Result
		for i := range n {
			all = append(all, result(fmt.Sprint(i), New, nil))
		}
		got := GitHubAnnotations(all, inRepository)
		more := fmt.Sprintf("::error title=golden::%d more problems; see the summary", n-9)
		if len(got) != min(n, 10) || (got[len(got)-1] == more) != (n > 10) {
			t.Errorf("%d results: %d annotations, the last %q", n, len(got), got[len(got)-1])
		}
	}
}

func TestMarkdownSummary(t *testing.T) {
	got := MarkdownSummary([]*Result{
		result("fine", Identical, nil),
		result("a|b", New, nil),
		result("broken", Failed, errors.New("<one>\ntwo")),
	}, func(r *Reference) string { return "accept '" + r.Name + "'" })
	const want = `### Golden pictures

3 goldens: 1 error, 1 new, 1 identical

| scene | verdict | what | accept |
|---|---|---|---|
| <code>a&#124;b</code> | new | no picture was accepted yet | <code>accept &#39;a&#124;b&#39;</code> |
| <code>broken</code> | error | &#60;one&#62;<br>two |  |

`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
