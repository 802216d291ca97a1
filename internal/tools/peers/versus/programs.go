package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// programs are the paths of the ray tracers; "" if one is not installed.
type programs struct {
	render, embree, povray, tachyon string
	processors                      string // number of processors that Pillbox may use, also for loading and building
}

// findPrograms builds Pillbox and the renderer with Embree in a folder, and looks for the other programs.
func findPrograms(ctx context.Context, dir string, threads int) (*programs, error) {
	p := &programs{render: filepath.Join(dir, "render"), processors: strconv.Itoa(threads)}
	if _, err := p.execute(ctx, "go", "build", "-o", p.render, "./cmd/render"); err != nil {
		return nil, err
	}
	embree := filepath.Join(dir, "embree")
	_, err := p.execute(ctx, "g++", "-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-o", embree, "internal/tools/peers/embree/embree.cpp", "-lembree3", "-lpthread")
	if err == nil {
		p.embree = embree
	} else {
		say("skipped: Embree, which needs libembree-dev 3 and g++; %v", err)
	}
	p.povray = find("povray", "POV-Ray")
	p.tachyon = find("tachyon", "Tachyon")
	return p, ctx.Err()
}

func find(program, name string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		say("skipped: %s, which needs %s", name, program)
		return ""
	}
	return path
}

// execute runs a program and returns its output. If the program fails, the error contains its messages.
func (p *programs) execute(ctx context.Context, program string, args ...string) ([]byte, error) {
	out, _, err := p.timed(ctx, program, args...)
	return out, err
}

// cost is the time that a process took, in seconds.
type cost struct {
	clock     float64 // elapsed time
	processor float64 // time on all processors together
}

// timed is like execute, and also returns the time.
func (p *programs) timed(ctx context.Context, program string, args ...string) ([]byte, cost, error) {
	start := time.Now()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+p.processors)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, cost{}, errors.New("interrupted")
	}
	if err != nil {
		return nil, cost{}, fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, strings.TrimSpace(stderr.String()))
	}
	took := cost{time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	return stdout.Bytes(), took, nil
}

// report is the output of both "render bench" and the renderer with Embree.
type report struct {
	PerPixel float64 `json:"ns_per_pixel"` // of one processor
	Best     float64 `json:"best_s"`
	Build    float64 `json:"build_s"`
	Heap     int64   `json:"heap_bytes"`
}

// benchOurs measures how fast Pillbox renders a scene.
func (b *bench) benchOurs(ctx context.Context, scene string, w work, threads int) (report, error) {
	return measured(b.execute(ctx, b.render, "bench", "--quiet", "--json", scene, "--width", strconv.Itoa(w.width), "--height", strconv.Itoa(w.height),
		"--workers", strconv.Itoa(threads), "--repeat", strconv.Itoa(w.repeat)))
}

// work states how to render a scene, and how often. Only Embree has several variants for mirrors and for cylinders.
type work struct {
	width, height int
	mirrors       string
	bounces       int    // largest number of reflections
	cylinders     string // what replaces cylinders
	samples       string // which rays to a light with a size, or into the sky, Embree traces together
	shadows       bool
	repeat        int
}

// What replaces a cylinder in Embree: see ../embree.
const cylinderFunctions, cylinderPrisms = "functions", "prisms"

// plain returns the work for a random scene.
func (b *bench) plain(shadows bool, repeat int) work {
	return work{b.size.X, b.size.Y, "packets", 0, cylinderFunctions, "point", shadows, repeat}
}

// benchEmbree measures how fast Embree renders a scene. If a file is named, it writes the picture.
func (b *bench) benchEmbree(ctx context.Context, scene string, w work, picture ...string) (report, error) {
	args := []string{scene, strconv.Itoa(w.width), strconv.Itoa(w.height), strconv.Itoa(b.threads), strconv.Itoa(w.repeat), "0", w.mirrors, strconv.Itoa(w.bounces), w.cylinders, w.samples}
	if w.shadows {
		args[5] = "1"
	}
	return measured(b.execute(ctx, b.embree, append(args, picture...)...))
}

func measured(out []byte, err error) (r report, _ error) {
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(out, &r)
}

// task is a whole process from a scene file to a picture file.
type task struct {
	what    quantity
	name    string // of the ray tracer
	program string
	args    []string
	picture string // file name
	decode  func(io.Reader) (*picture, error)
}

// run runs a task and returns its time.
func (p *programs) run(ctx context.Context, t *task) (cost, error) {
	_, took, err := p.timed(ctx, t.program, t.args...)
	return took, err
}

// look runs a task and returns the picture.
func (p *programs) look(ctx context.Context, t *task) (*picture, error) {
	if _, err := p.run(ctx, t); err != nil {
		return nil, err
	}
	return readPicture(t.picture, t.decode)
}

func (b *bench) renderArgs(scene, picture string) []string {
	return []string{"--quiet", scene, "-o", picture, "--workers", strconv.Itoa(b.threads)}
}

func (b *bench) povrayArgs(scene, picture string) []string {
	return []string{"+I" + scene, "+O" + picture, fmt.Sprint("+W", b.size.X), fmt.Sprint("+H", b.size.Y), "-D", "-A", fmt.Sprint("+WT", b.threads)}
}

func (b *bench) tachyonArgs(scene, picture string) []string {
	return []string{scene, "-o", picture, "-numthreads", strconv.Itoa(b.threads), "-fullshade"}
}
