package follow

// Handle holds a value of this package inside of a public type that must not show it: the type embeds a
// Handle, under an alias that is not exported, and packages of this module use [Of] and [Hold].
// The zero value holds nothing.
type Handle[T any] struct{ value *T }

func (h *Handle[T]) handle() *Handle[T] { return h }

// Holder is a pointer to a type that embeds a [Handle]: a pillbox.Prepared holds a [Prepared], an
// explain.Path a [Path].
type Holder[T any] interface{ handle() *Handle[T] }

// Of returns what h holds, nil if that is nothing. It must not be modified.
func Of[T any](h Holder[T]) *T { return h.handle().value }

// Hold makes h hold v. Call it only while constructing a value, before other code can see it.
func Hold[T any](h Holder[T], v *T) { h.handle().value = v }
