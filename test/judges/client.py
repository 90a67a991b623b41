"""Resend's package for Python, as released: an email's whole way, and the errors that it raises."""

import time

import resend
from resend.exceptions import InvalidApiKeyError, ResendError, ValidationError

sender = "Acme <onboarding@resend.dev>"


def email(**fields):
    return {"from": sender, "to": ["ann@example.com"], "subject": "Hello", "text": "Hello", **fields}


def raised(call):
    try:
        call()
    except ResendError as error:
        return error
    raise AssertionError("nothing was raised")


sent = resend.Emails.send(
    email(
        cc="carl@example.com",
        reply_to="help@example.com",
        html='<p>Hello <img src="cid:logo"></p>',
        headers={"X-Order": "7"},
        tags=[{"name": "kind", "value": "receipt"}],
        attachments=[
            {"filename": "a.txt", "content": list(b"paid")},
            {"filename": "logo.png", "content": "iVBORw0KGgo=", "content_id": "logo"},
        ],
    )
)
for _ in range(1500):
    seen = resend.Emails.get(sent["id"])
    if seen["last_event"] == "delivered":
        break
    time.sleep(0.1)
assert seen["last_event"] == "delivered", seen
assert seen["cc"] == ["carl@example.com"], seen

options = {"idempotency_key": "python-once"}
assert resend.Emails.send(email(), options)["id"] == resend.Emails.send(email(), options)["id"]
assert raised(lambda: resend.Emails.send(email(subject="Other"), options)).error_type == "invalid_idempotent_request"

later = resend.Emails.send(email(scheduled_at="in 1 hour"))["id"]
resend.Emails.update({"id": later, "scheduled_at": "in 2 hours"})
resend.Emails.cancel(later)
assert resend.Emails.get(later)["last_event"] == "canceled"

wrong = [email(to="b1@example.com"), email(to="nobody"), email(to="b2@example.com")]
assert isinstance(raised(lambda: resend.Batch.send(wrong)), ValidationError)
batch = resend.Batch.send(wrong, {"batch_validation": "permissive"})
assert len(batch["data"]) == 2, batch
assert batch["errors"][0]["index"] == 1, batch

page = resend.Emails.list({"limit": 2})
assert page["has_more"] is True and len(page["data"]) == 2, page

assert isinstance(raised(lambda: resend.Emails.send(email(to="nobody"))), ValidationError)
resend.api_key = "re_123"
assert isinstance(raised(lambda: resend.Emails.send(email())), InvalidApiKeyError)
