"""Django's mail through django-anymail's backend for Resend, as released."""

import base64
import json
import os
import time
import urllib.request
from datetime import datetime, timedelta, timezone

import django
from anymail.exceptions import AnymailAPIError
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection, send_mail

key, base = os.environ["RESEND_API_KEY"], os.environ["RESEND_BASE_URL"]
sender = "Acme <onboarding@resend.dev>"
settings.configure(
    EMAIL_BACKEND="anymail.backends.resend.EmailBackend",
    ANYMAIL={"RESEND_API_KEY": key, "RESEND_API_URL": base},
    DEFAULT_FROM_EMAIL=sender,
)
django.setup()


def email(**fields):
    return EmailMultiAlternatives(**{"subject": "Hello", "body": "Hello", "to": ["ann@example.com"], **fields})


def refused(message):
    try:
        message.send()
    except AnymailAPIError as error:
        return error.status_code, json.loads(error.response.content)
    raise AssertionError("nothing was raised")


def read(id):
    request = urllib.request.Request(
        f"{base}/emails/{id}", headers={"Authorization": f"Bearer {key}"}
    )
    return json.load(urllib.request.urlopen(request))


assert send_mail("Hello", "Hello", None, ["ann@example.com"]) == 1

full = email(
    to=["Ann <ann@example.com>"],
    cc=["carl@example.com"],
    bcc=["bob@example.com"],
    reply_to=["help@example.com"],
    headers={"X-Order": 7},
)
full.attach_alternative('<p>Hello <img src="cid:logo"></p>', "text/html")
full.attach("a.txt", "paid", "text/plain")
full.attach("a.csv", "zażółć", "text/csv")
full.metadata = {"order": 7}
full.tags = ["receipt"]
full.esp_extra = {"tags": [{"name": "kind", "value": "receipt"}]}
from email.mime.image import MIMEImage  # noqa: E402

logo = MIMEImage(base64.b64decode("iVBORw0KGgo="), "png")
logo.add_header("Content-Disposition", "inline", filename="logo.png")
logo.add_header("Content-ID", "<logo>")
full.attach(logo)
full.send()
sent = full.anymail_status.message_id
for _ in range(1500):
    seen = read(sent)
    if seen["last_event"] == "delivered":
        break
    time.sleep(0.1)
assert seen["last_event"] == "delivered", seen
assert seen["cc"] == ["carl@example.com"] and seen["reply_to"] == ["help@example.com"], seen

later = email()
later.send_at = datetime.now(timezone.utc) + timedelta(hours=1)
later.send()
assert read(later.anymail_status.message_id)["last_event"] == "scheduled"

batch = email(to=["b1@example.com", "b2@example.com"])
batch.merge_data = {}
batch.merge_metadata = {"b1@example.com": {"order": 1}}
batch.send()
ids = {one.message_id for one in batch.anymail_status.recipients.values()}
assert len(ids) == 2, ids

status, said = refused(email(to=["ann@example.com"], from_email="a@elsewhere.example"))
assert "domain" in said["message"], said
assert said["statusCode"] == status, said
status, said = refused(email(headers={"Feedback-ID": "x"}))
assert said["name"] == "validation_error" and "Feedback-ID" in said["message"], said
status, said = refused(email(connection=get_connection(api_key="re_123")))
assert said["name"] in ("invalid_api_key", "validation_error") and status in (401, 403), said
