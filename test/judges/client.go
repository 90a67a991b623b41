// Resend's package for Go, as released: what it has calls for here, and the errors that it returns.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/resend/resend-go/v2"
)

const sender = "Acme <onboarding@resend.dev>"

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

func requireRefusal(err error, words string) {
	require(err != nil && strings.Contains(err.Error(), words), words, err)
}

func email() *resend.SendEmailRequest {
	return &resend.SendEmailRequest{
		From:    sender,
		To:      []string{"ann@example.com"},
		Subject: "Hello",
		Text:    "Hello",
	}
}

func emailTo(address string) *resend.SendEmailRequest {
	one := email()
	one.To = []string{address}
	return one
}

func emailFrom(address string) *resend.SendEmailRequest {
	one := email()
	one.From = address
	return one
}

func sendWithAll(client *resend.Client) {
	full := email()
	full.Cc = []string{"carl@example.com"}
	full.Html = `<p>Hello <img src="cid:logo"></p>`
	full.Headers = map[string]string{"X-Order": "7"}
	full.Tags = []resend.Tag{{Name: "kind", Value: "receipt"}}
	full.Attachments = []*resend.Attachment{
		{Filename: "a.txt", Content: []byte("paid")},
		{Filename: "logo.png", Content: []byte("\x89PNG\r\n\x1a\n"), ContentId: "logo"},
	}
	sent := must(client.Emails.Send(full))
	seen := must(client.Emails.Get(sent.Id))
	for try := 0; try < 1500 && seen.LastEvent != "delivered"; try++ {
		time.Sleep(100 * time.Millisecond)
		seen = must(client.Emails.Get(sent.Id))
	}
	require(seen.LastEvent == "delivered", seen)
	require(slices.Equal(seen.Cc, full.Cc), seen)
}

func schedule(client *resend.Client) {
	later := email()
	later.ScheduledAt = "in 1 hour"
	id := must(client.Emails.Send(later)).Id
	must(client.Emails.Update(&resend.UpdateEmailRequest{Id: id, ScheduledAt: "in 2 hours"}))
	must(client.Emails.Cancel(id))
	require(must(client.Emails.Get(id)).LastEvent == "canceled", id)
}

func sendOnce(client *resend.Client) {
	once := &resend.SendEmailOptions{IdempotencyKey: "go-once"}
	type answer struct {
		sent *resend.SendEmailResponse
		err  error
	}
	send := func() (*resend.SendEmailResponse, error) {
		return client.Emails.SendWithOptions(context.Background(), email(), once)
	}
	answers := make(chan answer)
	for range 30 {
		go func() {
			sent, err := send()
			answers <- answer{sent, err}
		}()
	}
	ids := map[string]bool{}
	for range 30 {
		if one := <-answers; one.err != nil {
			requireRefusal(one.err, "is in progress")
		} else {
			ids[one.sent.Id] = true
		}
	}
	ids[must(send()).Id] = true
	require(len(ids) == 1, ids)
	other := email()
	other.Subject = "Other"
	_, err := client.Emails.SendWithOptions(context.Background(), other, once)
	requireRefusal(err, "dempotency")
}

func sendBatches(client *resend.Client) {
	require(len(must(client.Batch.Send([]*resend.SendEmailRequest{email(), email()})).Data) == 2)
	wrong := []*resend.SendEmailRequest{emailTo("b1@example.com"), emailTo("nobody"), emailTo("b2@example.com")}
	_, err := client.Batch.Send(wrong)
	requireRefusal(err, "emails.1.to")
	permissive := &resend.BatchSendEmailOptions{
		BatchValidation: resend.BatchValidationPermissive,
		IdempotencyKey:  "go-digest",
	}
	batch := must(client.Batch.SendWithOptions(context.Background(), wrong, permissive))
	require(len(batch.Data) == 2 && len(batch.Errors) == 1 && batch.Errors[0].Index == 1, batch)
	again := must(client.Batch.SendWithOptions(context.Background(), wrong, permissive))
	require(slices.Equal(batch.Data, again.Data), again)
}

func list(client *resend.Client) {
	limit := 2
	page := must(client.Emails.ListWithOptions(context.Background(), &resend.ListOptions{Limit: &limit}))
	require(page.HasMore && len(page.Data) == 2, page)
	next := &resend.ListOptions{Limit: &limit, After: &page.Data[1].Id}
	rest := must(client.Emails.ListWithOptions(context.Background(), next))
	require(rest.Data[0].Id != page.Data[0].Id, rest)
}

