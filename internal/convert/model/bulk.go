package model

import (
	"bufio"
	"fmt"
	"path"
	"strings"
	"unicode"

	"pillbox/scene"
)

// maxTableBytes is the size after which the method bulk starts a new file. A bulk file may have twice this size.
const maxTableBytes = scene.MaxBulkBytes / 2

// bulk writes solids of a part to bulk files, and the tables that name these files.
func (e *writer) bulk(prefix, part string, k kind) {
	for i := 0; i < k.len() && e.Err == nil; {
		name := e.fileName(part, k.kind())
		e.array(prefix, "bulk")
		e.text("file", name)
		e.text("shape", k.kind().String())
		to, err := e.tables.Create(name)
		if err != nil {
			e.Fail(err)
			return
		}
		w := bufio.NewWriterSize(to, 1<<16)
		line := append([]byte(strings.Join(k.columns(), ",")), ",material,color,name\n"...)
		var numbers []float64
		for size := 0; i < k.len() && size < maxTableBytes; i++ {
			size += len(line)
			w.Write(line)
			numbers = k.solidAt(i).row(numbers[:0])
			line = e.appendRow(line[:0], numbers, k.solidAt(i).label())
		}
		w.Write(line)
		e.Fail(w.Flush())
	}
}

func (e *writer) appendRow(line []byte, numbers []float64, label *Label) []byte {
	for _, x := range numbers {
		line = append(appendNumber(line, x), ',')
	}
	material, color := e.look(label)
	line = append(appendField(line, material), ',')
	line = append(append(line, color...), ',')
	return append(appendField(line, label.Name), '\n')
}

// appendField appends a field in the syntax of RFC 4180.
func appendField(line []byte, text string) []byte {
	text = clean(text)
	if strings.ContainsAny(text, `",`) {
		return append(append(append(line, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
	}
	return append(line, text...)
}

// fileName returns a file name that is not taken yet.
func (e *writer) fileName(part string, kind scene.Kind) string {
	simple := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}
	stem := path.Base(e.tables.Prefix)
	if part != "" {
		const most = 40 // characters, because file systems limit the length of names
		letters := []rune(strings.Map(simple, part))
		stem += "-" + string(letters[:min(len(letters), most)])
	}
	plural := kind.Plural()
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
