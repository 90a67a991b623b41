"""Django's mail through django-anymail's backend for Postmark, as released."""

import os

import django
from anymail.exceptions import AnymailAPIError
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

token = os.environ["RESEND_API_KEY"].removeprefix("re_")
settings.configure(
    EMAIL_BACKEND="anymail.backends.postmark.EmailBackend",
    ANYMAIL={
        "POSTMARK_SERVER_TOKEN": token,
        "POSTMARK_API_URL": os.environ["RESEND_BASE_URL"].replace("/resend", "/postmark/"),
    },
    DEFAULT_FROM_EMAIL="Acme <onboarding@resend.dev>",
)
django.setup()


def email(**fields):
    return EmailMultiAlternatives(**{"subject": "Hello", "body": "Hello", "to": ["ann@example.com"], **fields})


def raised(message):
    try:
        message.send()
    except AnymailAPIError as error:
        return error
    raise AssertionError("nothing was raised")


full = email(
    cc=["carl@example.com"], bcc=["bob@example.com"], reply_to=["help@example.com"], headers={"X-Order": "7"}
)
full.attach_alternative("<p>Hello</p>", "text/html")
full.attach("a.txt", "paid", "text/plain")
full.metadata = {"order": "7"}
full.tags = ["receipt"]
full.track_opens = False
full.send()
assert full.anymail_status.message_id.startswith("snd_"), full.anymail_status
assert full.anymail_status.status == {"sent"}, full.anymail_status

batch = email(to=["b1@example.com", "b2@example.com"])
batch.merge_metadata = {"b1@example.com": {"order": "1"}, "b2@example.com": {"order": "2"}}
batch.send()
assert len({one.message_id for one in batch.anymail_status.recipients.values()}) == 2, batch.anymail_status

assert "400" in str(raised(email(from_email="a@elsewhere.example"))), "another's domain"
wrong = raised(email(connection=get_connection(server_token="nobody")))
assert wrong.status_code == 401, wrong
