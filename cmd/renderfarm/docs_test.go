//go:build !js && !plan9

package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
)

// documented returns the code blocks in docs/farm.md that are marked with the given language.
func documented(t *testing.T, language string) []string {
	t.Helper()
	data, err := os.ReadFile("../../docs/farm.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile("(?s)\n```"+language+"\n(.*?)\n```\n").FindAllStringSubmatch(string(data), -1) {
		all = append(all, m[1])
	}
	if len(all) == 0 {
		t.Fatalf("docs/farm.md has no block in %s", language)
	}
	return all
}

// checkCommand returns an error if renderfarm does not accept the arguments args. It does not run the command.
func checkCommand(args []string) error {
	p := &program{connected(io.Discard, io.Discard)}
	cmd, rest, err := p.command().Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// manifest holds the fields of a Kubernetes object that the test uses.
type manifest struct {
	Kind     string
	Metadata named
	Data     map[string]string `yaml:"stringData"`
	Spec     struct {
		Selector yaml.Node
		Ports    []struct{ Port int }
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Containers []container
				Volumes    []volume
			}
		}
		Claims []struct{ Metadata named } `yaml:"volumeClaimTemplates"`
	}
}

type named struct{ Name string }

type container struct {
	Command, Args []string
	Mounts        []struct {
		Name string
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type volume struct {
	Name   string
	Secret struct {
		Name  string                       `yaml:"secretName"`
		Items []struct{ Key, Path string } // nil: all, by their keys
	}
}

// has reports whether the volume mounts a secret that contains the given file. secrets holds the data of each
// secret by the secret's name and the data's key.
func (v *volume) has(file string, secrets map[string]map[string]string) bool {
	data, key := secrets[v.Secret.Name], file
	if v.Secret.Items != nil {
		key = ""
		for _, item := range v.Secret.Items {
			if item.Path == file {
				key = item.Key
			}
		}
	}
	_, ok := data[key]
	return ok
}

// manifests decodes the Kubernetes objects in text, which is YAML.
func manifests(t *testing.T, text string) []manifest {
	t.Helper()
	var all []manifest
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var m manifest
		err := d.Decode(&m)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		all = append(all, m)
	}
}

// checkManifests returns the problems of the Kubernetes objects all: unknown commands or flags, undefined volumes,
// files that are not in their volume, addresses without a service, and labels without a pod.
func checkManifests(all []manifest) (problems []string) {
	complain := func(m manifest, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s %s: ", m.Kind, m.Metadata.Name)+fmt.Sprintf(format, args...))
	}
	secrets := make(map[string]map[string]string)
	var pods []map[string]string
	served := make(map[string]bool) // URLs of services
	for _, m := range all {
		pods = append(pods, m.Spec.Template.Metadata.Labels)
		switch m.Kind {
		case "Secret":
			secrets[m.Metadata.Name] = m.Data
		case "Service":
			for _, p := range m.Spec.Ports {
				served[fmt.Sprintf("nats://%s:%d", m.Metadata.Name, p.Port)] = true
			}
		}
	}
	for _, m := range all {
		var labels map[string]string
		var selector struct {
			Match map[string]string `yaml:"matchLabels"`
		}
		if m.Kind == "Service" {
			_ = m.Spec.Selector.Decode(&labels)
			if !slices.ContainsFunc(pods, func(p map[string]string) bool { return len(p) > 0 && contains(p, labels) }) {
				complain(m, "no pod has the labels %v", labels)
			}
		} else if _ = m.Spec.Selector.Decode(&selector); !contains(m.Spec.Template.Metadata.Labels, selector.Match) {
			complain(m, "its pods do not have the labels %v", selector.Match)
		}
		volumes := make(map[string]volume)
		for _, v := range m.Spec.Template.Spec.Volumes {
			volumes[v.Name] = v
		}
		for _, c := range m.Spec.Claims {
			volumes[c.Metadata.Name] = volume{}
		}
		for _, c := range m.Spec.Template.Spec.Containers {
			mounted := make(map[string]volume)
			for _, at := range c.Mounts {
				v, ok := volumes[at.Name]
				if !ok {
					complain(m, "there is no volume %s", at.Name)
				}
				mounted[at.Path] = v
			}
			if len(c.Args) == 0 || c.Args[0] != "renderfarm" {
				continue // the containers for shards run the program render
			}
			if err := checkCommand(c.Args[1:]); err != nil {
				complain(m, "%v", err)
			}
			for _, arg := range c.Args {
				if strings.HasPrefix(arg, "nats://") && !served[arg] {
					complain(m, "no service has the address %s", arg)
				}
				if !path.IsAbs(arg) {
					continue
				}
				v, here := mounted[arg]
				in, inside := mounted[path.Dir(arg)]
				if !here && !(inside && in.has(path.Base(arg), secrets)) || here && v.Secret.Name != "" {
					complain(m, "%s is not in a volume", arg)
				}
			}
		}
	}
	return problems
}

// contains reports whether the map all has every entry of the map some.
func contains(all, some map[string]string) bool {
	for key, value := range maps.All(some) {
		if all[key] != value {
			return false
		}
	}
	return true
}

// TestDocsKubernetes checks that the Kubernetes objects in docs/farm.md refer to each other correctly, and that
// their commands exist.
func TestDocsKubernetes(t *testing.T) {
	for _, text := range documented(t, "yaml") {
		for _, problem := range checkManifests(manifests(t, text)) {
			t.Error(problem)
		}
	}
	farm := documented(t, "yaml")[0]
	for old, wrong := range map[string]string{
		"--token-file":         "--token",
		"/farm/token,":         "/farm/tokens,",
		"mountPath: /store":    "mountPath: /stores",
		"nats://farm:4222":     "nats://farms:4222",
		"{port: 4222}":         "{port: 4223}",
		"{name: store}":        "{name: stores}",
		"{app: farm-server}\n": "{app: farm-servers}\n",
		"renderfarm, serve":    "renderfarm, server",
		"secretName: farm}":    "secretName: farms}",
		"{key: worker-token,":  "{key: worker,",
		"path: worker-token}":  "path: token}",
	} {
		broken := strings.Replace(farm, old, wrong, 1)
		if broken == farm {
			t.Errorf("docs/farm.md does not have %q", old)
		}
		if len(checkManifests(manifests(t, broken))) == 0 {
			t.Errorf("%q instead of %q is not noticed", wrong, old)
		}
	}
}

// TestDocsSlurm checks that the Slurm scripts in docs/farm.md are valid, and that renderfarm has the commands in
// them.
func TestDocsSlurm(t *testing.T) {
	commands := 0
	for _, text := range documented(t, "sh") {
		if bash, err := exec.LookPath("bash"); err == nil {
			check := exec.Command(bash, "-n")
			check.Stdin = strings.NewReader(text)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%v: %s in:\n%s", err, bytes.TrimSpace(out), text)
			}
		}
		if !strings.HasPrefix(text, "#!/bin/bash\n#SBATCH ") {
			t.Errorf("Slurm does not take this for a script:\n%s", text)
		}
		for line := range strings.Lines(text) {
			words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
			if i := slices.Index(words, "renderfarm"); i >= 0 {
				commands++
				for k, word := range words {
					if word == "$SLURM_CPUS_PER_TASK" {
						words[k] = "4"
					}
				}
				if err := checkCommand(words[i+1:]); err != nil {
					t.Errorf("%s: %v", strings.TrimSpace(line), err)
				}
			}
		}
	}
	if commands == 0 {
		t.Error("there is no command of renderfarm")
	}
}

