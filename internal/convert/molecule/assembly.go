package molecule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/text"
	"pillbox/problem"
)

// Limits of assemblies. The largest viruses have a few thousand copies of each chain.
const (
	maxAssemblies  = 10_000    // in a file
	maxUnits       = 10_000    // chains in an entry of a PDB file
	maxCopies      = 100_000   // of one chain
	maxChainCopies = 1_000_000 // of all chains, in all assemblies that are computed
)

// operator is a movement of a chain: a matrix and a translation.
type operator struct {
	turn  geom.Mat3
	shift geom.Vec3
	at    problem.Error // the place in the file
}

// operatorOf converts three rows to an operator. Each row consists of three elements of the matrix and one of the
// translation.
func operatorOf(rows [3][4]float64) (o operator) {
	column := func(i int) geom.Vec3 { return geom.Vec3{X: rows[0][i], Y: rows[1][i], Z: rows[2][i]} }
	o.turn = geom.Mat3{X: column(0), Y: column(1), Z: column(2)}
	o.shift = column(3)
	return o
}

// assembly is a biological assembly: copies of chains.
type assembly struct {
	name       string
	details    string
	generators []generator
}

// generator makes copies of some chains.
type generator struct {
	expression string // of operators
	units      []string
	at         problem.Error // the place in the file
}

// Assembly describes a biological assembly that a file contains.
type Assembly struct {
	Name    string
	Details string   // such as "author_defined_assembly, dimeric"
	Units   []string // chains that are copied
	Copies  int      // of the chain with the most copies
	Atoms   int      // in all copies
}

// addGenerator adds a generator to the assembly with the given name.
func (m *molecule) addGenerator(name string, g generator) {
	a := m.assemblyNamed(name)
	a.generators = append(a.generators, g)
}

// assemblyNamed returns the assembly with a name, which it adds if it is new.
func (m *molecule) assemblyNamed(name string) *assembly {
	i, ok := m.assemblyAt[name]
	if !ok {
		i = len(m.assemblies)
		m.assemblyAt[name] = i
		m.assemblies = append(m.assemblies, assembly{name: name})
	}
	return &m.assemblies[i]
}

// movement is an operator of an assembly, or a product of operators.
type movement struct {
	name string
	pose model.Pose
}

// isIdentity reports whether the movement does not move anything.
func (v *movement) isIdentity() bool {
	return v.pose.Position == geom.Vec3{} && v.pose.Rotation == model.Quaternion{W: 1}
}

// chosenAssembly is the assembly that is shown.
type chosenAssembly struct {
	name      string
	movements map[string][]movement // by unit, without duplicates
}

// chooseAssembly finds the assembly that the options name and computes its movements.
func (m *molecule) chooseAssembly() error {
	if m.Assembly == "" {
		return nil
	}
	i, ok := m.assemblyAt[m.Assembly]
	if !ok {
		if len(m.assemblies) == 0 {
			return fmt.Errorf("--assembly: %s describes no biological assemblies", m.file)
		}
		var names []string
		for _, a := range m.assemblies {
			names = append(names, text.Escape(a.name))
		}
		const most = 20
		if len(names) > most {
			names = append(names[:most], fmt.Sprintf("%d more", len(names)-most))
		}
		return fmt.Errorf("--assembly: %s has no assembly %q; it has %s", m.file, m.Assembly, text.Series(names, "and"))
	}
	chosen, err := m.moved(&m.assemblies[i])
	m.chosen = chosen
	return err
}

// moved returns the assembly a as the chosen one, with the movements of its chains.
func (m *molecule) moved(a *assembly) (*chosenAssembly, error) {
	c := &chosenAssembly{a.name, make(map[string][]movement)}
	seen := make(map[string]map[string]bool) // by unit, names of movements
	for _, g := range a.generators {
		names, why := expand(g.expression, func(name string) bool { _, ok := m.operators[name]; return ok })
		if why != "" {
			return nil, g.wrong(problem.CodeOutOfRange, why)
		}
		if m.chainCopies += len(names) * len(g.units); m.chainCopies > maxChainCopies {
			return nil, g.wrong(problem.CodeTooManySolids, fmt.Sprintf("assemblies must have at most %d copies of chains", maxChainCopies))
		}
		var moves []movement
		for _, product := range names {
			v, err := m.product(product, &g)
			if err != nil {
				return nil, err
			}
			moves = append(moves, v)
		}
		for _, unit := range g.units {
			if seen[unit] == nil {
				seen[unit] = make(map[string]bool)
			}
			for _, v := range moves {
				if !seen[unit][v.name] {
					seen[unit][v.name] = true
					c.movements[unit] = append(c.movements[unit], v)
				}
			}
		}
	}
	return c, nil
}

// wrong returns an error about the generator's expression.
func (g *generator) wrong(code problem.Code, message string) error {
	e := g.at
	e.Severity, e.Code, e.Message, e.Value = problem.SeverityError, code, message, strconv.Quote(text.Shorten(g.expression))
	return &e
}

// product returns the product of the operators with the given names. The operator named last is applied first.
func (m *molecule) product(names []string, g *generator) (movement, error) {
	v := movement{strings.Join(names, "-"), model.Pose{Rotation: model.Quaternion{W: 1}}}
	for _, name := range names {
		o, ok := m.operators[name]
		if !ok {
			return v, g.wrong(problem.CodeUnknownValue, fmt.Sprintf("the file has no operator %q", text.Shorten(name)))
		}
		pose, err := o.pose(name)
		if err != nil {
			return v, err
		}
		v.pose = v.pose.Then(pose)
	}
	return v, nil
}

