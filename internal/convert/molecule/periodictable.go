package molecule

import (
	"strings"
	"sync"

	"pillbox/internal/convert/model"
)

// element is a chemical element. Its radii are in angstrom; 0 means unknown.
//
// Covalent radii: Cordero et al., "Covalent radii revisited", Dalton Trans. 2008, 2832 (carbon as in
// diamond; manganese, iron and cobalt with low spin). Van der Waals radii: Alvarez, "A cartography of the
// van der Waals territories", Dalton Trans. 2013, 42, 8617. Colors: those of Jmol, which go back to the
// space-filling models of Corey, Pauling and Koltun.
type element struct {
	symbol   string
	name     string
	covalent float64
	vdW      float64
	color    model.Color
}

// periodicTable holds the radii and the color of every element, by atomic number. Number 0 is for atoms without a known
// element.
type periodicTable [104]element

var elements = periodicTable{
	{"X", "unknown element", 0, 0, "#ff1493"},
	{"H", "hydrogen", 0.31, 1.20, "#ffffff"},
	{"He", "helium", 0.28, 1.43, "#d9ffff"},
	{"Li", "lithium", 1.28, 2.12, "#cc80ff"},
	{"Be", "beryllium", 0.96, 1.98, "#c2ff00"},
	{"B", "boron", 0.84, 1.91, "#ffb5b5"},
	{"C", "carbon", 0.76, 1.77, "#909090"},
	{"N", "nitrogen", 0.71, 1.66, "#3050f8"},
	{"O", "oxygen", 0.66, 1.50, "#ff0d0d"},
	{"F", "fluorine", 0.57, 1.46, "#90e050"},
	{"Ne", "neon", 0.58, 1.58, "#b3e3f5"},
	{"Na", "sodium", 1.66, 2.50, "#ab5cf2"},
	{"Mg", "magnesium", 1.41, 2.51, "#8aff00"},
	{"Al", "aluminium", 1.21, 2.25, "#bfa6a6"},
	{"Si", "silicon", 1.11, 2.19, "#f0c8a0"},
	{"P", "phosphorus", 1.07, 1.90, "#ff8000"},
	{"S", "sulfur", 1.05, 1.89, "#ffff30"},
	{"Cl", "chlorine", 1.02, 1.82, "#1ff01f"},
	{"Ar", "argon", 1.06, 1.83, "#80d1e3"},
	{"K", "potassium", 2.03, 2.73, "#8f40d4"},
	{"Ca", "calcium", 1.76, 2.62, "#3dff00"},
	{"Sc", "scandium", 1.70, 2.58, "#e6e6e6"},
	{"Ti", "titanium", 1.60, 2.46, "#bfc2c7"},
	{"V", "vanadium", 1.53, 2.42, "#a6a6ab"},
	{"Cr", "chromium", 1.39, 2.45, "#8a99c7"},
	{"Mn", "manganese", 1.39, 2.45, "#9c7ac7"},
	{"Fe", "iron", 1.32, 2.44, "#e06633"},
	{"Co", "cobalt", 1.26, 2.40, "#f090a0"},
	{"Ni", "nickel", 1.24, 2.40, "#50d050"},
	{"Cu", "copper", 1.32, 2.38, "#c88033"},
	{"Zn", "zinc", 1.22, 2.39, "#7d80b0"},
	{"Ga", "gallium", 1.22, 2.32, "#c28f8f"},
	{"Ge", "germanium", 1.20, 2.29, "#668f8f"},
	{"As", "arsenic", 1.19, 1.88, "#bd80e3"},
	{"Se", "selenium", 1.20, 1.82, "#ffa100"},
	{"Br", "bromine", 1.20, 1.86, "#a62929"},
	{"Kr", "krypton", 1.16, 2.25, "#5cb8d1"},
	{"Rb", "rubidium", 2.20, 3.21, "#702eb0"},
	{"Sr", "strontium", 1.95, 2.84, "#00ff00"},
	{"Y", "yttrium", 1.90, 2.75, "#94ffff"},
	{"Zr", "zirconium", 1.75, 2.52, "#94e0e0"},
	{"Nb", "niobium", 1.64, 2.56, "#73c2c9"},
	{"Mo", "molybdenum", 1.54, 2.45, "#54b5b5"},
	{"Tc", "technetium", 1.47, 2.44, "#3b9e9e"},
	{"Ru", "ruthenium", 1.46, 2.46, "#248f8f"},
	{"Rh", "rhodium", 1.42, 2.44, "#0a7d8c"},
	{"Pd", "palladium", 1.39, 2.15, "#006985"},
	{"Ag", "silver", 1.45, 2.53, "#c0c0c0"},
	{"Cd", "cadmium", 1.44, 2.49, "#ffd98f"},
	{"In", "indium", 1.42, 2.43, "#a67573"},
	{"Sn", "tin", 1.39, 2.42, "#668080"},
	{"Sb", "antimony", 1.39, 2.47, "#9e63b5"},
	{"Te", "tellurium", 1.38, 1.99, "#d47a00"},
	{"I", "iodine", 1.39, 2.04, "#940094"},
	{"Xe", "xenon", 1.40, 2.06, "#429eb0"},
	{"Cs", "caesium", 2.44, 3.48, "#57178f"},
	{"Ba", "barium", 2.15, 3.03, "#00c900"},
	{"La", "lanthanum", 2.07, 2.98, "#70d4ff"},
	{"Ce", "cerium", 2.04, 2.88, "#ffffc7"},
	{"Pr", "praseodymium", 2.03, 2.92, "#d9ffc7"},
	{"Nd", "neodymium", 2.01, 2.95, "#c7ffc7"},
	{"Pm", "promethium", 1.99, 0, "#a3ffc7"},
	{"Sm", "samarium", 1.98, 2.90, "#8fffc7"},
	{"Eu", "europium", 1.98, 2.87, "#61ffc7"},
	{"Gd", "gadolinium", 1.96, 2.83, "#45ffc7"},
	{"Tb", "terbium", 1.94, 2.79, "#30ffc7"},
	{"Dy", "dysprosium", 1.92, 2.87, "#1fffc7"},
	{"Ho", "holmium", 1.92, 2.81, "#00ff9c"},
	{"Er", "erbium", 1.89, 2.83, "#00e675"},
	{"Tm", "thulium", 1.90, 2.79, "#00d452"},
	{"Yb", "ytterbium", 1.87, 2.80, "#00bf38"},
	{"Lu", "lutetium", 1.87, 2.74, "#00ab24"},
	{"Hf", "hafnium", 1.75, 2.63, "#4dc2ff"},
	{"Ta", "tantalum", 1.70, 2.53, "#4da6ff"},
	{"W", "tungsten", 1.62, 2.57, "#2194d6"},
	{"Re", "rhenium", 1.51, 2.49, "#267dab"},
	{"Os", "osmium", 1.44, 2.48, "#266696"},
	{"Ir", "iridium", 1.41, 2.41, "#175487"},
	{"Pt", "platinum", 1.36, 2.29, "#d0d0e0"},
	{"Au", "gold", 1.36, 2.32, "#ffd123"},
	{"Hg", "mercury", 1.32, 2.45, "#b8b8d0"},
	{"Tl", "thallium", 1.45, 2.47, "#a6544d"},
	{"Pb", "lead", 1.46, 2.60, "#575961"},
	{"Bi", "bismuth", 1.48, 2.54, "#9e4fb5"},
	{"Po", "polonium", 1.40, 0, "#ab5c00"},
	{"At", "astatine", 1.50, 0, "#754f45"},
	{"Rn", "radon", 1.50, 0, "#428296"},
	{"Fr", "francium", 2.60, 0, "#420066"},
	{"Ra", "radium", 2.21, 0, "#007d00"},
	{"Ac", "actinium", 2.15, 2.80, "#70abfa"},
	{"Th", "thorium", 2.06, 2.93, "#00baff"},
	{"Pa", "protactinium", 2.00, 2.88, "#00a1ff"},
	{"U", "uranium", 1.96, 2.71, "#008fff"},
	{"Np", "neptunium", 1.90, 2.82, "#0080ff"},
	{"Pu", "plutonium", 1.87, 2.81, "#006bff"},
	{"Am", "americium", 1.80, 2.83, "#545cf2"},
	{"Cm", "curium", 1.69, 3.05, "#785ce3"},
	{"Bk", "berkelium", 0, 3.40, "#8a4fe3"},
	{"Cf", "californium", 0, 3.05, "#a136d4"},
	{"Es", "einsteinium", 0, 2.70, "#b31fd4"},
	{"Fm", "fermium", 0, 0, "#b31fba"},
	{"Md", "mendelevium", 0, 0, "#b30da6"},
	{"No", "nobelium", 0, 0, "#bd0d87"},
	{"Lr", "lawrencium", 0, 0, "#c70066"},
}

