//go:build !js && !plan9

package farm

import "slices"

// Role lists what a client with fewer rights than everything may do. The strings are NATS subjects with wildcards.
//
// A list of permissions is not enough to keep a client to them: the client chooses the subject of the reply to each of its
// requests, and the server publishes the reply there, whatever the subject is. With the reply subject
// "$JS.API.STREAM.PURGE.PILLBOX_TASKS", a permitted request empties the queue. So each role has an account of its own, in
// which no such subject exists. The account imports the subjects of the role from the account of the farm, and the
// server maps the replies back. Consumers would open the same hole, because their creator chooses the subject of their
// messages. So no role may create one.
type Role struct {
	Requests []string // requests to the farm, each with one reply, and messages
	Surveys  []string // requests to the farm with any number of replies
	Receives []string // messages of the farm
	Answers  []string // requests of the farm that the client answers
}

// WorkerRole returns the role of a worker: to read scenes and jobs, take units, and store results and reports. A worker
// cannot submit or cancel jobs, or delete anything.
func WorkerRole() Role {
	return Role{
		Requests: slices.Concat(reading(), []string{"pillbox.result.>", "pillbox.news.>", "$JS.API.CONSUMER.INFO." + tasksStream + ".*", "$JS.ACK." + tasksStream + ".>"}),
		Surveys:  []string{"$JS.API.CONSUMER.MSG.NEXT." + tasksStream + ".*"},
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

// Publish returns the subjects to which a client of the role may publish. It may also answer the requests that it receives.
func (r Role) Publish() []string { return slices.Concat(r.Requests, r.Surveys) }

// Subscribe returns the subjects to which a client of the role may subscribe.
func (r Role) Subscribe() []string { return slices.Concat([]string{"_INBOX.>"}, r.Receives, r.Answers) }
