package regress

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/tomltext"
)

// equal reports whether two values of a file mean the same. An integer equals a float with the same value.
func equal(a, b any) bool {
	if x, ok := tomltext.NumberOf(a); ok {
		y, ok := tomltext.NumberOf(b)
		return ok && x == y
	}
	switch a := a.(type) {
	case table:
		b, ok := b.(table)
		return ok && maps.EqualFunc(a, b, equal)
	case []table:
		bs, ok := tables(b)
		return ok && slices.EqualFunc(a, bs, func(x, y table) bool { return equal(x, y) })
	case []any:
		if as, ok := tables(a); ok {
			return equal(as, b)
		}
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	}
	switch b.(type) {
	case table, []table, []any:
		return false
	}
	return a == b
}

// tables returns v as an array of tables. It returns false if v is anything else. An empty array counts as
// an array of tables.
func tables(v any) ([]table, bool) {
	switch v := v.(type) {
	case []table:
		return v, true
	case []any:
		list := make([]table, 0, len(v))
		for _, x := range v {
			t, ok := x.(table)
			if !ok {
				return nil, false
			}
			list = append(list, t)
		}
		return list, true
	}
	return nil, false
}

func isEmptyList(v any) bool {
	list, ok := v.([]table)
	return ok && len(list) == 0
}

// sortedKeys returns the keys of both tables, sorted.
func sortedKeys(a, b table) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

func tableRecords(list []table) []record {
	records := make([]record, len(list))
	for i, t := range list {
		r := record{table: func() table { return t }}
		var rest strings.Builder
		for _, key := range sortedKeys(t, nil) {
			if name, ok := t[key].(string); ok && key == "name" {
				r.name = name
			} else {
				fmt.Fprintf(&rest, "%s %v\n", key, t[key])
			}
		}
		r.rest = rest.String()
		records[i] = r
	}
	return records
}

func rowRecords(s *sheet) []record {
	name := slices.Index(s.header, "name")
	records := make([]record, len(s.rows))
	for i, row := range s.rows {
		r := record{table: func() table { return s.table(row) }}
		fields := row.fields
		if name >= 0 {
			r.name = fields[name]
			fields = slices.Delete(slices.Clone(fields), name, name+1)
		}
		r.rest = strings.Join(fields, "\x00")
		records[i] = r
	}
	return records
}
