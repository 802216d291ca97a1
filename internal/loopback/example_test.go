package loopback_test

import (
	"fmt"

	"pillbox/internal/loopback"
)

func ExampleNames() {
	for _, host := range []string{"127.0.0.1:8080", "[::1]", "localhost", "pillbox.example:8080"} {
		fmt.Println(host, loopback.Names(host))
	}
	// Output:
	// 127.0.0.1:8080 true
	// [::1] true
	// localhost true
	// pillbox.example:8080 false
}