// unknown is the number for atoms whose element is not known.
const unknown = 0

// Radii for elements without a measured radius.
const (
	usualCovalent = 1.6
	usualVdW      = 2.2
)

// vanDerWaalsRadius returns the radius of an atom in the space-filling style.
func (e *element) vanDerWaalsRadius() float64 {
	if e.vdW == 0 {
		return usualVdW
	}
	return e.vdW
}

// covalentRadius returns the atom's share of the length of a bond.
func (e *element) covalentRadius() float64 {
	if e.covalent == 0 {
		return usualCovalent
	}
	return e.covalent
}

// Atomic numbers.
const (
	hydrogen = 1
	carbon   = 6
	oxygen   = 8
)

// isotopes are the symbols of the isotopes of hydrogen.
const isotopes = "DT"

// numberOf returns the atomic number for a symbol, ignoring case. It returns unknown if there is no such element.
func numberOf(symbol string) uint8 {
	if len(symbol) == 1 && strings.ContainsAny(strings.ToUpper(symbol), isotopes) {
		return hydrogen
	}
	return symbols()[strings.ToUpper(symbol)]
}

// symbols returns the atomic numbers by upper-case symbol.
var symbols = sync.OnceValue(func() map[string]uint8 {
	m := make(map[string]uint8, len(elements))
	for number := 1; number < len(elements); number++ {
		m[strings.ToUpper(elements[number].symbol)] = uint8(number)
	}
	return m
})
