"""Runs the cases over the Python client; what it reads and writes stands in README.md."""

import asyncio
import inspect
import json
import sys

import mostrador
from mostrador import receive_webhook, verify_webhook

is_async = "--async" in sys.argv


async def main():
    asked = json.load(sys.stdin)
    outcomes = []
    for case in asked:
        client = case.get("client") or {}
        options = {name: client[name] for name in ("max_retries",) if name in client}
        if "timeout_ms" in client:
            options["timeout"] = client["timeout_ms"] / 1000
        make = mostrador.AsyncMostrador if is_async else mostrador.Mostrador
        api = make(api_key=case["api_key"], base_url=case["base_url"], backoff=0.005, **options)
        outcomes.append([await outcome(api, step) for step in case["steps"]])
        await value(api.aclose() if is_async else api.close())
    json.dump(outcomes, sys.stdout)


async def outcome(api, step):
    try:
        return {"value": await doers[step["do"]](api, step)}
    except mostrador.WebhookSignatureError:
        return {"error": {"kind": "signature"}}
    except mostrador.MostradorError as error:
        kind = "connection" if isinstance(error, mostrador.ConnectionFailed) else "api"
        is_known = type(error).__module__ == "mostrador.error_types"
        return {
            "error": {
                "kind": kind,
                "type": type(error).__name__ if is_known else None,
                "code": error.code,
                "status": error.status,
                "param": error.param,
                "request_id": error.request_id,
                "fields": error.errors,
            }
        }
    except Exception as error:  # noqa: BLE001
        return {"error": {"kind": "other", "message": repr(error)}}


async def value(given):
    return await given if inspect.isawaitable(given) else given


async def each(given):
    """One way to iterate over both clients' answers."""
    if hasattr(given, "__aiter__"):
        async for one in given:
            yield one
    else:
        for one in given:
            yield one


async def all_of(given):
    return [one async for one in each(given)]


def resource(api, step):
    for part in step["of"].split("."):
        api = getattr(api, part)
    return api


def paging(step):
    filters = dict(step.get("filters", {}))
    return {**filters, **({"page_size": step["page_size"]} if "page_size" in step else {})}


def key(step):
    return {"idempotency_key": step.get("key")}


async def sync(api, step):
    rounds, moved, since = [], False, None
    for number in range(step["rounds"]):
        changes = resource(api, step).sync(updated_since=since, page_size=step["page_size"])
        before, records = changes.updated_since, []
        async for record in each(changes):
            records.append(record)
            moved = moved or changes.updated_since != before
            if step.get("abandon") and number == 0:
                break
        rounds.append(records)
        since = changes.updated_since
    return {"rounds": rounds, "moved": moved}


async def follow(api, step):
    calls, cursor = [], None
    for wanted in step["read"]:
        events = []
        async for page in each(api.events.follow(type=step["type"], every=0.005, cursor=cursor)):
            events += page.events
            cursor = page.cursor
            if len(events) >= wanted:
                break
        calls.append(events)
    return calls


async def follow_until_end(api, step):
    rounds, cursor = [], None
    for _ in range(step["rounds"]):
        pages = []
        async for page in each(api.events.follow(type=step["type"], cursor=cursor, until_end=True)):
            pages.append({"events": page.events, "caught_up": page.caught_up})
            cursor = page.cursor
        rounds.append(pages)
    return rounds


async def get(api, step):
    return await value(resource(api, step).get(step["id"]))


async def create(api, step):
    return await value(resource(api, step).create(step["with"], **key(step)))


async def create_batch(api, step):
    return await value(resource(api, step).create_batch(step["with"], **key(step)))


async def update(api, step):
    return await value(resource(api, step).update(step["id"], step["with"], if_match=step.get("if_match")))


async def cancel(api, step):
    return await value(resource(api, step).cancel(step["id"], step.get("with"), **key(step)))


async def preview(api, step):
    return await value(resource(api, step).preview(step["with"]))


async def list_records(api, step):
    return await value(resource(api, step).list(**paging(step)).to_list(step.get("most")))


async def pages(api, step):
    return [page.data for page in await all_of(resource(api, step).list(**paging(step)).pages())]


async def export(api, step):
    return await all_of(resource(api, step).export(starting_after=step.get("starting_after")))


async def me(api, _step):
    return await value(api.me())


def signed(step):
    options = {"now": step["now"], **({"tolerance": step["tolerance"]} if "tolerance" in step else {})}
    return (step["body"].encode(), step["header"], step["secret"]), options


async def verify(_api, step):
    given, options = signed(step)
    return verify_webhook(*given, **options)


async def receive(_api, step):
    given, options = signed(step)
    return receive_webhook(*given, **options)


doers = {
    "me": me,
    "get": get,
    "list": list_records,
    "pages": pages,
    "sync": sync,
    "export": export,
    "create": create,
    "create_batch": create_batch,
    "update": update,
    "cancel": cancel,
    "preview": preview,
    "follow": follow,
    "follow_until_end": follow_until_end,
    "verify": verify,
    "receive": receive,
}

asyncio.run(main())
