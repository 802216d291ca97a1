package pillbox

import (
	"os"
	"strings"
	"testing"
)

// TestLinkedHash checks that the linker's flag in the scripts sets the hash that SourceHash returns: the linker says nothing
// about a flag for a variable that does not exist.
func TestLinkedHash(t *testing.T) {
	const flag = "-X pillbox.linkedHash="
	for _, name := range []string{"scripts/release", "internal/tools/startcost/main.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), flag) {
			t.Errorf("%s does not contain %s", name, flag)
		}
	}
	defer func(was string) { linkedHash = was }(linkedHash)
	if linkedHash = "linked"; SourceHash() != linkedHash {
		t.Errorf("SourceHash returns %s", SourceHash())
	}
	if linkedHash = ""; len(SourceHash()) != 64 {
		t.Errorf("without the linker's flag, SourceHash returns %q", SourceHash())
	}
}
