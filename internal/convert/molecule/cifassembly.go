package molecule

import (
	"fmt"
	"strings"

	"pillbox/problem"
)

// readsAssemblies reports whether assemblies are needed. If not, their tables are skipped, even if they contain
// mistakes.
func (m *molecule) readsAssemblies() bool { return m.Assembly != "" || m.listAssemblies }

// assemblyReader returns the reader of a category that describes assemblies.
func assemblyReader(category string) rowReader {
	switch category {
	case "_pdbx_struct_assembly":
		return (*cif).assemblyRow
	case "_pdbx_struct_assembly_gen":
		return (*cif).generatorRow
	}
	return (*cif).operatorRow
}

// assemblyRow reads the description of an assembly.
func (c *cif) assemblyRow() error {
	var details []string
	for _, item := range [...]string{"oligomeric_details", "details"} {
		if text := c.bytes(item); text != nil {
			details = append(details, strings.ReplaceAll(string(text), "_", " "))
		}
	}
	return c.describeAssembly(string(c.bytes("id")), strings.Join(details, ", "))
}

// describeAssembly adds an assembly with a description, unless there are too many.
func (c *cif) describeAssembly(name, details string) error {
	if len(c.assemblies) >= maxAssemblies {
		return c.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("there are more than %d assemblies", maxAssemblies))
	}
	c.assemblyNamed(name).details = shortTitle(details)
	return nil
}

// generatorRow reads which operators make copies of which chains.
func (c *cif) generatorRow() error {
	name := string(c.bytes("assembly_id"))
	if len(c.assemblies) >= maxAssemblies {
		return c.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("there are more than %d assemblies", maxAssemblies))
	}
	g := generator{expression: string(c.bytes("oper_expression")), at: c.Where()}
	if i := c.column("oper_expression"); i >= 0 {
		g.at = c.fields.place(i)
	}
	for unit := range strings.SplitSeq(string(c.bytes("asym_id_list")), ",") {
		if unit = strings.TrimSpace(unit); unit != "" {
			g.units = append(g.units, unit)
		}
	}
	c.addGenerator(name, g)
	return nil
}

// operatorRow reads an operator, which is a movement of chains.
func (c *cif) operatorRow() error {
	if len(c.operators) >= maxChainCopies {
		return c.Wrong(nil, problem.CodeTooLarge, "there are too many operators")
	}
	var rows [3][4]float64
	for i := range rows {
		for k := range rows[i] {
			item := fmt.Sprintf("matrix[%d][%d]", i+1, k+1)
			if k == 3 {
				item = fmt.Sprintf("vector[%d]", i+1)
			}
			if c.bytes(item) == nil {
				return c.Wrong(nil, problem.CodeMissingKey, "_pdbx_struct_oper_list."+item+": missing")
			}
			var err error
			if rows[i][k], err = c.float(item); err != nil {
				return err
			}
		}
	}
	o := operatorOf(rows)
	o.at = c.Where()
	c.operators[string(c.bytes("id"))] = o
	return nil
}