// Puts the records into the DNS of the twin, as a person puts them into a zone.
func publish(records []resend.Record) {
	zone := ""
	for _, one := range records {
		value := one.Value + "."
		if one.Type == "TXT" {
			value = `"` + one.Value + `"`
		}
		zone += fmt.Sprintf("%s.example.org. 60 IN %s %s %s\n", one.Name, one.Type, one.Priority, value)
	}
	must(http.Post(os.Getenv("EMAIL_SERVICE_URL")+"/_local/dns", "text/plain", strings.NewReader(zone)))
}

func useDomainAndKey(client *resend.Client) {
	domain := must(client.Domains.Create(&resend.CreateDomainRequest{Name: "go.example.org"}))
	publish(domain.Records)
	must(client.Domains.Verify(domain.Id))
	require(must(client.Domains.Get(domain.Id)).Status == "verified", domain)
	require(slices.ContainsFunc(must(client.Domains.List()).Data, func(one resend.Domain) bool {
		return one.Id == domain.Id
	}), domain)

	created := must(client.ApiKeys.Create(&resend.CreateApiKeyRequest{
		Name:       "Go",
		Permission: "sending_access",
		DomainId:   domain.Id,
	}))
	require(slices.ContainsFunc(must(client.ApiKeys.List()).Data, func(one resend.ApiKey) bool {
		return one.Id == created.Id
	}), created.Id)
	restricted := resend.NewClient(created.Token)
	must(restricted.Emails.Send(emailFrom("a@go.example.org")))
	_, err := restricted.Emails.Send(email())
	require(err != nil, "a key of one domain sent from another")
	_, err = restricted.Domains.List()
	require(err != nil, "a key that sends listed domains")
	must(client.ApiKeys.Remove(created.Id))
	_, err = restricted.Emails.Send(emailFrom("a@go.example.org"))
	require(err != nil, "a deleted key sent an email")
	must(client.Domains.Remove(domain.Id))
}

func next[Value any](values chan Value) Value {
	select {
	case value := <-values:
		return value
	case <-time.After(150 * time.Second):
		panic("no webhook came")
	}
}

func receiveWebhook(client *resend.Client) {
	received := make(chan *resend.VerifyWebhookOptions, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		received <- &resend.VerifyWebhookOptions{
			Payload: string(must(io.ReadAll(request.Body))),
			Headers: resend.WebhookHeaders{
				Id:        request.Header.Get("svix-id"),
				Timestamp: request.Header.Get("svix-timestamp"),
				Signature: request.Header.Get("svix-signature"),
			},
		}
	}))
	events := []string{resend.EventEmailSent}
	webhook := must(client.Webhooks.Create(&resend.CreateWebhookRequest{Endpoint: receiver.URL, Events: events}))
	id := must(client.Emails.Send(email())).Id
	message := next(received)
	for !strings.Contains(message.Payload, id) {
		message = next(received)
	}
	message.WebhookSecret = webhook.SigningSecret
	if err := client.Webhooks.Verify(message); err != nil {
		log.Fatal(err)
	}
	message.Payload += " "
	require(client.Webhooks.Verify(message) != nil, "a changed body was verified")
	require(must(client.Webhooks.Get(webhook.Id)).Status == "enabled", webhook.Id)
	require(must(client.Webhooks.Remove(webhook.Id)).Deleted, webhook.Id)
}

func main() {
	client := resend.NewClient(os.Getenv("RESEND_API_KEY"))
	sendWithAll(client)
	schedule(client)
	sendOnce(client)
	sendBatches(client)
	list(client)
	useDomainAndKey(client)
	receiveWebhook(client)

	_, err := client.Emails.Send(emailTo("nobody"))
	requireRefusal(err, "`to")
	_, err = resend.NewClient("re_123").Emails.Send(email())
	require(err != nil, "a wrong key sent an email")

	capped := resend.NewClient(os.Getenv("RESEND_CAPPED_KEY"))
	// Of three, two at least are in one minute.
	err = nil
	for try := 0; try < 3 && err == nil; try++ {
		_, err = capped.Emails.Send(email())
	}
	limited := &resend.RateLimitError{}
	require(errors.As(err, &limited) && limited.RetryAfter != "" && limited.Limit == "1", err)
}
