package main

import (
	"errors"
	"path/filepath"

	"pillbox/regress"
	"pillbox/scene"
)

// goldenRecord is what --json prints. What does not exist is null or "".
type goldenRecord struct {
	Name     string          `json:"name"`
	Scene    string          `json:"scene"`
	Golden   string          `json:"golden"`
	Verdict  verdict         `json:"verdict"`
	Pending  bool            `json:"pending"`
	Error    string          `json:"error"`
	Problems []*scene.Error  `json:"problems"` // of the scene
	Diff     *diffRecord     `json:"diff"`
	Why      *regress.Report `json:"why"`
	Reason   string          `json:"reason"`  // the sidecar's
	Current  bool            `json:"current"` // the accepted scene is an exact copy of the present one
	Accept   string          `json:"accept"`  // the command that accepts it
}

func (g *goldens) record(j *judgement) goldenRecord {
	r := goldenRecord{
		Name:     j.name,
		Scene:    filepath.ToSlash(j.scene),
		Golden:   filepath.ToSlash(j.picture()),
		Verdict:  j.verdict,
		Pending:  j.verdict.pending(),
		Problems: []*scene.Error{},
		Why:      j.why,
		Reason:   j.rules.Reason,
		Current:  j.current,
	}
	if j.err != nil {
		r.Error = j.err.Error()
		var problems scene.Errors
		if errors.As(j.err, &problems) {
			r.Problems = problems
		}
	}
	if j.diff.Differing > 0 || j.verdict == resized {
		diff := newDiffRecord(j.diff)
		if j.flip != nil {
			diff.FLIP = &flipRecord{j.flip.Mean, j.flip.P99}
		}
		r.Diff = &diff
	}
	if j.verdict.pending() {
		r.Accept = g.acceptCommand(&j.reference)
	}
	return r
}
