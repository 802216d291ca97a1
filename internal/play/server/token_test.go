package server

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewToken: new tokens are tokens, and differ.
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

// TestIsToken: a token has only characters that a URL contains as they are, and at least LeastToken of them.
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

// TestReadToken: the space around a token does not belong to it, and a large file is not read whole.
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

// TestPageURL: the page of a server at all addresses is opened on this machine.
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

// TestRedirectPage: no URL can add elements to the page.
func TestRedirectPage(t *testing.T) {
	if page := RedirectPage(`http://x/"><script>`); strings.Contains(page, "<script") || strings.Count(page, "http://x/&#34;&gt;&lt;script&gt;") != 2 {
		t.Errorf("%s", page)
	}
}
