package model

import (
	"bufio"
	"fmt"
	"path"
	"strings"
	"unicode"

	"pillbox/scene"
)

// maxTableBytes is the size from which rows go into a further file. A bulk file may have twice that.
const maxTableBytes = scene.MaxBulkBytes / 2

// bulks writes tables of the kinds of which there are many.
func (e *writer) bulks(array func(string), p *Part) {
	if e.tables.Create == nil {
		return
	}
	if n := len(p.Spheres); n > bulky {
		e.bulk(array, p.Name, "sphere", n, []string{"x", "y", "z", "radius"}, func(i int) ([]float64, Label) {
			s := &p.Spheres[i]
			return []float64{s.Center.X, s.Center.Y, s.Center.Z, s.Radius}, s.Label
		})
	}
	if n := len(p.Capsules); n > bulky {
		e.bulk(array, p.Name, "capsule", n, []string{"ax", "ay", "az", "bx", "by", "bz", "radius"}, func(i int) ([]float64, Label) {
			c := &p.Capsules[i]
			return []float64{c.A.X, c.A.Y, c.A.Z, c.B.X, c.B.Y, c.B.Z, c.Radius}, c.Label
		})
	}
	if n := len(p.Boxes); n > bulky {
		e.bulk(array, p.Name, "box", n, []string{"x", "y", "z", "hx", "hy", "hz", "qw", "qx", "qy", "qz"}, func(i int) ([]float64, Label) {
			b := &p.Boxes[i]
			q := b.Rotation.Unit()
			return []float64{b.Center.X, b.Center.Y, b.Center.Z, b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z, q.W, q.X, q.Y, q.Z}, b.Label
		})
	}
}

// bulk writes n solids of a kind to files, and the tables that name these.
func (e *writer) bulk(array func(string), part, shape string, n int, columns []string, row func(int) ([]float64, Label)) {
	for i := 0; i < n && e.err == nil; {
		name := e.fileName(part, shape)
		array("bulk")
		e.text("file", name)
		e.text("shape", shape)
		to, err := e.tables.Create(name)
		if err != nil {
			e.err = err
			return
		}
		w := bufio.NewWriterSize(to, 1<<16)
		line := append([]byte(strings.Join(columns, ",")), ",material,color,name\n"...)
		for size := 0; i < n && size < maxTableBytes; i++ {
			size += len(line)
			w.Write(line)
			numbers, label := row(i)
			line = appendRow(line[:0], numbers, label, e.known)
		}
		w.Write(line)
		e.err = w.Flush()
	}
}

func appendRow(line []byte, numbers []float64, label Label, known map[string]bool) []byte {
	for _, x := range numbers {
		line = append(appendNumber(line, x), ',')
	}
	color := label.Color
	if known[label.Material] {
		color = ""
		line = appendField(line, label.Material)
	}
	line = append(line, ',')
	line = append(append(line, color...), ',')
	return append(appendField(line, label.Name), '\n')
}

// appendField appends a text as RFC 4180 has it.
func appendField(line []byte, text string) []byte {
	text = clean(text)
	if strings.ContainsAny(text, `",`) {
		return append(append(append(line, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
	}
	return append(line, text...)
}

// fileName returns a name for a file that no other has.
func (e *writer) fileName(part, shape string) string {
	simple := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}
	stem := path.Base(e.tables.Prefix)
	if part != "" {
		const most = 40 // characters, as file systems have an end to names
		letters := []rune(strings.Map(simple, part))
		stem += "-" + string(letters[:min(len(letters), most)])
	}
	plural := map[string]string{"sphere": "spheres", "capsule": "capsules", "box": "boxes"}[shape]
	for n := 1; ; n++ {
		name := stem + "-" + plural + ".csv"
		if n > 1 {
			name = fmt.Sprintf("%s-%s-%d.csv", stem, plural, n)
		}
		if key := strings.ToLower(name); !e.files[key] {
			e.files[key] = true
			return name
		}
	}
}
