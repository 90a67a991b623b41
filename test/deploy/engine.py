"""MiniStack, with what it lacks stood in for: one function each, whose text says what the engine doesn't do.

`python engine.py --gaps` lists them.
"""

import asyncio
import json
import os
import re
import signal
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

from ministack import app
from ministack.core import iam_actions, iam_evaluator, lambda_runtime
from ministack.services import lambda_svc, ses_v2, sns, tagging
from ministack.services.cloudformation import _stacks, provisioners
from ministack.services.cloudformation import engine as cloudformation

GAPS = []


def gap(stand_in):
    GAPS.append(stand_in)
    return stand_in


@gap
def metric_math():
    """CloudFormation refuses alarms on metric math. They are kept, without data."""
    record = provisioners._cw_metric_alarm_record

    def kept(name, props):
        if not props.get("Metrics"):
            return record(name, props)
        plain = {key: value for key, value in props.items() if key != "Metrics"}
        return record(name, {**plain, "MetricName": "math", "Namespace": "math"})

    provisioners._cw_metric_alarm_record = kept


@gap
def arn_of_a_secret():
    """`Ref` of a secret is its name. On AWS it is its ARN, which policies and functions name."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def name_of(arn):
        return next((name for name, one in provisioners._sm._secrets.items() if one["ARN"] == arn), arn)

    def by_arn(answer):
        _, attributes = answer
        return attributes["Arn"], attributes

    handlers["create"] = lambda *given: by_arn(create(*given))
    handlers["update"] = lambda arn, *given, **named: by_arn(update(name_of(arn), *given, **named))
    handlers["delete"] = lambda arn, props: delete(name_of(arn), props)


@gap
def secrets_in_nested_stacks():
    """Nested stacks take `{{resolve:secretsmanager:…}}` as it stands."""
    provision, update = provisioners._provision_resource, provisioners._update_resource

    def resolved(props):
        return cloudformation._resolve_dynamic_references(props)[0]

    def provisioned(kind, logical_id, props, *given):
        return provision(kind, logical_id, resolved(props), *given)

    def updated(kind, physical_id, old, new, *given):
        return update(kind, physical_id, resolved(old), resolved(new), *given)

    # Stacks themselves have their own, and resolve.
    provisioners._provision_resource = provisioned
    provisioners._update_resource = updated


@gap
def attributes_in_nested_stacks():
    """An update of a nested stack forgets the attributes of what it leaves as it is, which the next function names."""
    update = provisioners._update_resource

    def updated(kind, physical_id, old, new, stack_name, logical_id=None, attributes=None):
        if attributes is None:
            attributes = _stacks[stack_name]["_resources"].get(logical_id, {}).get("Attributes")
        return update(kind, physical_id, old, new, stack_name, logical_id, attributes)

    provisioners._update_resource = updated


@gap
def secrets_to_import():
    """A secret can't be imported into a stack."""
    def imported(identifier):
        arn = identifier["Id"]
        return arn, {"Arn": arn, "Id": arn}

    provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]["import"] = imported


@gap
def addresses_in_variables():
    """Functions run as plain processes: amazonaws.com and /var/task, where their variables point, aren't there."""
    start = lambda_runtime.Worker.__init__
    port = os.environ["GATEWAY_PORT"]

    def here(value):
        value = re.sub(r"^https://([\w.-]+)\.s3\.[\w-]+\.amazonaws\.com", rf"https://localhost:{port}/\1", value)
        value = re.sub(r"^https://\w+\.[\w-]+\.amazonaws\.com", f"https://localhost:{port}", value)
        return re.sub(r"^/var/task$", ".", value)

    def started(self, name, config, code):
        variables = config.get("Environment", {}).get("Variables", {})
        variables = {key: here(value) for key, value in variables.items()}
        start(self, name, {**config, "Environment": {"Variables": variables}}, code)

    lambda_runtime.Worker.__init__ = started


@gap
def seconds_of_functions():
    """Functions time out as on AWS, but ten of them share a machine that has other work, too: they get tenfold."""
    start = lambda_runtime.Worker.__init__

    def started(self, name, config, code):
        start(self, name, {**config, "Timeout": 10 * config.get("Timeout", 3)}, code)

    lambda_runtime.Worker.__init__ = started


