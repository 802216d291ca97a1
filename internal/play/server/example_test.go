package server_test

import (
	"fmt"
	"net/http/httptest"
	"testing/fstest"

	"pillbox/internal/play"
	"pillbox/internal/play/server"
)

func Example() {
	h, err := server.NewHandler(server.Options{
		Engine: play.New(play.Options{Name: "http"}),
		Pages:  fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()
	r := httptest.NewRequest("GET", "http://attacker.example/", nil) // a name that an attacker has resolve to this machine
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code)
	// Output: 403
}
