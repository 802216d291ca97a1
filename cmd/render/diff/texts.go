package diff

import "pillbox/figure"

// AnnotationsRecord is the JSON about changed annotations.
type AnnotationsRecord struct {
	Changes   []textChangeRecord `json:"changes"`
	Elsewhere int                `json:"elsewhere"` // pixels that differ outside the annotations; -1 if the sizes differ
}

type textChangeRecord struct {
	Kind string      `json:"kind"`
	Text string      `json:"text"` // describes the change
	Want *textRecord `json:"want"` // null if the annotation is new
	Got  *textRecord `json:"got"`  // null if it is gone
}

// textRecord is the text of an annotation and the middle of its box, in pixels.
type textRecord struct {
	Text string     `json:"text"`
	At   [2]float64 `json:"at"`
}

// NewAnnotationsRecord returns nil if d is nil.
func NewAnnotationsRecord(d *figure.Difference) *AnnotationsRecord {
	if d == nil {
		return nil
	}
	record := &AnnotationsRecord{Elsewhere: d.Elsewhere}
	of := func(e *figure.Entry) *textRecord {
		if e == nil {
			return nil
		}
		return &textRecord{e.Text, [2]float64{e.X, e.Y}}
	}
	for _, c := range d.Changes {
		record.Changes = append(record.Changes, textChangeRecord{c.Kind, c.String(), of(c.Want), of(c.Got)})
	}
	return record
}
