// Resend's package for Go, as released: an email's whole way, and the errors that it returns.
package main

import (
	"log"
	"os"
	"strings"
	"time"

	"github.com/resend/resend-go/v2"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func require(holds bool, what ...any) {
	if !holds {
		log.Fatal(what...)
	}
}

func email() *resend.SendEmailRequest {
	return &resend.SendEmailRequest{
		From:    "Acme <onboarding@resend.dev>",
		To:      []string{"ann@example.com"},
		Subject: "Hello",
		Text:    "Hello",
	}
}

func main() {
	client := resend.NewClient(os.Getenv("RESEND_API_KEY"))

	full := email()
	full.Cc = []string{"carl@example.com"}
	full.Html = "<p>Hello</p>"
	full.Headers = map[string]string{"X-Order": "7"}
	full.Tags = []resend.Tag{{Name: "kind", Value: "receipt"}}
	full.Attachments = []*resend.Attachment{{Filename: "a.txt", Content: []byte("paid")}}
	sent := must(client.Emails.Send(full))
	seen := must(client.Emails.Get(sent.Id))
	for try := 0; try < 300 && seen.LastEvent != "delivered"; try++ {
		time.Sleep(100 * time.Millisecond)
		seen = must(client.Emails.Get(sent.Id))
	}
	require(seen.LastEvent == "delivered", seen)

	later := email()
	later.ScheduledAt = "in 1 hour"
	id := must(client.Emails.Send(later)).Id
	must(client.Emails.Update(&resend.UpdateEmailRequest{Id: id, ScheduledAt: "in 2 hours"}))
	must(client.Emails.Cancel(id))
	require(must(client.Emails.Get(id)).LastEvent == "canceled", id)

	batch := must(client.Batch.Send([]*resend.SendEmailRequest{email(), email()}))
	require(len(batch.Data) == 2, batch)

	wrong := email()
	wrong.To = []string{"nobody"}
	_, err := client.Emails.Send(wrong)
	require(err != nil && strings.Contains(err.Error(), "`to"), err)
	_, err = resend.NewClient("re_123").Emails.Send(email())
	require(err != nil, "a wrong key sent an email")
}
