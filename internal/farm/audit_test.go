//go:build !js && !plan9

package farm

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"pillbox"
)

// TestFarmAuditMeanwhile deletes or replaces a result while the coordinator renders the unit for comparison. In the
// end, the unit must have the pixels that the coordinator rendered. No worker takes part.
func TestFarmAuditMeanwhile(t *testing.T) {
	t.Parallel()
	for name, firstIsRight := range map[string]bool{"the result is discarded": false, "a wrong one takes its place": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t).ClientURL()
			f := connectTo(t, Access{URL: url, Lease: time.Hour}) // so that the coordinator does not compare units because it has waited too long
			s, src := crowdSource(t)
			shot, err := NewShot(s, pillbox.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			banned := make(chan struct{}, 2)
			goOn := make(chan struct{})
			j, err := f.Open(t.Context(), src, s, []Shot{shot}, JobOptions{Audit: 1, Cell: image.Pt(90, 70), Log: func(text string) {
				t.Log(text)
				if strings.Contains(text, "is in error") { // logged before judge decides about the unit
					banned <- struct{}{}
					<-goOn
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(j.Close)
			w := j.shots[0][0]
			film, err := j.scenes.render(t.Context(), j.plan.task(w.Unit), 1)
			if err != nil {
				t.Fatal(err)
			}
			right := encode(film)
			film.Image.Pix[0] ^= 1
			wrong := encode(film)
			doubts := func(worker string, data []byte) {
				t.Helper()
				if _, err := f.js.PublishMsg(t.Context(), f.resultMessage(j.group, w.key, worker, data)); err != nil {
					t.Fatal(err)
				}
				wantEventually(t, func() bool {
					j.mu.Lock()
					defer j.mu.Unlock()
					return w.state.hasResult() && w.state.isOpen() && w.worker == worker
				})
			}
			first, other := wrong, right
			if firstIsRight {
				first, other = right, wrong
			}
			doubts("first", first)
			seq := func() uint64 {
				j.mu.Lock()
				defer j.mu.Unlock()
				return w.seq
			}
			compared := make(chan error, 1)
			go func() { compared <- j.compare(w, "other", sumOf(other)) }()
			<-banned
			if err := j.discard(t.Context(), seq()); err != nil {
				t.Fatal(err)
			}
			j.lose(w, seq(), "discarded", "")
			if firstIsRight {
				doubts("second", wrong)
			}
			close(goOn)
			if err := <-compared; err != nil {
				t.Fatal(err)
			}
			j.lose(w, seq(), "discarded", "") // too late
			j.mu.Lock()
			state, own := w.state, w.own
			j.mu.Unlock()
			if state != replaced || !bytes.Equal(own, right) {
				t.Fatalf("the unit is %v with %d bytes of its own", state, len(own))
			}
			wantPicture(t, j)
		})
	}
}
