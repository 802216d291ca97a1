package molecule

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/text"
	"pillbox/problem"
)

// readMMCIF reads data items: pairs of a name and a value, or tables that begin with the names of their columns. A name
// is _category.item or, in the core dictionary for small molecules, _category_item. A file consists of data blocks. The
// structures, crystals and chemical components of all blocks are counted as models; those of the selected model's block
// are read.
func readMMCIF(l *lines.Reader, m *molecule) error {
	c := newCIF(l, m)
	for {
		err := c.Next()
		if err == io.EOF {
			err = c.end()
			if err == nil {
				err = c.finishBlock()
			}
			return err
		}
		if err != nil {
			return err
		}
		if err := c.readLine(); err != nil {
			return err
		}
	}
}

// fields provides the values of the current row of a table by column index.
type fields interface {
	bytes(column int) []byte // nil if the value is null; valid until the next row
	float(column int, item string) (float64, error)
	place(column int) problem.Error // the position of the value; without a line in a binary file
}

// newCIF returns a reader of the tables of a file.
func newCIF(l *lines.Reader, m *molecule) *cif {
	c := &cif{Reader: l, molecule: m}
	c.fields = (*textRow)(c)
	return c
}

// cif splits a file into tokens and collects values into rows.
type cif struct {
	*lines.Reader
	*molecule
	fields fields

	inText bool   // between the two lines of a text field that begin with a semicolon
	long   []byte // the contents of this text field so far
	found  bool   // an earlier data block contained the selected model; the models of later ones are only counted

	blockModels int // number of models in the data block so far

	loop        bool     // reading a table
	inRows      bool     // reading the rows of the table, after its names
	tags        []string // lower-case
	reader      rowReader
	arena       []byte // texts of the values of the current row, one after the other
	values      []value
	columns     map[string]int
	site        siteColumns
	joined      []byte // the number of the current residue with its insertion code
	lastModel   string
	connections []connection
	fractional  bool // the atoms have fractional coordinates

	firstFraction problem.Error // the place of the first atom with fractional coordinates
	components    []componentAtom
}

// value is a value of the current row: the part arena[start:end] of cif, and its position in the file.
type value struct {
	start, end   int
	line, column int
	isNull       bool // whether it is . or ? without quotes
}

// rowReader processes a row of a category.
type rowReader func(*cif) error

// maxTags is the largest number of names in a table.
const maxTags = 10_000

// readLine reads the tokens of a line.
func (c *cif) readLine() error {
	text := c.Text
	if c.inText {
		if bytes.HasPrefix(text, []byte(";")) {
			c.inText = false
			if err := c.value(c.long, notNull, 0); err != nil {
				return err
			}
			return c.tokens(1)
		}
		if len(c.long)+len(text) > lines.MaxLine {
			return c.Wrong(nil, problem.CodeTooLarge, "a text is too long")
		}
		c.long = append(append(c.long, '\n'), text...)
		return nil
	}
	if bytes.HasPrefix(text, []byte(";")) {
		c.inText = true
		c.long = append(c.long[:0], text[1:]...)
		return nil
	}
	return c.tokens(0)
}

