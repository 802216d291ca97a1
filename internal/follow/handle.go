package follow

// Handle holds a prepared scene inside of a public type that must not show it: the type embeds a
// Handle, under an alias that is not exported, and packages of this module use [Of] and [Hold].
// The zero value holds nothing.
type Handle struct{ prepared *Prepared }

func (h *Handle) handle() *Handle { return h }

// Holder is a pointer to a type that embeds a [Handle], such as a pillbox.Prepared.
type Holder interface{ handle() *Handle }

// Of returns what h holds, nil if that is nothing. It must not be modified.
func Of(h Holder) *Prepared { return h.handle().prepared }

// Hold makes h hold p. Call it only while constructing a value, before other code can see it.
func Hold(h Holder, p *Prepared) { h.handle().prepared = p }
