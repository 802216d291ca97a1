package follow

// Handle hides a value of this package inside a public type. The public type embeds a Handle under an
// unexported alias, so only packages of this module can reach the value, with [Of] and [Hold]. The zero
// Handle is empty.
type Handle[T any] struct{ value *T }

func (h *Handle[T]) handle() *Handle[T] { return h }

// Holder is a pointer to a type that embeds a [Handle]. For example, a pillbox.Prepared holds a [Prepared], and an
// explain.Path holds a [Path].
type Holder[T any] interface{ handle() *Handle[T] }

// Of returns the value in h, or nil if h is empty. The value must not be modified.
func Of[T any](h Holder[T]) *T { return h.handle().value }

// Hold stores v in h. Call it only while constructing the public value, before other code can see it.
func Hold[T any](h Holder[T], v *T) { h.handle().value = v }
