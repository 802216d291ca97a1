package web_test

import (
	"net/http"
	"slices"
	"testing"
)

// obedientWorker is a script that replaces the worker with the engine. It works on a request until the page
// broadcasts the request's name. Its answer is the number of requests that it has begun.
const obedientWorker = `
let begun = 0, busy = null;
const news = new BroadcastChannel('worker');
const waiting = [];
const proceed = () => {
	if (busy || waiting.length === 0) return;
	busy = waiting.shift();
	if (busy.name === 'break') return postMessage({ broken: 'as requested' });
	begun++;
	news.postMessage({ begins: busy.name });
};
news.onmessage = ({ data }) => {
	if (!busy || data.release !== busy.name) return;
	postMessage({ id: busy.id, status: 200, body: JSON.stringify({ name: busy.name, begun }) });
	busy = null;
	proceed();
};
onmessage = ({ data }) => {
	if (data.module) return;
	waiting.push(data);
	proceed();
};`

// wasmClient is a script of a page that starts a client of obedientWorker. begins(name) waits until a worker begins
// the request. grace() waits longer than an aborted request may take to finish.
const wasmClient = `
	const { WasmClient } = await import("./js/wasm-client.js");
	const news = new BroadcastChannel("worker");
	const seen = [], listeners = [];
	news.onmessage = ({ data }) => { seen.push(data.begins); listeners.forEach((f) => f()); };
	const begins = (name) => new Promise((resolve) => {
		const look = () => { if (seen.includes(name)) resolve(); };
		listeners.push(look);
		look();
	});
	const grace = () => new Promise((resolve) => setTimeout(resolve, 1000)); // longer than the 300 ms after which the client ends a worker
	const release = (name) => news.postMessage({ release: name });
	const client = new WasmClient({});
	const outcome = (call) => call.then((answer) => answer.name + " " + answer.begun, (error) => error.name);
`

func clientPage(t *testing.T) *page {
	t.Helper()
	inner := handler(t, nil)
	return open(t, httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/js/wasm-worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(obedientWorker))
			return
		}
		inner.ServeHTTP(w, r)
	}))+shared(ball), look{})
}

// TestWasmClientAbortsWhatWaits aborts a call that waits for another one. The other one must continue.
func TestWasmClientAbortsWhatWaits(t *testing.T) {
	p := clientPage(t)
	got := eval[[]string](p, `(async () => {`+wasmClient+`
		const wanted = outcome(client.call("wanted", {}));
		await begins("wanted");
		const unwanted = new AbortController();
		const waits = outcome(client.call("unwanted", {}, { signal: unwanted.signal }));
		const last = outcome(client.call("last", {}));
		unwanted.abort();
		await grace();
		release("wanted");
		await begins("last");
		release("last");
		return [await wanted, await waits, await last, seen.join()];
	})()`)
	if want := []string{"wanted 1", "AbortError", "last 2", "wanted,last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWasmClientAbortsWhatRuns aborts the call on which a worker works, and breaks a worker. The next call must get
// another worker.
func TestWasmClientAbortsWhatRuns(t *testing.T) {
	p := clientPage(t)
	got := eval[[]string](p, `(async () => {`+wasmClient+`
		const unwanted = new AbortController();
		const runs = outcome(client.call("unwanted", {}, { signal: unwanted.signal }));
		await begins("unwanted");
		const wanted = outcome(client.call("wanted", {}));
		unwanted.abort();
		await begins("wanted");
		release("wanted");
		const breaks = outcome(client.call("break", {}));
		const last = outcome(client.call("last", {}));
		await begins("last");
		release("last");
		return [await runs, await wanted, await breaks, await last];
	})()`)
	if want := []string{"AbortError", "wanted 1", "Error", "last 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