// freeAddress returns a local address on which no program listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// TestDocsWalk runs the commands of the section "A walk" in docs/farm.md.
func TestDocsWalk(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it builds two programs")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is missing")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fixture.Program(t, "render", dir)
	fixture.Program(t, "renderfarm", dir)
	if err := os.Symlink(filepath.Join(root, "scenes"), filepath.Join(dir, "scenes")); err != nil {
		t.Skip(err)
	}
	steps := documented(t, "bash")
	if len(steps) != 2 {
		t.Fatalf("docs/farm.md has %d steps, want 2", len(steps))
	}
	page := freeAddress(t)
	server := freeAddress(t)
	addresses := strings.NewReplacer("127.0.0.1:8080", page, "127.0.0.1:4222", server, "renderfarm serve", "renderfarm serve --listen "+server)
	run := exec.Command(bash, "-c", "set -em\ntrap 'kill %1 %2' EXIT\n"+addresses.Replace(steps[0]+"\nread -r _ || true\n"+steps[1]))
	run.Dir = dir
	var said bytes.Buffer
	run.Stdout, run.Stderr = &said, &said
	goOn, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for range 600 {
		if answer, err := http.Get("http://" + page); err == nil {
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if seen = string(body); strings.Contains(seen, "demo.toml") {
				break
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	goOn.Close()
	if err := run.Wait(); err != nil {
		t.Errorf("%v\n%s", err, said.String())
	}
	if !strings.Contains(seen, "demo.toml") {
		t.Errorf("the status page does not show the job: %s", seen)
	}
	for _, args := range []string{"scenes/demo.toml --width 320 -o demo.png", "animate scenes/demo.toml --turntable 1 --fps 4 --width 160 -o demo.gif"} {
		name := args[strings.LastIndexByte(args, ' ')+1:]
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("%v\n%s", err, said.String())
		}
		alone := exec.Command(filepath.Join(dir, "render"), strings.Fields(strings.Replace(args, name, "alone-"+name, 1))...)
		alone.Dir = dir
		if out, err := alone.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if want, err := os.ReadFile(filepath.Join(dir, "alone-"+name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another file, %v", name, err)
		}
	}
}
