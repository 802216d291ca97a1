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
