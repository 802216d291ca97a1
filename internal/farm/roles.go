//go:build !js && !plan9

package farm

// Permissions is what a role may do on the server, as NATS subjects with wildcards.
type Permissions struct {
	Publish   []string
	Subscribe []string
	Respond   bool // to a request, once
}

// WorkerPermissions returns what a worker needs: to read scenes and jobs, to take units, and to store results and reports. It
// can neither submit nor cancel jobs, nor delete anything.
func WorkerPermissions() Permissions {
	p := readerPermissions()
	p.Publish = append(p.Publish, "pillbox.result.>", "pillbox.news.>",
		"$JS.API.CONSUMER.INFO."+tasksStream+".*", "$JS.API.CONSUMER.MSG.NEXT."+tasksStream+".*", "$JS.ACK."+tasksStream+".>")
	p.Subscribe = append(p.Subscribe, pingSubject, wakeSubject)
	p.Respond = true
	return p
}

// ViewerPermissions returns what is needed to look at jobs, workers, logs and previews, and to change nothing.
func ViewerPermissions() Permissions {
	p := readerPermissions()
	p.Publish = append(p.Publish, pingSubject)
	return p
}

// readerPermissions returns what is needed to read what is stored. Consumers that a reader creates end with it; they cannot take
// units, as the queue hands these only to the consumers of jobs.
func readerPermissions() Permissions {
	p := Permissions{Publish: []string{"$JS.API.INFO", "$JS.FC.>"}, Subscribe: []string{"_INBOX.>"}}
	for _, stream := range []string{"KV_" + jobsBucket, "OBJ_" + filesBucket, tasksStream, resultsStream, newsStream} {
		p.Publish = append(p.Publish, "$JS.API.STREAM.INFO."+stream, "$JS.API.STREAM.MSG.GET."+stream,
			"$JS.API.DIRECT.GET."+stream, "$JS.API.DIRECT.GET."+stream+".>")
	}
	for _, stream := range []string{"KV_" + jobsBucket, "OBJ_" + filesBucket, newsStream} {
		p.Publish = append(p.Publish, "$JS.API.CONSUMER.CREATE."+stream+".>", "$JS.API.CONSUMER.DELETE."+stream+".*",
			"$JS.API.CONSUMER.MSG.NEXT."+stream+".*", "$JS.API.CONSUMER.INFO."+stream+".*")
	}
	return p
}
