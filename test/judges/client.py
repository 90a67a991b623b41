"""Resend's package for Python, as released: what it has calls for here, and the errors that it raises."""

import os
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import resend
from resend.exceptions import InvalidApiKeyError, RateLimitError, ResendError, ValidationError

sender = "Acme <onboarding@resend.dev>"


def email(**fields):
    return {"from": sender, "to": ["ann@example.com"], "subject": "Hello", "text": "Hello", **fields}


def raised(call):
    try:
        call()
    except ResendError as error:
        return error
    raise AssertionError("nothing was raised")


def until(call, holds):
    for _ in range(1500):
        found = call()
        if holds(found):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


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
seen = until(lambda: resend.Emails.get(sent["id"]), lambda email: email["last_event"] == "delivered")
assert seen["cc"] == ["carl@example.com"], seen

options = {"idempotency_key": "python-once"}
assert resend.Emails.send(email(), options)["id"] == resend.Emails.send(email(), options)["id"]
assert raised(lambda: resend.Emails.send(email(subject="Other"), options)).error_type == "invalid_idempotent_request"



def send_once(_):
    try:
        return resend.Emails.send(email(subject="Once"), {"idempotency_key": "python-thirty"})["id"]
    except ResendError as error:
        return error.error_type


with ThreadPoolExecutor(30) as threads:
    answers = set(threads.map(send_once, range(30)))
meanwhile = "concurrent_idempotent_requests"
once = until(lambda: send_once(0), lambda answer: answer != meanwhile)
assert answers <= {once, meanwhile}, answers

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

template = resend.Templates.create(
    {
        "name": "Python",
        "alias": "python",
        "subject": "Hello",
        "html": "<p>Hello {{{NAME}}}</p>",
        "variables": [{"key": "NAME", "type": "string", "fallback_value": "you"}],
    }
)
resend.Templates.publish(template["id"])
by_alias = {"id": "python", "variables": {"NAME": "Ann"}}
assert resend.Emails.send({"from": sender, "to": "ann@example.com", "template": by_alias})["id"]
assert [one["name"] for one in resend.Templates.list()["data"]].count("Python") == 1
assert resend.Templates.remove("python")["deleted"] is True

domain = resend.Domains.create({"name": "python.example.org"})
zone = [
    f"""{one["name"]}.example.org. 60 IN {one["type"]} {one.get("priority", "")} """
    + (f'"{one["value"]}"' if one["type"] == "TXT" else f"{one['value']}.")
    for one in domain["records"]
]
dns = os.environ["EMAIL_SERVICE_URL"] + "/_local/dns"
urllib.request.urlopen(urllib.request.Request(dns, "\n".join(zone).encode()))
resend.Domains.verify(domain["id"])
assert resend.Domains.get(domain["id"])["status"] == "verified"
resend.Emails.send(email(**{"from": "a@python.example.org"}))
assert domain["id"] in [one["id"] for one in resend.Domains.list()["data"]]


class Receiver(BaseHTTPRequestHandler):
    received = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.received.append((body, self.headers))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
Thread(target=receiver.serve_forever, daemon=True).start()
webhook = resend.Webhooks.create(
    {"endpoint": f"http://127.0.0.1:{receiver.server_port}/", "events": ["email.sent"]}
)
told = resend.Emails.send(email())["id"]
body, headers = until(
    lambda: next((one for one in Receiver.received if told in one[0]), None), lambda one: one
)
signed = {name: headers[f"svix-{name}"] for name in ("id", "timestamp", "signature")}
signature = {"headers": signed, "webhook_secret": webhook["signing_secret"]}
assert resend.Webhooks.verify({"payload": body, **signature})["data"]["email_id"] == told
try:
    resend.Webhooks.verify({"payload": body + " ", **signature})
    raise AssertionError("a changed body was verified")
except ValueError:
    pass
assert resend.Webhooks.get(webhook["id"])["status"] == "enabled"
assert resend.Webhooks.remove(webhook["id"])["deleted"] is True

created = resend.ApiKeys.create(
    {"name": "Python", "permission": "sending_access", "domain_id": domain["id"]}
)
assert created["id"] in [one["id"] for one in resend.ApiKeys.list()["data"]]
full_key, resend.api_key = resend.api_key, created["token"]
resend.Emails.send(email(**{"from": "a@python.example.org"}))
assert raised(resend.Domains.list).error_type == "restricted_api_key"
assert raised(lambda: resend.Emails.send(email())).error_type == "invalid_from_address"
resend.api_key = full_key
resend.ApiKeys.remove(created["id"])
resend.api_key = created["token"]
assert isinstance(raised(lambda: resend.Emails.send(email())), InvalidApiKeyError)
resend.api_key = full_key
assert resend.Domains.remove(domain["id"])["deleted"] is True

assert isinstance(raised(lambda: resend.Emails.send(email(to="nobody"))), ValidationError)
resend.api_key = "re_123"
assert isinstance(raised(lambda: resend.Emails.send(email())), InvalidApiKeyError)


def send_thrice():
    # Two of them at least are in one minute.
    for _ in range(3):
        resend.Emails.send(email())


resend.api_key = os.environ["RESEND_CAPPED_KEY"]
limited = raised(send_thrice)
assert isinstance(limited, RateLimitError) and int(limited.headers["retry-after"]) > 0, limited
