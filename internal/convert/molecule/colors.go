package molecule

import "pillbox/internal/convert/model"

// The colors of elements are in periodictable.go, those of ramps in ramp.go.

// chainColors can be distinguished by people with any kind of color vision: Okabe and Ito, "Color Universal Design", 2008.
var chainColors = [...]model.Color{
	"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999",
}

// residueColor returns the color for a kind of residue: the "amino" colors of the RasMol manual and, for nucleotides, the
// "shapely" colors.
func residueColor(kind string) model.Color {
	switch kind {
	case "ASP", "GLU":
		return "#e60a0a"
	case "CYS", "MET", "MSE":
		return "#e6e600"
	case "LYS", "ARG":
		return "#145aff"
	case "SER", "THR":
		return "#fa9600"
	case "PHE", "TYR":
		return "#3232aa"
	case "ASN", "GLN":
		return "#00dcdc"
	case "GLY":
		return "#ebebeb"
	case "LEU", "VAL", "ILE":
		return "#0f820f"
	case "ALA":
		return "#c8c8c8"
	case "TRP":
		return "#b45ab4"
	case "HIS":
		return "#8282d2"
	case "PRO":
		return "#dc9682"
	case "A", "DA":
		return "#a0a0ff"
	case "C", "DC":
		return "#ff8c4b"
	case "G", "DG":
		return "#ff7070"
	case "T", "DT", "U", "DU":
		return "#a0ffa0"
	}
	return "#bea06e"
}
