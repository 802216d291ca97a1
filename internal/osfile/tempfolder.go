package osfile

import "os"

// TempFolder creates a folder for temporary files whose name begins with prefix. [Outputs.RemoveFolder]
// removes it with everything in it.
//
// A process that is killed cannot remove its folder. On systems with flock, TempFolder therefore first
// removes this user's folders with the same prefix whose processes no longer exist.
func (o *Outputs) TempFolder(prefix string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return "", errAbandoned
	}
	removeDead(os.TempDir(), prefix)
	name, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", err
	}
	lock, err := lockFolder(name)
	if err != nil {
		os.RemoveAll(name)
		return "", err
	}
	if o.folders == nil {
		o.folders = make(map[string]*os.File)
	}
	o.folders[name] = lock
	return name, nil
}

// RemoveFolder removes a folder of [Outputs.TempFolder].
func (o *Outputs) RemoveFolder(name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.removeFolder(name)
}

// removeFolder does the same as RemoveFolder. The caller holds the lock of o.
func (o *Outputs) removeFolder(name string) error {
	if lock := o.folders[name]; lock != nil {
		lock.Close() // Windows does not remove open files
	}
	delete(o.folders, name)
	return os.RemoveAll(name)
}