// roundOperator is the largest deviation of an operator's matrix from a rotation. Files contain at least four digits.
const roundOperator = 1e-3

// pose returns the operator as a rotation and a translation, or an error if its matrix is not a rotation.
func (o *operator) pose(name string) (model.Pose, error) {
	determinant := o.turn.X.Dot(o.turn.Y.Cross(o.turn.Z))
	if !(o.turn.OrthonormalError() <= roundOperator && determinant > 0) {
		e := o.at
		e.Severity, e.Code = problem.SeverityError, problem.CodeOutOfRange
		e.Message = fmt.Sprintf("operator %s: must be a rotation and a translation", text.Shorten(name))
		return model.Pose{}, &e
	}
	return model.Pose{Position: o.shift, Rotation: model.QuaternionOf(o.turn)}, nil
}

// expand returns the products of operators' names that an expression such as 1,3-5 or (X0)(1-60) lists. If the
// expression is invalid, why says so. exists reports whether the file has an operator with a name; expand
// calls it for words such as 1-2, which can be a range or a name.
func expand(expression string, exists func(string) bool) (products [][]string, why string) {
	e := &expansion{text: strings.ReplaceAll(strings.Join(strings.Fields(expression), ""), "'", ""), exists: exists}
	products = e.list(0)
	if e.why == "" && e.text != "" {
		e.fail("want a comma between operators")
	}
	if e.why == "" && len(products) == 0 {
		e.fail("want operators, such as 1 or (1-60)")
	}
	return products, e.why
}

// expansion is the state of expanding an expression. text is the part that is not expanded yet.
type expansion struct {
	text   string
	exists func(string) bool
	why    string
}

func (e *expansion) fail(why string) {
	if e.why == "" {
		e.why = why
	}
}

// list expands products separated by commas. Unless it finds a problem, it returns at most maxCopies products.
func (e *expansion) list(depth int) (all [][]string) {
	const maxDepth = 8
	if depth > maxDepth {
		e.fail(fmt.Sprintf("parentheses must nest at most %d deep", maxDepth))
		return nil
	}
	for e.why == "" {
		all = append(all, e.product(depth)...)
		if e.limit(len(all)); !strings.HasPrefix(e.text, ",") {
			return all
		}
		e.text = e.text[1:]
	}
	return nil
}

func (e *expansion) limit(n int) {
	if n > maxCopies {
		e.fail(fmt.Sprintf("an assembly must have at most %d copies of a chain", maxCopies))
	}
}

// product expands one product: lists in parentheses, one after the other, or a name or range.
func (e *expansion) product(depth int) (all [][]string) {
	if !strings.HasPrefix(e.text, "(") {
		return e.names()
	}
	const maxFactors = 8
	for factors := 0; strings.HasPrefix(e.text, "(") && e.why == ""; factors++ {
		e.text = e.text[1:]
		factor := e.list(depth + 1)
		switch {
		case e.why != "":
			return nil
		case !strings.HasPrefix(e.text, ")"):
			e.fail("a parenthesis is not closed")
			return nil
		case factors == maxFactors:
			e.fail(fmt.Sprintf("a product must have at most %d factors", maxFactors))
			return nil
		}
		e.text = e.text[1:]
		if factors == 0 {
			all = factor
			continue
		}
		if e.limit(len(all) * len(factor)); e.why != "" {
			return nil
		}
		var product [][]string
		for _, a := range all {
			for _, b := range factor {
				product = append(product, slices.Concat(a, b))
			}
		}
		all = product
	}
	return all
}

// names expands a name or a range of numbers.
func (e *expansion) names() [][]string {
	end := strings.IndexAny(e.text, ",()")
	if end < 0 {
		end = len(e.text)
	}
	word := e.text[:end]
	e.text = e.text[end:]
	if word == "" {
		e.fail("want an operator, such as 1 or 1-60")
		return nil
	}
	from, to, isRange := strings.Cut(word, "-")
	if e.exists(word) || !isRange {
		return [][]string{{word}}
	}
	low, err1 := strconv.Atoi(from)
	high, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || low > high || low < 0 {
		e.fail("a range must have two numbers, the smaller one first")
		return nil
	}
	if high-low >= maxCopies {
		e.limit(maxCopies + 1)
		return nil
	}
	var all [][]string
	for n := low; n <= high; n++ {
		all = append(all, []string{strconv.Itoa(n)})
	}
	return all
}

// describe returns the assemblies of the file. The numbers of atoms count the atoms that the options select.
func (m *molecule) describe() ([]Assembly, error) {
	atoms := make(map[string]int) // by unit
	for i := range m.atoms {
		if r := m.atoms[i].residue; r != noResidue {
			atoms[m.residues[r].unit]++
		}
	}
	var list []Assembly
	for i := range m.assemblies {
		c, err := m.moved(&m.assemblies[i])
		if err != nil {
			return nil, err
		}
		d := Assembly{Name: c.name, Details: m.assemblies[i].details}
		for unit, moves := range c.movements {
			d.Copies = max(d.Copies, len(moves))
			d.Atoms += len(moves) * atoms[unit]
			d.Units = append(d.Units, unit)
		}
		slices.Sort(d.Units)
		list = append(list, d)
	}
	return list, nil
}
