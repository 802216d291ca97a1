package molecule

// SymbolOf returns the symbol of the element with a name, such as iron.
func SymbolOf(name string) string {
	for i := range elements {
		if elements[i].name == name {
			return elements[i].symbol
		}
	}
	return name
}
