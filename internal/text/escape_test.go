package text_test

import (
	"bytes"
	"encoding/json"
	"html"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pillbox/internal/text"
)

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"":                        "",
		`C:\scenes\näch ste.toml`: `C:\scenes\näch ste.toml`,
		"a\nb\r\tc\x00":           `a\nb\r\tc\x00`,
		"\x1b]0;title\a":          `\x1b]0;title\a`,
		"\u009b31m":               `\u009b31m`,
		"\xff\xc3":                `\xff\xc3`,
		"gpj.\u202etoml":          `gpj.\u202etoml`,
		"::error::x":              `\x3a:error::x`,
		"  ::error::x":            `  \x3a:error::x`,
		"a::b":                    "a::b",
		"x##[error]y":             `x#\x23[error]y`,
		"###[":                    `##\x23[`,
	} {
		if got := text.Escape(s); got != want {
			t.Errorf("Escape(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for s, want := range map[string]string{
		"a b.toml":    "a b.toml",
		`say "a".png`: `say "a".png`,
		"a\nb":        `"a\nb"`,
		"::x":         `"::x"`,
		"##[x":        `"#\x23[x"`,
	} {
		if got := text.EscapeName(s); got != want {
			t.Errorf("EscapeName(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestWorkflow(t *testing.T) {
	const s = "100%: a,\r\nb\n\x1b[31m"
	if got, want := text.EscapeWorkflowData(s), `100%25: a,%0Ab%0A\x1b[31m`; got != want {
		t.Errorf("WorkflowData = %s, want %s", got, want)
	}
	if got, want := text.EscapeWorkflowProperty(s), `100%25%3A a%2C%0Ab%0A\x1b[31m`; got != want {
		t.Errorf("WorkflowProperty = %s, want %s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	const s = "[a](https://x.org)|<b>\r\n@me **b** www.x.org"
	const want = "&#91;a&#93;(https&#58;//x.org)&#124;&#60;b&#62;<br>&#64;me &#42;&#42;b&#42;&#42; www&#46;x.org"
	if got := text.EscapeMarkdown(s); got != want {
		t.Errorf("Markdown = %s, want %s", got, want)
	}
}

// FuzzEscape checks what the functions of the package promise, for any text.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"a b.toml", "::error::x\n::", "\x1b[31m\xff\u202e", "##[x]%25,:", "www.x.org", "\U000e0001", "####[", "�"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shown, name := text.Escape(s), text.EscapeName(s)
		wantHarmless(t, "Escape", shown)
		wantHarmless(t, "Name", name)
		if again := text.Escape(shown); again != shown {
			t.Errorf("Escape(%q) = %q, once more %q", s, shown, again)
		}
		if name != s {
			if back, err := strconv.Unquote(name); err != nil || back != s {
				t.Errorf("EscapeName(%q) = %s, which decodes to %q, %v", s, name, back, err)
			}
		}
		data, property := text.EscapeWorkflowData(s), text.EscapeWorkflowProperty(s)
		wantHarmless(t, "a command", "title="+property+"::"+data)
		if strings.ContainsAny(property, ":,") {
			t.Errorf("EscapeWorkflowProperty(%q) = %s", s, property)
		}
		md := text.EscapeMarkdown(s)
		wantHarmless(t, "Markdown", "| "+md)
		plain := strings.ReplaceAll(md, "<br>", "")
		if strings.ContainsAny(plain, "<>|`*_[]@\\") || strings.Contains(plain, "www.") {
			t.Errorf("EscapeMarkdown(%q) = %s", s, md)
		}
		if got, want := html.UnescapeString(plain), text.EscapeWorkflowData(s); got != strings.NewReplacer("%0A", "", "%25", "%").Replace(want) {
			t.Errorf("EscapeMarkdown(%q) shows %q, want %q", s, got, want)
		}
		wantJSON(t, s)
	})
}

// wantHarmless fails the test unless line is printable and is not a workflow command of a CI server.
func wantHarmless(t *testing.T, what, line string) {
	t.Helper()
	bad := func(r rune) bool { return !unicode.IsPrint(r) }
	if !utf8.ValidString(line) || strings.ContainsFunc(line, bad) ||
		strings.Contains(line, "##[") || strings.HasPrefix(strings.TrimSpace(line), "::") {
		t.Errorf("%s gives %q", what, line)
	}
}

// wantJSON fails the test unless the escaped JSON of s has printable lines and decodes to s.
func wantJSON(t *testing.T, s string) {
	t.Helper()
	type value struct{ Text, Other string }
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value{s, "x"}); err != nil {
		t.Fatal(err)
	}
	var want, got value
	escaped := text.EscapeJSON(b.Bytes())
	if err := json.Unmarshal(b.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(escaped, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("EscapeJSON(%s) = %s, which is %v, %v", b.Bytes(), escaped, got, err)
	}
	bad := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' }
	if strings.ContainsFunc(string(escaped), bad) || bytes.Contains(escaped, []byte("##[")) {
		t.Errorf("EscapeJSON(%s) = %q", b.Bytes(), escaped)
	}
}
