//go:build js && wasm

// Command course is the engine of the course in a Web Worker: package classroom, compiled for js/wasm. The page loads it
// only when the course is opened.
//
// It passes an object to globalThis.onPillbox, as internal/play/wasm does. Its method call(name, request) answers a request of
// package classroom.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"syscall/js"

	"pillbox/internal/course/classroom"
)

// HTTP statuses of answers.
const (
	statusDone      = 200
	statusMalformed = 400
	statusBroken    = 500
)

func main() {
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		status, body := statusMalformed, failure("want a name and a request")
		if len(args) >= 2 && args[0].Type() == js.TypeString && args[1].Type() == js.TypeString {
			status, body = answer(args[0].String(), args[1].String())
		}
		return js.ValueOf(map[string]any{"status": status, "body": body})
	})
	js.Global().Call("onPillbox", map[string]any{"call": call})
	select {}
}

// answer returns the answer to the request with the given name: an HTTP status and the body.
func answer(name, request string) (status int, body string) {
	data, err := classroom.Answer(context.Background(), name, []byte(request))
	var malformed *classroom.Error
	switch {
	case errors.As(err, &malformed):
		return statusMalformed, failure(malformed.Message)
	case err != nil:
		js.Global().Get("console").Call("error", err.Error())
		return statusBroken, failure("internal error; see the console of the browser")
	}
	return statusDone, string(data)
}

// failure returns the body of an answer that is an error.
func failure(message string) string {
	data, err := json.Marshal(map[string]any{"error": map[string]string{"message": message}})
	if err != nil {
		panic(err) // it holds plain values only
	}
	return string(data)
}