@gap
def windows_of_streams():
    """A stream with a tumbling window invokes without what a window brings: the shard, the window, its state."""
    execute = lambda_svc._execute_function

    def executed(function, event, *given, **named):
        records = event.get("Records") or [{}] if isinstance(event, dict) else [{}]
        if records[0].get("eventSource") == "aws:dynamodb":
            event = {**event, "shardId": "shardId-1", "window": {}, "state": {}}
        return execute(function, event, *given, **named)

    lambda_svc._execute_function = executed


@gap
def cookies_of_requests():
    """HTTP API leaves cookies in a header. In format 2.0 they are a field of their own."""
    execute = lambda_svc._execute_function_with_config_scope

    def executed(function, event, *given, **named):
        headers = event.get("headers") or {} if isinstance(event, dict) else {}
        if "cookie" in headers and event.get("version") == "2.0":
            others = {name: value for name, value in headers.items() if name != "cookie"}
            event = {**event, "headers": others, "cookies": headers["cookie"].split("; ")}
        return execute(function, event, *given, **named)

    lambda_svc._execute_function_with_config_scope = executed


@gap
def failures_of_topics():
    """A function that a topic invokes has no destination for what it fails on."""

    class Asynchronously:
        _execute_function_with_config_scope = staticmethod(lambda_svc.invoke_async_with_retry)

        def __getattr__(self, name):
            return getattr(lambda_svc, name)

    sns._lambda_svc = Asynchronously()


@gap
def ses():
    """SES publishes no event, has no MAIL FROM and verifies every domain. The local twin's SES answers in its place,
    after the engine's IAM has let the call pass. Configuration sets stay the engine's; so do topics, whose policies
    are asked before an event is published."""
    answer = ses_v2.handle_request
    target = os.environ["TWIN_SES"]

    def relay(method, path, query, headers, body):
        asked = f"?{urllib.parse.urlencode(query, doseq=True)}" if query else ""
        request = urllib.request.Request(f"{target}{path}{asked}", method=method, data=body or None)
        request.add_header("content-type", "application/json")
        # The mailbox wants to see a signature.
        request.add_header("authorization", headers.get("authorization", ""))
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, dict(response.headers), response.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def publish(event):
        name = event["mail"]["tags"]["ses:configuration-set"][0]
        kind = re.sub(r"(?<=[a-z])[ ]?(?=[A-Z])", "_", event["eventType"]).upper()
        source = ses_v2._resource_arn("configuration-set", name)
        _, _, content = ses_v2._event_destinations_request("GET", name, None, {})
        for one in json.loads(content)["EventDestinations"]:
            if kind not in one["MatchingEventTypes"] or "SnsDestination" not in one:
                continue
            topic = one["SnsDestination"]["TopicArn"]
            if not sns.topic_policy_allows(topic, "ses.amazonaws.com", source, os.environ["MINISTACK_ACCOUNT_ID"]):
                return 403, {}, f"{topic} doesn't let SES publish".encode()
            sns.publish_internal(topic, event, "Amazon SES Email Event Notification")
        return 200, {}, b"{}"

    async def answered(method, path, headers, body, query):
        if path == "/v2/email/events":
            return publish(json.loads(body))
        if path.startswith(("/v2/email/configuration-sets", "/v2/email/list-configuration-sets")):
            return await answer(method, path, headers, body, query)
        # Its tags, which policies ask for.
        if path.startswith(("/v2/email/identities", "/v2/email/tags", "/v2/email/tenants")):
            await answer(method, path, headers, body, query)
        status, kept, content = await asyncio.to_thread(relay, method, path, query, headers, body)
        names = ("content-type", "x-amzn-errortype")
        return status, {name: value for name, value in kept.items() if name.lower() in names}, content

    ses_v2.handle_request = answered


@gap
def resources_of_a_send():
    """IAM asks whether a send may be made at all, not from which identity and through which configuration set."""
    enforce = app._enforce_ses_v2

    def enforced(method, path, headers, body, query, request_id):
        if path != "/v2/email/outbound-emails" or not body:
            return enforce(method, path, headers, body, query, request_id)
        send = json.loads(body)
        domain = re.sub(r"^.*@|>$", "", send.get("FromEmailAddress", ""))
        names = (f"identity/{domain}", f"configuration-set/{send.get('ConfigurationSetName', '')}")
        arn = f"arn:aws:ses:{app.extract_region(headers, query)}:{os.environ['MINISTACK_ACCOUNT_ID']}"
        return next(filter(None, (
            app._enforce_data_plane("sesv2", "ses:SendEmail", headers, query, request_id,
                                    resource_arn=f"{arn}:{name}", named_resource=f"{arn}:{name}")
            for name in names
        )), None)

    app._enforce_ses_v2 = enforced


