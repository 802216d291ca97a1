package golden

import (
	"errors"
	"path/filepath"

	"pillbox/cmd/render/diff"
	"pillbox/problem"
	"pillbox/suite"
)

// Record is the JSON that --json prints for a result. Missing values are null or "", and a
// missing list is [].
type Record struct {
	Name     string                  `json:"name"`
	Scene    string                  `json:"scene"`
	Golden   string                  `json:"golden"`
	Verdict  suite.Verdict           `json:"verdict"`
	Pending  bool                    `json:"pending"`
	Error    string                  `json:"error"`
	Problems []*problem.Error        `json:"problems"` // of the scene
	Diff     *diff.Record            `json:"diff"`
	Why      *suite.Why              `json:"why"`
	Damage   []DamageRecord          `json:"damage"`       // of the accepted scene and its files
	Texts    *diff.AnnotationsRecord `json:"annotations"`  // null if none changed, or if it is not known
	Warnings []string                `json:"warnings"`     // about the sidecar
	Reason   string                  `json:"reason"`       // the sidecar's reason
	Current  bool                    `json:"current"`      // the accepted scene is an exact copy of the present one
	Renamed  string                  `json:"renamed_from"` // the golden of a scene that is gone, with the same picture
	Accept   string                  `json:"accept"`       // the command that accepts the reference
	Causes   []CauseRecord           `json:"causes"`       // in the last record only: causes that several goldens have in common
}

// CauseRecord is a [suite.SharedCause] in JSON.
type CauseRecord struct {
	Text    string         `json:"text"`
	File    string         `json:"file"` // "" if the cause is not an edit
	Line    int            `json:"line"` // 0 if the cause is not an edit
	Goldens []ChangeRecord `json:"goldens"`
	Most    []string       `json:"most_changed"` // names, at most three
}

// ChangeRecord is a [suite.Change] in JSON.
type ChangeRecord struct {
	Name    string        `json:"name"`
	Verdict suite.Verdict `json:"verdict"`
	Pixels  int           `json:"pixels"` // -1 if not examined, or if the size changes
}

func causeRecords(causes suite.SharedCauses) []CauseRecord {
	records := []CauseRecord{}
	for _, c := range causes {
		record := CauseRecord{Text: c.Text, File: filepath.ToSlash(c.At.File), Line: c.At.Line}
		for _, change := range c.Changed {
			record.Goldens = append(record.Goldens, ChangeRecord{change.Result.Name, change.Result.Verdict, change.Pixels})
		}
		for _, change := range c.Most() {
			record.Most = append(record.Most, change.Result.Name)
		}
		records = append(records, record)
	}
	return records
}

func (g *goldens) record(r *suite.Result) Record {
	record := Record{
		Name:     r.Name,
		Scene:    filepath.ToSlash(r.Scene),
		Golden:   filepath.ToSlash(r.Picture()),
		Verdict:  r.Verdict,
		Pending:  r.Verdict.Pending(),
		Problems: []*problem.Error{},
		Damage:   damageRecords(r),
		Warnings: append([]string{}, r.Warnings...),
		Why:      r.Why,
		Reason:   r.Rules.Reason,
		Current:  r.Current,
		Renamed:  r.RenamedFrom,
		Causes:   []CauseRecord{},
	}
	if r.Err != nil {
		record.Error = r.Err.Error()
		var problems problem.Errors
		if errors.As(r.Err, &problems) {
			record.Problems = problems
		}
	}
	if r.Diff.Differing > 0 || r.Verdict == suite.Resized {
		d := diff.NewRecord(r.Diff)
		if r.FLIP != nil {
			d.FLIP = diff.NewFLIPRecord(*r.FLIP)
		}
		record.Diff = &d
	}
	record.Texts = diff.NewAnnotationsRecord(r.Annotations)
	if r.Verdict.Pending() {
		record.Accept = g.acceptCommand(&r.Reference)
	}
	return record
}

// DamageRecord is a [suite.Damage] in JSON. A line or column that is not known is 0.
type DamageRecord struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func damageRecords(r *suite.Result) []DamageRecord {
	records := []DamageRecord{}
	for _, d := range r.Damage {
		records = append(records, DamageRecord{filepath.ToSlash(d.File), d.Line, d.Column, d.Text})
	}
	return records
}
