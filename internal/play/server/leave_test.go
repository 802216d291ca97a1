package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pillbox/internal/command"
	"pillbox/internal/course/commands"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
)

// arranged is a scene whose annotations take a minute to arrange: each of many lines is tested against many solids.
func arranged() string {
	return "[image]\nwidth = 400\nheight = 300\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[light]]\ndirection = [0, 0, -1]\n" +
		"[[place]]\npart = \"p\"\ncount = 60000\nstep = { position = [1e-5, 2e-5, 3e-5] }\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" +
		strings.Repeat("[[line]]\nfrom = [-9, 0, -5]\nto = [9, 0.1, 5]\nwidth = 9\ndepth = true\ndash = [0.1, 0.1]\n", 1000)
}

// TestClientsLeave sends each request of the page with a scene that takes a minute for what the request needs most, and leaves
// while it is answered, with further requests behind it or without. All turns must become free.
func TestClientsLeave(t *testing.T) {
	h := handler(t, Options{Engine: play.New(play.Options{Workers: 2}), Others: []*command.Requests{commands.Wing().Requests}})
	s := httptest.NewUnstartedServer(h)
	s.Config, s.Listener = h.Server(), Listener(s.Listener)
	s.Start()
	t.Cleanup(s.Close)
	more := map[string]object{
		"explain": {"pixel": [2]int{200, 150}}, "diagram": {"pixel": [2]int{200, 150}}, "outside": {"pixel": [2]int{200, 150}, "size": [2]int{800, 600}, "samples": 4},
		"predict": {"pixel": [2]int{200, 150}, "prediction": object{"kind": "hit"}}, "probe": {"x": 200, "y": 150}, "camera": {"orbit": [2]int{3, 3}},
		"figure": {"format": "pdf"}, "shift": {"by": [2]int{3, 3}}, "move": {"from": [2]int{200, 150}, "to": [2]int{210, 150}},
		"edit": {"set": []object{{"key": "image.width", "value": 100}}}, "steer": {"ray": [6]int{0, 0, 9, 0, 0, -1}, "from": [2]int{200, 150}, "to": [2]int{210, 150}},
	}
	names := strings.Fields("check plan render probe solids explain diagram outside predict suggest camera move edit steer labels shift figure complete hover")
	for _, name := range names {
		if !h.Engine.Knows(name) {
			t.Fatalf("there is no request %q", name)
		}
		for _, text := range effort.Some(t, 1, []string{arranged(), heavy}) {
			request := object{"text": text, "width": 400, "height": 300}
			if name == "complete" || name == "hover" {
				request = object{"text": text, "position": len(text) / 2}
			}
			for key, value := range more[name] {
				request[key] = value
			}
			leave(t, h, s.Listener.Addr().String(), name, request)
		}
	}
	leave(t, h, s.Listener.Addr().String(), "course/questions", object{"stage": "picture", "count": 3})
}

// leave sends a request, leaves when it has a turn, and waits until no request has one.
func leave(t *testing.T, h *Handler, address, name string, request object) {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	message := fmt.Sprintf("POST /api/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", name, len(data), data)
	for _, behind := range effort.Some(t, 1, []string{"", message}) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, message); err != nil {
			t.Fatal(err)
		}
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _ = io.ReadFull(c, make([]byte, 1))
		}()
		select {
		case <-answered: // it was answered soon, or refused
		case <-time.After(300 * time.Millisecond): // long enough to be in the middle of it
		}
		_, _ = io.WriteString(c, behind)
		c.Close()
		for i := 0; len(h.requests)+len(h.renders)+len(h.working) > 0; i++ {
			if time.Sleep(5 * time.Millisecond); i > 4000 {
				t.Fatalf("%s: %d requests, %d renders and %d others are in progress after the client has left", name, len(h.requests), len(h.renders), len(h.working))
			}
		}
		<-answered
	}
}
