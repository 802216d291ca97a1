package explain

import (
	"context"
	"errors"
	"strings"

	"pillbox/exact"
	"pillbox/explain"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/scene"
)

// capsuleNumbers is the count of numbers that describe two capsules.
const capsuleNumbers = 14

// explainCapsules explains how two capsules lie relative to each other. They are either two solids of the scene or,
// without a scene, given by numbers.
func (e *explaining) explainCapsules(ctx context.Context) (explain.Explanation, error) {
	if e.scene == "" {
		return e.explainNumbers()
	}
	s, err := e.Load(ctx, e.scene, command.LoadOptions{Moment: e.moment, Theme: e.theme, ThemeHint: e.themeHint(), Exact: true, Unseen: true, Cameraless: true})
	if err != nil {
		return nil, err
	}
	names, err := e.twoNames(s)
	if err != nil {
		return nil, err
	}
	return e.ask(ctx, s, explain.Query{Capsules: &names})
}

func (e *explaining) explainNumbers() (explain.Explanation, error) {
	n, err := numbers(e.capsules, capsuleNumbers)
	if err != nil {
		return nil, cli.Misuse(e.cmd, "--capsules: without a scene it must be A, B and radius of both, %v, got %q", err, e.capsules)
	}
	half := capsuleNumbers / 2
	texts := strings.Split(e.capsules, ",")
	for i, text := range texts {
		_, texts[i], err = exact.ReadDecimal(strings.TrimSpace(text))
		if errors.Is(err, exact.ErrTooLong) {
			return nil, cli.Misuse(e.cmd, "--capsules: a number %v, got %.60q", err, text)
		}
	}
	capsule := func(n []float64, texts []string) exact.Decimal3 {
		return exact.Decimal3{P: [3]float64(n[0:3]), Q: [3]float64(n[3:6]), R: n[6], Text: [7]string(texts)}
	}
	x, err := explain.Capsules([2]string{"capsule 1", "capsule 2"}, capsule(n[:half], texts[:half]), capsule(n[half:], texts[half:]))
	if err != nil {
		return nil, cli.Misuse(e.cmd, "--capsules: %v", err)
	}
	return x, nil
}

// twoNames splits the value of --capsules into the names of two solids, which a comma separates. Because
// names may contain commas, it tries each comma in turn and takes the first for which solids with both
// names exist. Without such a comma, it takes the last one.
func (e *explaining) twoNames(s *scene.Scene) (names [2]string, err error) {
	found := false
	for i, c := range e.capsules {
		if c != ',' {
			continue
		}
		names = [2]string{strings.TrimSpace(e.capsules[:i]), strings.TrimSpace(e.capsules[i+1:])}
		found = true
		_, isFirst := explain.Solid(s, names[0])
		_, isSecond := explain.Solid(s, names[1])
		if isFirst && isSecond {
			break
		}
	}
	if !found {
		return names, cli.Misuse(e.cmd, "--capsules: must be NAME,NAME, got %q", e.capsules)
	}
	return names, nil
}
