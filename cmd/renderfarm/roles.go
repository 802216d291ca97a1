//go:build !js && !plan9

package main

import (
	"crypto/subtle"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

// minToken is the length of the shortest token.
const minToken = 16

// readToken returns the token in the file that a flag names.
func readToken(cmd *cobra.Command, flag, file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken {
		return "", cli.Misuse(cmd, "--%s: %s must contain at least %d characters", flag, file, minToken)
	}
	return token, nil
}

// role is a token with the permissions of clients that have it.
type role struct {
	token       string
	permissions *server.Permissions // nil: everything
}

// roles authenticates clients: a client is accepted if it has one of the tokens.
type roles []role

// Check implements [server.Authentication].
func (all roles) Check(c server.ClientAuthentication) bool {
	given := c.GetOpts().Token
	for _, r := range all {
		if subtle.ConstantTimeCompare([]byte(given), []byte(r.token)) == 1 {
			c.RegisterUser(&server.User{Permissions: r.permissions})
			return true
		}
	}
	return false
}

// hasRoles reports whether there are tokens for workers or viewers.
func (s *serving) hasRoles() bool { return s.workerTokenFile != "" || s.viewerTokenFile != "" }

// roles returns the roles of the server. The first one has the given token and may do everything; workers and viewers
// follow if they have tokens.
func (s *serving) roles(cmd *cobra.Command, token string) (roles, error) {
	all := roles{{token, nil}}
	for _, r := range []struct {
		flag, file  string
		permissions farm.Permissions
	}{
		{"worker-token-file", s.workerTokenFile, farm.WorkerPermissions()},
		{"viewer-token-file", s.viewerTokenFile, farm.ViewerPermissions()},
	} {
		if r.file == "" {
			continue
		}
		token, err := readToken(cmd, r.flag, r.file)
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if token == other.token {
				return nil, cli.Misuse(cmd, "--%s: %s contains the token of another role", r.flag, r.file)
			}
		}
		all = append(all, role{token, serverPermissions(r.permissions)})
	}
	return all, nil
}

// serverPermissions converts permissions to the type of the NATS server.
func serverPermissions(p farm.Permissions) *server.Permissions {
	s := &server.Permissions{Publish: &server.SubjectPermission{Allow: p.Publish}, Subscribe: &server.SubjectPermission{Allow: p.Subscribe}}
	if p.Respond {
		s.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: time.Minute}
	}
	return s
}
