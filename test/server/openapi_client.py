# A client made from a server's OpenAPI document, with nothing but Python's standard library: it knows no path and no member by itself. It starts a
# run, sends a signal twice, waits for the end, cancels another run, and prints what it was answered, one JSON object per line.
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

base = sys.argv[1]


class Problem(Exception):
    def __init__(self, status, body):
        super().__init__(body["detail"])
        self.status, self.page, self.errors = status, body["page"], body["errors"]


class Api:
    """One method per operationId: members go where the document says."""

    def __init__(self, document):
        self.operations = {}
        server = document["servers"][0]["url"].rstrip("/")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = (method.upper(), server + path, operation)

    def call(self, operation_id, **members):
        method, path, operation = self.operations[operation_id]
        query = []
        for parameter in operation.get("parameters", []):
            name, place = parameter["name"], parameter["in"]
            if place == "header":
                continue
            if name not in members:
                if parameter.get("required"):
                    raise TypeError(f"{operation_id} needs {name}")
                continue
            value = members.pop(name)
            if place == "path":
                path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
            elif parameter.get("style") == "deepObject":
                query += [(f"{name}[{key}]", text) for key, text in value.items()]
            elif isinstance(value, list):
                query += [(name, item) for item in value]
            else:
                query.append((name, value))
        body = None
        if "requestBody" in operation:
            known = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
            unknown = set(members) - set(known)
            if unknown:
                raise TypeError(f"{operation_id} has no {unknown}")
            body = json.dumps(members).encode()
        elif members:
            raise TypeError(f"{operation_id} has no {set(members)}")
        url = base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url, data=body, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as e:
            status, text = e.code, e.read()
        if str(status) not in operation["responses"]:
            raise AssertionError(f"{operation_id} answered {status}, which the document does not have")
        answer = json.loads(text)
        if status >= 400:
            raise Problem(status, answer)
        return status, answer


def say(what, status, answer):
    print(json.dumps({"what": what, "status": status, "answer": answer}), flush=True)


with urllib.request.urlopen(base + "/openapi.json") as response:
    api = Api(json.load(response))

say("start", *api.call("runs.start", workflow="approval", id="py/1", idempotencyKey="py-key", tags={"by": "python"}))
say("again", *api.call("runs.start", workflow="approval", id="py/1", idempotencyKey="py-key", tags={"by": "python"}))
payload = {"by": "ann"}
say("signal", *api.call("runs.signal", id="py/1", name="approved", payload=payload, signalId="s-1"))
say("signal again", *api.call("runs.signal", id="py/1", name="approved", payload=payload, signalId="s-1"))
say("result", *api.call("runs.result", id="py/1", wait=30))
say("list", *api.call("runs.list", status=["COMPLETED", "FAILED"], tags={"by": "python"}, limit=10))
api.call("runs.start", workflow="approval", id="py/2")
say("cancel", *api.call("runs.cancel", id="py/2", reason="no longer wanted"))
say("cancelled", *api.call("runs.result", id="py/2", wait=30))
for operation, members in [("runs.get", {"id": "py/none"}), ("runs.terminate", {"id": "py/1"}), ("runs.start", {"workflow": 5})]:
    try:
        api.call(operation, **members)
    except Problem as e:
        say("refused " + operation, e.status, {"page": e.page, "errors": e.errors})
