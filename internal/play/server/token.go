package server

import (
	"crypto/rand"
	"fmt"
	"html"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
)

// LeastToken is the smallest length of a token: 16 hexadecimal digits have 64 bits.
const LeastToken = 16

// NewToken returns a random token.
func NewToken() string { return rand.Text() }

// IsToken reports whether a text is long enough for a secret and consists of characters allowed in an address.
func IsToken(text string) bool {
	isPlain := func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '-' || r == '_'
	}
	return len(text) >= LeastToken && !strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) })
}

// ReadToken returns the first kibibyte of a file, without surrounding space. It does not check that this is a token.
func ReadToken(name string) (string, error) {
	const most = 1 << 10
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	return strings.TrimSpace(string(data)), err
}

// PageURL returns the URL of the page on a server that listens at the given address, with the token. If the server listens
// at all addresses of the machine, the URL is for this machine.
func PageURL(listens net.Addr, token string) string {
	host := listens.String()
	if tcp, ok := listens.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		host = fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	u := url.URL{Scheme: "http", Host: host, Path: "/", Fragment: "token=" + token} // browsers do not send the fragment
	return u.String()
}

// RedirectPage returns a page that redirects to a URL.
func RedirectPage(url string) string {
	u := html.EscapeString(url)
	return fmt.Sprintf("<!doctype html>\n<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">Open the page</a>\n", u, u)
}
