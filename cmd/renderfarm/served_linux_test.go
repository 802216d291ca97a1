package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"
)

// TestServeAfterFullDisk checks that a server whose disk was full stores messages again by itself, and keeps what it had stored.
func TestServeAfterFullDisk(t *testing.T) {
	full := t.TempDir()
	if err := unix.Mount("tmpfs", full, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(full, unix.MNT_DETACH) })
	address := freeAddress(t)
	startProcess(t, "serve", "--listen", address, "--store", filepath.Join(full, "store"))
	js := streamOn(t, "nats://"+address)
	publish := func(text string) error {
		_, err := js.Publish("full", append([]byte(text), make([]byte, 1<<16)...), nats.AckWait(5*time.Second))
		return err
	}
	if err := publish("before"); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(full, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 64<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	eventually(t, func() bool { return publish("lost") != nil })
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return publish("after") == nil })
	if m, err := js.GetMsg("FULL", 1); err != nil || !strings.HasPrefix(string(m.Data), "before") {
		t.Errorf("the first message is lost: %v", err)
	}
}

// streamOn creates a stream with the subject "full" on a server, which may not have started yet.
func streamOn(t *testing.T, url string) nats.JetStreamContext {
	t.Helper()
	nc, err := nats.Connect(url, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		_, err := js.AddStream(&nats.StreamConfig{Name: "FULL", Subjects: []string{"full"}, Storage: nats.FileStorage})
		return err == nil
	})
	return js
}
