package server

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewToken checks that new tokens are valid and different.
func TestNewToken(t *testing.T) {
	seen := make(map[string]bool)
	for range 100 {
		token := NewToken()
		if !IsToken(token) || seen[token] {
			t.Errorf("%q is no new token", token)
		}
		seen[token] = true
	}
}

// TestIsToken checks that a valid token has at least LeastToken characters, none of which must be escaped in a URL.
func TestIsToken(t *testing.T) {
	for c := range rune(0x250) {
		token := strings.Repeat("a", LeastToken-1) + string(c)
		plain := url.QueryEscape(token) == token && c != '.' && c != '~'
		if IsToken(token) != plain {
			t.Errorf("IsToken(%q) = %t", token, !plain)
		}
		if short := token[1:]; len(short) < LeastToken && IsToken(short) {
			t.Errorf("%q is long enough", short)
		}
	}
}

// TestReadToken checks that white space around a token in a file is ignored, and that a large file is not read
// completely.
func TestReadToken(t *testing.T) {
	name := filepath.Join(t.TempDir(), "token")
	for text, want := range map[string]string{"": "", " 0123\n": "0123", "a b\r\n": "a b", strings.Repeat("x", 3000): strings.Repeat("x", 1024)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadToken(name); got != want || err != nil {
			t.Errorf("%.20q: %.20q, %v", text, got, err)
		}
	}
	if _, err := ReadToken(name + "x"); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// TestPageURL checks the URL of the page. For a server that listens on all addresses, it must refer to this
// machine.
func TestPageURL(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80":   "http://127.0.0.1:80/#token=abc",
		"0.0.0.0:8080":   "http://127.0.0.1:8080/#token=abc",
		"[::]:8080":      "http://127.0.0.1:8080/#token=abc",
		"[::1]:9":        "http://[::1]:9/#token=abc",
		"192.168.0.7:99": "http://192.168.0.7:99/#token=abc",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := PageURL(tcp, "abc"); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestRedirectPage checks that a URL cannot add elements to the page that redirects to it.
func TestRedirectPage(t *testing.T) {
	if page := RedirectPage(`http://x/"><script>`); strings.Contains(page, "<script") || strings.Count(page, "http://x/&#34;&gt;&lt;script&gt;") != 2 {
		t.Errorf("%s", page)
	}
}
