//go:build js && wasm

// Command wasm is the playground's engine in a Web Worker: package play, compiled for js/wasm.
//
// It passes an object to globalThis.onPillbox. The object's method call(name, request, onFrame) answers a
// request of package play, given as JSON, and returns {status, body}: an HTTP status, and the answer or the
// failure as JSON. A render request calls onFrame with each frame, a Uint8Array of its own. A call returns
// only when its request is done, and a worker handles one call at a time. So the page starts several
// workers and gives each a part of the picture.
package main

import (
	"context"
	"syscall/js"

	"pillbox/internal/play"
)

// statusDone is the HTTP status of an answer without an error.
const statusDone = 200

func main() {
	engine := play.New(play.Options{Name: "wasm", Version: "render (wasm)"})
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) < 2 || args[0].Type() != js.TypeString || args[1].Type() != js.TypeString {
			return js.ValueOf(map[string]any{"status": play.StatusMalformed, "body": `{"error":{"message":"want a name and a request"}}`})
		}
		status, body := answer(engine, args)
		return js.ValueOf(map[string]any{"status": status, "body": body})
	})
	js.Global().Call("onPillbox", map[string]any{"call": call})
	select {}
}

// answer returns the answer to a request: an HTTP status and the body. args are the arguments of the page's
// call.
func answer(engine *play.Engine, args []js.Value) (status int, body string) {
	emit := func(frame []byte) error {
		if len(args) > 2 && args[2].Type() == js.TypeFunction {
			array := js.Global().Get("Uint8Array").New(len(frame))
			js.CopyBytesToJS(array, frame)
			args[2].Invoke(array)
		}
		return nil
	}
	data, err := engine.Answer(context.Background(), args[0].String(), []byte(args[1].String()), emit)
	if err != nil {
		failure := play.FailureOf(err)
		if failure.Status == play.StatusBroken {
			js.Global().Get("console").Call("error", err.Error())
		}
		return failure.Status, string(failure.JSON())
	}
	return statusDone, string(data)
}
