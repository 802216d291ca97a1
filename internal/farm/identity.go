//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pillbox/internal/text"
	"pillbox/internal/version"
)

// versionKey is the key of the farm's identity in the jobs bucket.
const versionKey = "version"

// identity describes a program that takes part in a farm. All programs of a farm must agree in every field except Build.
type identity struct {
	Format   int    `json:"format"`
	Renderer string `json:"renderer"` // the hash of its source
	Probe    string `json:"probe"`    // the hash of the probe scenes' pictures
	Build    string `json:"build"`    // version and commit, for messages
}

// identity returns the identity of this program.
func (f *Farm) identity() identity {
	return identity{Format, f.renderer, ProbeHash, version.Build()}
}

// matches reports whether programs with the two identities can take part in the same farm.
func (v identity) matches(other identity) bool {
	v.Build, other.Build = "", ""
	return v == other
}

func (v identity) String() string {
	if v.Renderer == "" {
		return fmt.Sprintf("format %d", v.Format)
	}
	return fmt.Sprintf("renderer %s (%s)", short(v.Renderer), text.Escape(v.Build))
}

// otherRenderer is the error for a job, task or result that belongs to another renderer.
type otherRenderer struct{ what, its, own string }

func (e *otherRenderer) Error() string {
	return fmt.Sprintf("%s is of renderer %s, and this program has renderer %s", e.what, short(e.its), short(e.own))
}

// otherIdentity is the error for a farm whose identity does not match this program's.
type otherIdentity struct{ farm, own identity }

func (e *otherIdentity) Error() string {
	return fmt.Sprintf("the farm has %v, and this program %v: use the same program on all machines, or run 'renderfarm purge URL' with this one, which deletes the farm's jobs and results", e.farm, e.own)
}

// checkIdentity compares the program's identity with the farm's. The first program to connect sets the identity of the
// farm.
func (f *Farm) checkIdentity(ctx context.Context) error {
	agreed, err := f.agree(ctx, versionKey, marshal(f.identity()))
	if err != nil {
		return err
	}
	return f.compareIdentity(agreed)
}

// compareIdentity returns nil if data, the stored identity of the farm, matches the identity of this program, and an
// error if not.
func (f *Farm) compareIdentity(data []byte) error {
	var v identity
	if err := unmarshal(data, &v); err != nil || !v.matches(f.identity()) {
		return &otherIdentity{v, f.identity()}
	}
	return nil
}

// Purge connects to a farm and gives it the identity of this program. It deletes the farm's jobs, results, agreed sizes
// of units and exclusions of workers. Afterwards the farm serves programs with the same renderer; workers with another
// renderer end. The files of scenes remain. Purge returns the number of deleted results. A slow worker of another renderer can
// still store a last result, which no program uses.
func Purge(ctx context.Context, name string, a Access) (results int, err error) {
	a.purges = true
	f, err := Connect(ctx, name, a)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.results.Info(ctx)
	if err != nil {
		return 0, err
	}
	// The jobs end first, so that no job waits for results that are deleted.
	keys, err := f.jobs.ListKeysFiltered(ctx, "job.*", "cell.*", "banned.*")
	if err != nil {
		return 0, err
	}
	for key := range keys.Keys() {
		if strings.HasPrefix(key, "job.") {
			err = errors.Join(err, f.jobs.Delete(ctx, key)) // notifies all waiters
		} else {
			err = errors.Join(err, f.jobs.Purge(ctx, key))
		}
	}
	if err != nil {
		return 0, err
	}
	if err := errors.Join(f.tasks.Purge(ctx), f.anchor(ctx)); err != nil {
		return 0, err
	}
	pause(ctx, 2*watchTime) // workers with another renderer notice the new identity, and store no more results
	return int(info.State.Msgs), f.results.Purge(ctx)
}
