package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
)

// TestConnectionFlood opens far more connections than the server keeps, and sends nothing. The server must answer others.
func TestConnectionFlood(t *testing.T) {
	const most = 8
	h := handler(t, Options{Token: "0123456789abcdef"})
	h.open.most = most
	s := serve(t, h)
	for i := range 20 * most {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%most > 0 {
			continue
		}
		answer, err := http.Get(s.URL)
		if err != nil {
			t.Fatalf("after %d connections: %v", i+1, err)
		}
		if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "<!doctype html>page" {
			t.Errorf("after %d connections: %q, %v", i+1, text, err)
		}
		answer.Body.Close()
	}
	h.open.mu.Lock()
	defer h.open.mu.Unlock()
	if n := len(h.open.all); n > most {
		t.Errorf("%d connections, want at most %d", n, most)
	}
}

// TestConnectionsAdmitted checks that a connection with an admitted request is kept, that it can be closed when it is
// idle again, and that the oldest other one is closed first.
func TestConnectionsAdmitted(t *testing.T) {
	c := newConnections(3)
	var conns []net.Conn
	open := func() {
		conn, other := net.Pipe()
		t.Cleanup(func() { other.Close() })
		conns = append(conns, conn)
		c.observe(conn, http.StateNew)
	}
	wantOpen := func(want ...int) {
		t.Helper()
		for i, conn := range conns {
			isWanted := false
			for _, k := range want {
				isWanted = isWanted || k == i
			}
			if _, isOpen := c.all[conn]; isOpen != isWanted {
				t.Errorf("connection %d is open: %v", i, isOpen)
			}
		}
	}
	for range 3 {
		open()
	}
	c.admit(c.keep(context.Background(), conns[0]))
	open()
	wantOpen(0, 2, 3)
	open()
	wantOpen(0, 3, 4)
	c.observe(conns[0], http.StateIdle)
	open()
	wantOpen(0, 4, 5) // 3 is older than 0 among those without a request
	open()
	wantOpen(0, 5, 6)
	open()
	wantOpen(5, 6, 7)
	c.observe(conns[6], http.StateClosed)
	open()
	wantOpen(5, 7, 8)
}
