//go:build !js && !plan9

package farm

// Permissions lists what a client of the NATS server may do. The strings are NATS subjects with wildcards.
type Permissions struct {
	Publish   []string
	Subscribe []string
	Respond   bool // whether the client may send one reply to each request that it receives
}

// WorkerPermissions returns the permissions of a worker: to read scenes and jobs, take units, and store results and
// reports. A worker cannot submit or cancel jobs, or delete anything.
func WorkerPermissions() Permissions {
	p := readerPermissions()
	p.Publish = append(p.Publish, "pillbox.result.>", "pillbox.news.>",
		"$JS.API.CONSUMER.INFO."+tasksStream+".*", "$JS.API.CONSUMER.MSG.NEXT."+tasksStream+".*", "$JS.ACK."+tasksStream+".>")
	p.Subscribe = append(p.Subscribe, pingSubject, wakeSubject)
	p.Respond = true
	return p
}

// ViewerPermissions returns the permissions to read jobs, the states of workers, logs and previews, and to change none of
// them.
func ViewerPermissions() Permissions {
	p := readerPermissions()
	p.Publish = append(p.Publish, pingSubject)
	return p
}

// readerPermissions returns the permissions to read what the server stores. A reader can create and delete consumers of the
// jobs, the files and the news. It cannot take units, because that needs a consumer of the queue.
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
