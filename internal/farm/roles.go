//go:build !js && !plan9

package farm

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
)

// Role lists what a client with fewer rights than everything may do. The strings are NATS subjects with wildcards.
//
// A list of permissions is not enough to keep a client to them: the client chooses the subject of the reply to each of its
// requests, and the server publishes the reply there, whatever the subject is. With the reply subject
// "$JS.API.STREAM.PURGE.PILLBOX_TASKS", a permitted request empties the queue. So each role has an account of its own, in
// which no such subject exists. The account imports the subjects of the role from the account of the farm, and the
// server maps the replies back. Consumers would open the same hole, because their creator chooses the subject of their
// messages. So no role may create one. Workers take units through the gate of the server.
type Role struct {
	Requests []string // requests to the farm, each with one reply, and messages
	Reports  []string // messages to the farm, without their last part, which is the mark of the connection
	Surveys  []string // requests to the farm with any number of replies
	Receives []string // messages of the farm
	Answers  []string // requests of the farm that the client answers
}

// WorkerRole returns the role of a worker: to read scenes and jobs, take units, and store results and reports. A worker
// cannot submit or cancel jobs, or delete anything.
func WorkerRole() Role {
	return Role{
		Requests: slices.Concat(reading(), []string{"pillbox.result.>", "$JS.API.CONSUMER.INFO." + tasksStream + ".*", gateSubject, takeSubject + "*", ackSubject + ">"}),
		Reports:  []string{newsSubject("*", "*", "")},
		Receives: []string{wakeSubject},
		Answers:  []string{pingSubject},
	}
}

// ViewerRole returns the role that reads jobs, the states of workers, logs and previews, and changes none of them.
func ViewerRole() Role { return Role{Requests: reading(), Surveys: []string{pingSubject}} }

// reading returns the requests that read what the server stores.
func reading() []string {
	var all []string
	for _, stream := range []string{"KV_" + jobsBucket, "OBJ_" + filesBucket, tasksStream, resultsStream, newsStream} {
		all = append(all, "$JS.API.STREAM.INFO."+stream, "$JS.API.DIRECT.GET."+stream, "$JS.API.DIRECT.GET."+stream+".>")
	}
	return all
}

// AllReports returns the subjects of the reports of all clients of the role.
func (r Role) AllReports() (all []string) {
	for _, subject := range r.Reports {
		all = append(all, subject+"*")
	}
	return all
}

// Publish returns the subjects to which a client of the role may publish, if its connection has the given name. It may also answer
// the requests that it receives. The server keeps a few reports for each subject, so each connection has subjects of its own: it
// cannot push out the reports of others.
func (r Role) Publish(name string) []string {
	all := slices.Concat(r.Requests, r.Surveys)
	if secret := secretIn(name); secret != "" {
		for _, subject := range r.Reports {
			all = append(all, subject+markOf(secret))
		}
	}
	return all
}

// Subscribe returns the subjects to which a client of the role may subscribe, if its connection has the given name. Replies
// reach only the client that knows the secret in the name: with the replies to a worker, others could end its units.
func (r Role) Subscribe(name string) []string {
	replies := inboxOf("none") // an empty list would allow everything
	if secret := secretIn(name); secret != "" {
		replies = inboxOf(secret) + ".>"
	}
	return slices.Concat([]string{replies}, r.Receives, r.Answers)
}

// secretIn returns the secret in the name of a connection, or "" if it has none.
func secretIn(name string) string {
	if secret := name[strings.LastIndexByte(name, ' ')+1:]; isID(secret) {
		return secret
	}
	return ""
}

// markOf returns the mark of a connection, which everybody may know, from its secret.
func markOf(secret string) string {
	sum := sha256.Sum256([]byte("pillbox mark\n" + secret))
	return hex.EncodeToString(sum[:8])
}

// inboxOf returns what the subjects begin with on which a client with the given secret receives replies.
func inboxOf(secret string) string { return "_INBOX." + secret }

// private returns the options of a connection with the given name to which replies are sent that nobody else can read, and the
// mark of its reports.
func private(name string) (options []nats.Option, mark string) {
	secret := newID()
	return []nats.Option{nats.Name(name + " " + secret), nats.CustomInboxPrefix(inboxOf(secret))}, markOf(secret)
}

// newID returns a random text for which isID returns true.
func newID() string {
	var b [sha256.Size / 2]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
