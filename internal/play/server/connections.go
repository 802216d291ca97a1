package server

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// maxConnections is the largest number of open connections. Each takes some 20 KB.
const maxConnections = 1024

// A conn is a connection that finds out whether the client sends more while a request is being answered. Package net/http
// reports that the client has left only until the client sends the next request, so a conn ends the request then.
type conn struct {
	net.Conn

	mu    sync.Mutex
	ahead bool   // whether the client has sent more than the present request
	end   func() // ends the present request; nil if there is none
}

// Read implements [net.Conn].
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	// During an answer, net/http reads single bytes to find out whether the client leaves. It reads requests in blocks.
	if n == 1 && len(p) == 1 {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ahead = true; c.end != nil {
			c.end()
		}
	}
	return n, err
}

// watch calls end, at once or later, if the client sends more before stop is called.
func (c *conn) watch(end func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end = end; c.ahead {
		end()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.end = nil
	}
}

// answered is called between two requests.
func (c *conn) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = false
}

// A listener accepts connections of type conn.
type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// Listener returns a listener whose connections are those of l. A request over such a connection ends if the client sends
// another one before the answer: otherwise the server would not notice that the client has left.
func Listener(l net.Listener) net.Listener { return listener{l} }

// alone calls end if the client of a request sends more before stop is called. It does so only for connections of a
// [Listener].
func alone(ctx context.Context, end func()) (stop func()) {
	if c, ok := ctx.Value(connectionKey{}).(*conn); ok {
		return c.watch(end)
	}
	return func() {}
}

// connections bounds the number of open connections of a server. If there are more, it closes the oldest of those that
// carry no admitted request. So clients without the token cannot keep others out by opening connections.
type connections struct {
	most int

	mu   sync.Mutex
	all  map[net.Conn]*list.Element
	idle *list.List // connections without an admitted request, the oldest first
}

func newConnections(most int) *connections {
	return &connections{most: most, all: make(map[net.Conn]*list.Element), idle: list.New()}
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

// keep stores a connection in the context of its requests.
func (c *connections) keep(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// observe follows the states of connections, as the field ConnState of [http.Server].
func (c *connections) observe(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.all[conn] = c.idle.PushBack(conn)
		if oldest := c.idle.Front(); len(c.all) > c.most {
			c.remove(oldest.Value.(net.Conn))
			_ = oldest.Value.(net.Conn).Close() // the server reports the state closed later
		}
	case http.StateIdle:
		if c, ok := conn.(interface{ answered() }); ok {
			c.answered()
		}
		if e, ok := c.all[conn]; ok && e == nil {
			c.all[conn] = c.idle.PushBack(conn)
		}
	case http.StateClosed, http.StateHijacked:
		c.remove(conn)
	}
}

// admit protects a connection until its request is answered.
func (c *connections) admit(ctx context.Context) {
	conn, _ := ctx.Value(connectionKey{}).(net.Conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.all[conn]; e != nil {
		c.idle.Remove(e)
		c.all[conn] = nil
	}
}

func (c *connections) remove(conn net.Conn) {
	if e := c.all[conn]; e != nil {
		c.idle.Remove(e)
	}
	delete(c.all, conn)
}