@gap
def resources_of_tags():
    """IAM asks for `ses:TagResource` and `ses:UntagResource` of `*`. On AWS they name the resource that is tagged."""
    arn_of = iam_actions.extract_resource_arn

    def named(service, method, path, headers, body, query, *given):
        if service != "ses" or path != "/v2/email/tags":
            return arn_of(service, method, path, headers, body, query, *given)
        asked = json.loads(body) if body else query
        arn = asked.get("ResourceArn", "*")
        return arn[0] if isinstance(arn, list) else arn

    iam_actions.extract_resource_arn = named


@gap
def batches_of_queues():
    """IAM asks for `sqs:SendMessageBatch`. AWS has no such action: a batch needs what a message needs."""
    action_of = iam_actions.extract_iam_action

    def named(service, *given):
        action = action_of(service, *given)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    iam_actions.extract_iam_action = named


@gap
def keys_of_table_requests():
    """IAM knows `dynamodb:Attributes` of projections only, and no `dynamodb:LeadingKeys` or `dynamodb:ReturnValues`."""
    attribute = re.compile(r"(?<![:\w.#\]])(#?[A-Za-z_]\w*)(?!\w*\s*\()")
    words = {"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "IN", "BETWEEN"}
    context_of, checks_of, enforce = (
        iam_actions.dynamodb_service_context, iam_actions.dynamodb_transaction_checks, iam_evaluator.enforce)

    def keys_of(request):
        item = request.get("Key") or request.get("Item") or {}
        names = request.get("ExpressionAttributeNames") or {}
        found = set(item)
        for field, expression in request.items():
            if field.endswith("Expression"):
                found |= {names.get(one, one) for one in attribute.findall(expression) if one.upper() not in words}
        keys = {"dynamodb:Attributes": sorted(found)}
        leading = item.get("pk", {}).get("S")
        if leading is None and "KeyConditionExpression" in request:
            asked = re.search(r"[#\w]+ = (:\w+)", request["KeyConditionExpression"])[1]
            leading = request["ExpressionAttributeValues"][asked].get("S")
        if leading is not None:
            keys["dynamodb:LeadingKeys"] = [leading]
        if "ReturnValues" in request:
            keys["dynamodb:ReturnValues"] = request["ReturnValues"]
        return keys

    class Part(str):
        """The table's ARN, with what a transaction does to it."""

    def parts(action, body, *given):
        checks = checks_of(action, body, *given)
        kinds = iam_actions._DYNAMODB_TRANSACT_ITEM_ACTIONS
        items = [one[kind] for one in json.loads(body or b"{}").get("TransactItems", []) for kind in kinds if kind in one]
        marked = []
        for (part_action, arn), item in zip(checks, items):
            part = Part(arn)
            part.keys = keys_of(item)
            marked.append((part_action, part))
        return marked

    def enforced(key, action, service, region, resource_arn="*", service_context=None):
        own = resource_arn.keys if isinstance(resource_arn, Part) else {}
        return enforce(key, action, service, region, resource_arn=str(resource_arn),
                       service_context={**(service_context or {}), **own})

    iam_actions.dynamodb_service_context = lambda body: {**context_of(body), **keys_of(json.loads(body or b"{}"))}
    iam_actions.dynamodb_transaction_checks = parts
    iam_evaluator.enforce = enforced


@gap
def tags_of_ses():
    """IAM knows no tags of SES's identities and tenants."""
    tagging._RESOURCE_TAG_COLLECTORS["ses"] = lambda: list(ses_v2._ses_tags.items())


if __name__ == "__main__":
    if sys.argv[1:] == ["--gaps"]:
        print(json.dumps({one.__name__: " ".join(one.__doc__.split()) for one in GAPS}, indent=2))
        sys.exit()
    for one in GAPS:
        one()
    # Whoever started it holds its input open, and may be killed.
    threading.Thread(target=lambda: (sys.stdin.read(), os.killpg(0, signal.SIGKILL)), daemon=True).start()
    app.main()