// tokens reads the tokens of the line, starting at byte i.
func (c *cif) tokens(i int) error {
	text := c.Text
	for {
		for i < len(text) && isBlank(text[i]) {
			i++
		}
		if i == len(text) || text[i] == '#' {
			return nil
		}
		start := i
		if quote := text[i]; quote == '\'' || quote == '"' {
			for i++; i < len(text) && !(text[i] == quote && (i+1 == len(text) || isBlank(text[i+1]))); i++ {
			}
			if i >= len(text) {
				return c.Wrong(text[start:], problem.CodeSyntax, "the quotation mark is not closed")
			}
			i++
			if err := c.value(text[start+1:i-1], notNull, start); err != nil {
				return err
			}
			continue
		}
		for i < len(text) && !isBlank(text[i]) {
			i++
		}
		if err := c.bare(text[start:i], start); err != nil {
			return err
		}
	}
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// bare processes a token without quotes.
func (c *cif) bare(token []byte, column int) error {
	switch {
	case token[0] == '_':
		return c.tag(strings.ToLower(string(token)))
	case bytes.IndexByte(token, '_') < 0: // not one of the reserved words
	case equalFold(token, "loop_"):
		err := c.end()
		c.loop = true
		return err
	case hasPrefixFold(token, "data_"):
		if err := c.end(); err != nil {
			return err
		}
		return c.finishBlock()
	case hasPrefixFold(token, "save_"), equalFold(token, "global_"), equalFold(token, "stop_"):
		return c.end()
	}
	return c.value(token, len(token) == 1 && (token[0] == '.' || token[0] == '?'), column)
}

func equalFold(token []byte, word string) bool { return strings.EqualFold(string(token), word) }

func hasPrefixFold(token []byte, word string) bool {
	return len(token) >= len(word) && equalFold(token[:len(word)], word)
}

// tag processes a name. Outside of tables, consecutive names of one category make up one row of values.
func (c *cif) tag(name string) error {
	name = withDot(name)
	category, _, _ := strings.Cut(name, ".")
	same := len(c.tags) > 0 && strings.HasPrefix(c.tags[0], category+".")
	switch {
	case c.loop && c.inRows, !c.loop && !same:
		if err := c.end(); err != nil {
			return err
		}
	case !c.loop && len(c.values) < len(c.tags):
		return c.wrongItem(nil, problem.CodeMissingKey, len(c.tags)-1, "has no value")
	}
	if len(c.tags) >= maxTags {
		return c.Wrong(nil, problem.CodeTooLarge, "a table has too many names")
	}
	c.tags = append(c.tags, name)
	return nil
}

// notNull is passed to the method value, as isNull, for a value in quotes or in a text field. Such a value is never
// null.
const notNull = false

// value adds a value to the current row.
func (c *cif) value(text []byte, isNull bool, column int) error {
	if len(c.tags) == 0 {
		return c.Wrong(c.Text[min(column, len(c.Text)):], problem.CodeSyntax, "want a name before a value")
	}
	if c.loop && !c.inRows {
		c.inRows = true
		if err := c.begin(); err != nil {
			return err
		}
	}
	if !c.loop && len(c.values) == len(c.tags) {
		return c.wrongItem(c.Text[min(column, len(c.Text)):], problem.CodeSyntax, len(c.tags)-1, "has two values")
	}
	if c.loop && c.reader == nil { // the table is skipped
		return nil
	}
	start := len(c.arena)
	if start+len(text) > lines.MaxLine*2 {
		return c.Wrong(nil, problem.CodeTooLarge, "a row is too long")
	}
	c.arena = append(c.arena, text...)
	c.values = append(c.values, value{start, len(c.arena), c.Line, column + 1, isNull})
	if c.loop && len(c.values) == len(c.tags) {
		return c.row()
	}
	return nil
}

// withDot converts a name of the core dictionary, such as _cell_length_a, to the form with a dot. It converts only the
// names of atom sites, cells and symmetry. It returns all other names unchanged.
func withDot(name string) string {
	if strings.Contains(name, ".") || strings.HasPrefix(name, "_atom_site_aniso") {
		return name
	}
	for _, category := range [...]string{"_atom_site", "_cell", "_space_group_symop", "_space_group_magn", "_space_group", "_symmetry_equiv", "_symmetry"} {
		if item, ok := strings.CutPrefix(name, category+"_"); ok {
			return category + "." + item
		}
	}
	return name
}

// begin selects the reader for the rows of the current category. The reader is nil if the category is skipped.
func (c *cif) begin() error {
	c.reader = nil
	if len(c.tags) == 0 {
		return nil
	}
	category, _, _ := strings.Cut(c.tags[0], ".")
	if c.found && category != "_atom_site" && category != "_chem_comp_atom" {
		return nil
	}
	switch category {
	case "_atom_site":
		c.reader = (*cif).atomSite
	case "_cell":
		c.reader = (*cif).readCell
	case "_atom_sites":
		c.reader = (*cif).matrixRow
	case "_chem_comp_atom":
		c.reader = (*cif).componentAtom
	case "_struct_conn":
		c.reader = (*cif).connection
	case "_chem_comp_bond":
		c.reader = (*cif).knownBond
	case "_pdbx_struct_assembly", "_pdbx_struct_assembly_gen", "_pdbx_struct_oper_list":
		if c.readsAssemblies() {
			c.reader = assemblyReader(category)
		}
	case "_symmetry_equiv", "_space_group_symop", "_symmetry", "_space_group", "_space_group_magn":
		if c.FillCell {
			c.reader = symmetryReader(category)
		}
	case "_struct":
		c.reader = func(c *cif) error {
			c.title = shortTitle(strings.Join(strings.Fields(c.get("title")), " "))
			return nil
		}
	}
	c.columns = make(map[string]int, len(c.tags))
	for i, tag := range c.tags {
		if item, ok := strings.CutPrefix(tag, category+"."); ok {
			c.columns[item] = i
		}
	}
	if category == "_atom_site" {
		return c.findPositions()
	}
	return nil
}

// findPositions determines which columns contain the atoms' positions.
func (c *cif) findPositions() error {
	if c.has(cartesian()) {
		c.site = c.findSite()
		return nil
	}
	if c.has(fractions()) {
		c.reader = (*cif).crystalSite
		return nil
	}
	if c.reader = nil; c.found {
		return nil
	}
	for _, item := range cartesian() {
		if !c.has([3]string{item, item, item}) {
			return c.Wrong(nil, problem.CodeMissingKey, "_atom_site."+item+": missing from the table")
		}
	}
	return nil
}

// cartesian and fractions return the items for positions in angstrom and for fractional positions.
func cartesian() [3]string { return [3]string{"cartn_x", "cartn_y", "cartn_z"} }
func fractions() [3]string { return [3]string{"fract_x", "fract_y", "fract_z"} }

// has reports whether the table has columns for all three items.
func (c *cif) has(items [3]string) bool {
	for _, item := range items {
		if _, ok := c.columns[item]; !ok {
			return false
		}
	}
	return true
}

// row processes a complete row.
func (c *cif) row() error {
	err := c.reader(c)
	c.arena, c.values = c.arena[:0], c.values[:0]
	return err
}

// wrongItem returns an error about the item with the name c.tags[tag]. A name may have any length and contain escape
// sequences, so the message contains it shortened and escaped.
func (c *cif) wrongItem(part []byte, code problem.Code, tag int, why string) error {
	const most = 80
	name := c.tags[tag]
	return c.Wrong(part, code, text.Escape(name[:min(len(name), most)])+": "+why)
}

// end finishes a table, or a row of pairs of names and values. It returns an error if a value is missing or a text is
// not closed.
func (c *cif) end() error {
	var err error
	switch {
	case c.inText:
		err = c.Wrong(nil, problem.CodeSyntax, "the file ends in a text, which wants a line that begins with a semicolon")
	case c.loop && len(c.values) > 0:
		err = c.wrongItem(nil, problem.CodeMissingKey, len(c.values), "the last row of the table has no value for it")
	case !c.loop && len(c.values) < len(c.tags):
		err = c.wrongItem(nil, problem.CodeMissingKey, len(c.tags)-1, "has no value")
	case !c.loop && len(c.tags) > 0:
		if err = c.begin(); err == nil && c.reader != nil {
			err = c.row()
		}
	}
	c.loop, c.inRows, c.reader = false, false, nil
	c.tags, c.values, c.arena = c.tags[:0], c.values[:0], c.arena[:0]
	return err
}

// bytes returns a value of the current row: that of the first of the given items that has a value. It returns nil if
// the values of all items are null or missing.
func (c *cif) bytes(items ...string) []byte {
	for _, item := range items {
		if i, ok := c.columns[item]; ok {
			if text := c.fields.bytes(i); text != nil {
				return text
			}
		}
	}
	return nil
}

func (c *cif) get(items ...string) string { return c.word(c.bytes(items...)) }

// column returns the index of the column of an item, or -1.
func (c *cif) column(item string) int {
	if i, ok := c.columns[item]; ok {
		return i
	}
	return -1
}

// first returns a value of the current row: that of the first of the given columns that has a value. The column -1 does
// not exist. If the values in all columns are null or missing, the method returns nil.
func (c *cif) first(columns ...int) []byte {
	for _, i := range columns {
		if i >= 0 {
			if text := c.fields.bytes(i); text != nil {
				return text
			}
		}
	}
	return nil
}

func (c *cif) float(item string) (float64, error) { return c.fields.float(c.columns[item], item) }

// textRow provides the values of a row of a text file.
type textRow cif

func (c *textRow) bytes(column int) []byte {
	if v := &c.values[column]; !v.isNull {
		return c.arena[v.start:v.end:v.end]
	}
	return nil
}

func (c *textRow) place(column int) problem.Error {
	v := &c.values[column]
	return problem.Error{File: c.Name, Line: v.line, Column: v.column}
}

// float parses a number. It ignores a standard uncertainty in parentheses.
func (c *textRow) float(column int, item string) (float64, error) {
	v := &c.values[column]
	text := c.arena[v.start:v.end]
	number := text
	if n := len(text); n > 0 && text[n-1] == ')' {
		if i := bytes.IndexByte(text, '('); i > 0 {
			number = text[:i]
		}
	}
	x, code, why := lines.ParseNumber(number)
	if why == "" && math.Abs(x) > geom.MaxCoordinate {
		code, why = problem.CodeOutOfRange, "is too large"
	}
	if why != "" {
		return 0, c.ErrorAt(v.line, v.column, text, code, item+": "+why)
	}
	return x, nil
}

// vector parses three numbers of the row.
func (c *cif) vector(items [3]string) (v geom.Vec3, err error) {
	for i, to := range [...]*float64{&v.X, &v.Y, &v.Z} {
		if *to, err = c.float(items[i]); err != nil {
			return v, err
		}
	}
	return v, nil
}

// siteColumns are the indices of the columns of _atom_site. A column that does not exist is -1.
type siteColumns struct {
	at                                         [3]int
	model, id, symbol, alternate, occupancy, b int
	name, chain, kind, number                  [2]int // the author's, then the standard one
	insertion                                  int
}

func (c *cif) findSite() (s siteColumns) {
	for i, item := range cartesian() {
		s.at[i] = c.column(item)
	}
	both := func(item string) [2]int { return [2]int{c.column("auth_" + item), c.column("label_" + item)} }
	s.model, s.id, s.symbol = c.column("pdbx_pdb_model_num"), c.column("id"), c.column("type_symbol")
	s.alternate, s.occupancy, s.b = c.column("label_alt_id"), c.column("occupancy"), c.column("b_iso_or_equiv")
	s.name, s.chain, s.kind, s.number = both("atom_id"), both("asym_id"), both("comp_id"), both("seq_id")
	s.insertion = c.column("pdbx_pdb_ins_code")
	return s
}

// atomSite processes an atom of a structure.
func (c *cif) atomSite() error {
	s := &c.site
	if model := c.first(s.model); c.blockModels == 0 || string(model) != c.lastModel {
		c.lastModel = string(model)
		c.models++
		c.blockModels++
	}
	if c.models != c.wanted {
		return nil
	}
	if c.full() {
		return c.tooMany("atoms", c.Reader)
	}
	var a candidate
	var err error
	for i, to := range [...]*float64{&a.at.X, &a.at.Y, &a.at.Z} {
		if *to, err = c.fields.float(s.at[i], cartesian()[i]); err != nil {
			return err
		}
	}
	a.name = c.word(c.first(s.name[0], s.name[1]))
	a.residue = c.siteResidue()
	a.element = c.siteElement(c.first(s.symbol), a.residue.kind)
	a.line = int32(c.Line)
	a.serial = serial(c.first(s.id))
	if alternate := c.first(s.alternate); len(alternate) > 0 {
		a.alternate = alternate[0]
	}
	a.occupancy = c.optional(s.occupancy, 1)
	a.bFactor = c.optional(s.b, 0)
	c.hasBFactors = c.hasBFactors || a.bFactor != 0
	c.addResidue(a)
	return nil
}

// siteElement returns the element for a symbol, which may be followed by a charge, or unnamed.
func (c *cif) siteElement(symbol []byte, kind string) uint8 {
	if n := c.elementNumber(symbol); n != unknown {
		return elementIn(n, kind)
	}
	if n := c.elementNumber(bytes.TrimRight(symbol, "0123456789+-")); n != unknown {
		return n
	}
	return unnamed
}

// optional returns a number that the picture does not need. An invalid number counts as missing.
func (c *cif) optional(column int, missing float64) float64 {
	if c.first(column) == nil {
		return missing
	}
	x, err := c.fields.float(column, "")
	if err != nil {
		return missing
	}
	return x
}

// siteResidue returns the residue of an atom of a structure. The residue's chain and number are those that the author
// of the structure chose or, if the file lacks these, the standard ones. Assemblies refer to the residue's unit, which
// is the standard chain.
func (c *cif) siteResidue() residue {
	s := &c.site
	r := residue{
		chain: c.word(c.first(s.chain[0], s.chain[1])),
		kind:  c.word(c.first(s.kind[0], s.kind[1])),
		unit:  c.word(c.first(s.chain[1], s.chain[0])),
	}
	number := c.first(s.number[0], s.number[1])
	if code := c.first(s.insertion); code != nil {
		c.joined = append(append(c.joined[:0], number...), code...)
		number = c.joined
	}
	r.number = c.word(number)
	switch {
	case s.number[1] < 0:
	case c.first(s.number[1]) == nil:
		r.member = notMember
	default:
		r.member = isMember
	}
	return r
}

// finishBlock completes the molecule after the last line of a data block, if the block contains the selected model, and
// prepares the next block.
func (c *cif) finishBlock() error {
	c.endResidue()
	if c.blockModels == 0 && len(c.components) > 0 {
		c.blockModels++
		c.models++
		if err := c.addComponents(); err != nil {
			return err
		}
	}
	switch {
	case c.found && c.blockModels > 0 && c.Model == 0:
		c.account.Note("later data block", "not shown (--model shows others)", problem.Error{File: c.Name})
	case c.found, len(c.atoms) == 0:
	default:
		if c.fractional {
			if err := c.toAngstrom(); err != nil {
				return err
			}
			c.matrix = cellMatrix{} // the coordinates are not those of the matrix
		}
		c.resolveConnections()
		c.found = true
	}
	c.forgetBlock()
	return nil
}

// forgetBlock clears what is valid for one data block only. Some files have a first block without atoms that describes
// all others.
func (c *cif) forgetBlock() {
	if c.blockModels > 0 && !c.found {
		c.cell, c.matrix, c.symmetry, c.title, c.known, c.connections = cell{}, cellMatrix{}, symmetry{}, "", nil, nil
		c.assemblies, c.operators = nil, make(map[string]operator)
		clear(c.assemblyAt)
	}
	c.blockModels, c.lastModel, c.fractional, c.components = 0, "", false, nil
}

// residueOf returns the residue of one partner of a connection, from the items whose names begin with a prefix.
// insertion is the item with its insertion code; "" means pdbx_pdb_ins_code.
func (c *cif) residueOf(prefix, insertion string) residue {
	if insertion == "" {
		insertion = "pdbx_pdb_ins_code"
	}
	number := c.get(prefix+"auth_seq_id", prefix+"label_seq_id")
	if code := c.bytes(insertion); code != nil {
		number += string(code)
	}
	return residue{
		chain:  c.get(prefix+"auth_asym_id", prefix+"label_asym_id"),
		kind:   c.get(prefix+"auth_comp_id", prefix+"label_comp_id"),
		number: number,
	}
}

// connection is a bond that the file lists.
type connection struct{ a, b partner }

// partner identifies an atom in a connection.
type partner struct {
	atomName
	kind      string // of the residue; "": any
	alternate byte   // 0: any
	symmetry  string // the code of the symmetry copy, such as 2_655
}

// atomName is the name of an atom. Several atoms have the same name if they are at alternate locations, or if their
// residues are alternatives.
type atomName struct{ chain, number, atom string }

// connection reads a row of _struct_conn. It keeps covalent, disulfide and metal bonds between atoms in the file and, for a
// filled cell, those between symmetry copies of them.
func (c *cif) connection() error {
	kind := strings.ToLower(string(c.bytes("conn_type_id")))
	if !strings.HasPrefix(kind, "covale") && kind != "disulf" && kind != "metalc" {
		return nil
	}
	if len(c.connections) >= c.most() {
		return c.tooMany("bonds", c.Reader)
	}
	partnerOf := func(n string) partner {
		r := c.residueOf("ptnr"+n+"_", "pdbx_ptnr"+n+"_pdb_ins_code")
		p := partner{atomName: atomName{r.chain, r.number, c.get("ptnr"+n+"_auth_atom_id", "ptnr"+n+"_label_atom_id")}, kind: r.kind}
		if alternate := c.bytes("pdbx_ptnr" + n + "_label_alt_id"); len(alternate) > 0 {
			p.alternate = alternate[0]
		}
		p.symmetry = cmp.Or(c.get("ptnr"+n+"_symmetry"), asInFile)
		return p
	}
	if k := (connection{partnerOf("1"), partnerOf("2")}); k.a.symmetry == k.b.symmetry || c.FillCell {
		c.connections = append(c.connections, k)
	}
	return nil
}

// knownBond reads a bond that all residues of a kind have.
func (c *cif) knownBond() error {
	if len(c.known) >= c.most() {
		return c.tooMany("bonds", c.Reader)
	}
	c.known = append(c.known, knownBond{c.get("comp_id"), c.get("atom_id_1"), c.get("atom_id_2")})
	return nil
}

// resolveConnections adds a bond for each connection whose two atoms are shown.
func (c *cif) resolveConnections() {
	if len(c.connections) == 0 {
		return
	}
	named := make(map[atomName][]int32, 2*len(c.connections))
	for _, k := range c.connections {
		named[k.a.atomName], named[k.b.atomName] = nil, nil
	}
	for i := range c.atoms {
		r := &c.residues[c.atoms[i].residue]
		name := atomName{r.chain, r.number, c.atoms[i].name}
		if list, ok := named[name]; ok {
			named[name] = append(list, int32(i))
		}
	}
	find := func(p partner) int {
		return slices.IndexFunc(named[p.atomName], func(i int32) bool {
			a := &c.atoms[i]
			return (p.kind == "" || p.kind == c.residues[a.residue].kind) && (p.alternate == 0 || p.alternate == a.alternate)
		})
	}
	for _, k := range c.connections {
		if a, b := find(k.a), find(k.b); a >= 0 && b >= 0 {
			switch a, b := named[k.a.atomName][a], named[k.b.atomName][b]; {
			case k.a.symmetry != k.b.symmetry:
				c.copyBonds = append(c.copyBonds, copyBond{bond{a, b}, [2]string{k.a.symmetry, k.b.symmetry}})
			case a != b:
				c.molecule.bond(a, b)
			}
		}
	}
}
