//go:build !js && !plan9

package main

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"os"
	"slices"
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

// role is a token, with the role of clients that have it.
type role struct {
	token string
	may   *farm.Role      // nil: everything
	home  *server.Account // of these clients; nil: the account of the farm
}

// roles authenticates clients: a client is accepted if it has one of the tokens.
type roles struct {
	all    []role
	opened chan struct{} // closed when the accounts exist
}

// Check implements [server.Authentication].
func (rs *roles) Check(c server.ClientAuthentication) bool {
	given := c.GetOpts().Token
	<-rs.opened
	for _, r := range rs.all {
		if subtle.ConstantTimeCompare([]byte(given), []byte(r.token)) == 1 {
			c.RegisterUser(&server.User{Account: r.home, Permissions: serverPermissions(r.may, c.GetOpts().Name)})
			return true
		}
	}
	return false
}

// open creates the accounts of the roles on a server that is ready. Until then, clients wait.
func (rs *roles) open(srv *server.Server) error {
	defer close(rs.opened)
	everything := srv.GlobalAccount()
	for i := range rs.all {
		r := &rs.all[i]
		if r.home = everything; r.may == nil {
			continue
		}
		var err error
		if r.home, err = srv.RegisterAccount(fmt.Sprintf("ROLE_%d", i)); err != nil {
			return err
		}
		if err := connectAccounts(everything, r.home, r.may); err != nil {
			return err
		}
	}
	return nil
}

// connectAccounts lets the clients of an account do in the account of the farm what their role may.
func connectAccounts(everything, home *server.Account, may *farm.Role) error {
	service := func(from, to *server.Account, subject string, replies server.ServiceRespType) error {
		return errors.Join(to.AddServiceExportWithResponse(subject, replies, nil), from.AddServiceImport(to, subject, subject))
	}
	var err error
	for _, subject := range slices.Concat(may.Requests, may.AllReports()) {
		err = errors.Join(err, service(home, everything, subject, server.Singleton))
	}
	for _, subject := range may.Surveys {
		err = errors.Join(err, service(home, everything, subject, server.Streamed))
	}
	for _, subject := range may.Answers {
		err = errors.Join(err, service(everything, home, subject, server.Streamed))
	}
	for _, subject := range may.Receives {
		err = errors.Join(err, everything.AddStreamExport(subject, nil), home.AddStreamImport(everything, subject, ""))
	}
	return err
}

// hasRoles reports whether there are tokens for workers or viewers.
func (s *serving) hasRoles() bool { return s.workerTokenFile != "" || s.viewerTokenFile != "" }

// roles returns the roles of the server. The first one has the given token and may do everything; workers and viewers
// follow if they have tokens.
func (s *serving) roles(cmd *cobra.Command, token string) (*roles, error) {
	all := []role{{token: token}}
	for _, r := range []struct {
		flag, file string
		may        farm.Role
	}{
		{"worker-token-file", s.workerTokenFile, farm.WorkerRole()},
		{"viewer-token-file", s.viewerTokenFile, farm.ViewerRole()},
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
		all = append(all, role{token: token, may: &r.may})
	}
	return &roles{all: all, opened: make(chan struct{})}, nil
}

// serverPermissions converts a role to permissions of the NATS server, in the account of the role, for a connection with the
// given name.
func serverPermissions(may *farm.Role, name string) *server.Permissions {
	if may == nil {
		return nil
	}
	s := &server.Permissions{Publish: &server.SubjectPermission{Allow: may.Publish(name)}, Subscribe: &server.SubjectPermission{Allow: may.Subscribe(name)}}
	if len(may.Answers) > 0 {
		s.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: time.Minute}
	}
	return s
}
