package prefetch_test

import (
	"fmt"
	"math"
	"testing"

	"pillbox/internal/accel/prefetch"
)

// TestChangesNothing prefetches valid memory, empty memory, and invalid addresses. Nothing must change or crash.
func TestChangesNothing(t *testing.T) {
	list := make([][4]uint64, 1000)
	for i := range list {
		list[i][i%4] = uint64(i)
	}
	for i := range list {
		prefetch.Struct(&list[i])
		prefetch.Struct(&list[i][3])
	}
	prefetch.Struct[int](nil)
	prefetch.Struct(new(struct{}))
	prefetch.Memory(nil, math.MaxInt)
	for i := range list {
		want := [4]uint64{}
		want[i%4] = uint64(i)
		if list[i] != want {
			t.Errorf("item %d became %v", i, list[i])
		}
	}
}

// Example visits the items of a list in an order that the processor cannot predict. It prefetches each item while
// the previous one is in use.
func Example() {
	items := make([]struct{ value, next int }, 5)
	for i := range items {
		items[i].value, items[i].next = i, (i+3)%len(items)
	}
	for i := 0; ; {
		next := items[i].next
		prefetch.Struct(&items[next])
		fmt.Print(items[i].value, " ")
		if i = next; i == 0 {
			break
		}
	}
	fmt.Println()
	// Output: 0 3 1 4 2
}
