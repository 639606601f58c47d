# A worker for Pawl in Python, with the standard library only. It asks a Pawl server for steps that wait on its queues, runs them in
# threads, and reports each result until the server has answered. The protocol is in docs/worker-protocol.md; `pawl conform --worker`
# tries every rule of it. Copy this file into your project.
#
#   worker = Worker(url="http://127.0.0.1:7350", token="...", queues={"emails": 4})
#   worker.task("sendEmail", send_email)          # def send_email(input, step): return ...
#   worker.run()                                  # until SIGTERM or Ctrl-C

import json
import queue
import random
import signal
import sys
import threading
import time
import urllib.error
import urllib.request


class StepFailed(Exception):
    """Raise it from a handler to say how the step failed. `not_sent`: nothing happened outside, so it may safely be tried again."""

    def __init__(self, message, name="StepFailed", retryable=True, retry_after=None, not_sent=False, data=None):
        super().__init__(message)
        self.name, self.retryable, self.retry_after, self.not_sent, self.data = name, retryable, retry_after, not_sent, data


class Yield:
    """Return it from a handler to save the cursor and give the place up: the step continues later, perhaps elsewhere."""

    def __init__(self, cursor, carried=None):
        self.cursor, self.carried = cursor, carried


class Cancelled(Exception):
    """Raised by step.check() when the server asked to stop."""


class Step:
    """What a handler knows of its step. Send `key` to the receiver: it is the same on every attempt."""

    def __init__(self, worker, claim):
        self._worker = worker
        self.dispatch_id, self.token = claim["dispatchId"], claim["token"]
        self.what, self.task = claim["what"], claim["task"]
        self.run_id, self.step_id = claim["runId"], claim["stepId"]
        self.key, self.fence, self.attempt = claim["key"], claim["fence"], claim["attempt"]
        self.last_heartbeat = claim.get("lastHeartbeat")
        self.cursor, self.carried = claim.get("cursor"), claim.get("carried")
        self.cancelled = threading.Event()

    def check(self):
        if self.cancelled.is_set():
            raise Cancelled()

    def heartbeat(self, detail=None):
        """Says that the step is alive; `detail` is given to the next attempt. It does not wait."""
        self._worker._beat(self, {} if detail is None else {"detail": detail}, wait=False)

    def checkpoint(self, cursor, carried=None):
        """Durable when it returns. Work after it may be done again."""
        self.cursor, self.carried = cursor, carried
        self._worker._beat(self, {"cursor": cursor, "carried": carried}, wait=True)


class Worker:
    def __init__(self, url, queues, token=None, lang="python", labels=None, poll_seconds=20):
        self._url, self._token = url.rstrip("/") + "/v1", token
        self._queues, self._lang, self._labels = dict(queues), lang, labels or {}
        self._poll_seconds = poll_seconds
        self._tasks = {}
        self._lock = threading.Lock()
        self._held = {}  # dispatchId -> Step: claimed, and its result not yet answered
        self._queue_of = {}  # dispatchId -> queue
        self._reports = queue.Queue()
        self._stopping = threading.Event()
        self._welcome = None

    def task(self, name, run, verify=None, undo=None, version=None):
        """`run(input, step)`; `verify(input, step)` returns {"state": "not-completed"} and so on; `undo(input, step)`."""
        self._tasks[(name, version)] = {"run": run, "verify": verify, "undo": undo}
        return self

    def run(self):
        for s in (signal.SIGTERM, signal.SIGINT):
            signal.signal(s, lambda *_: self._stopping.set())
        self._register()
        if self._welcome is None:
            return  # stopped before a server answered
        threading.Thread(target=self._report_loop, daemon=True).start()
        threading.Thread(target=self._beat_loop, daemon=True).start()
        while not self._stopping.is_set():
            self._poll()
        # What was claimed is finished and reported before the worker leaves.
        while self._held:
            time.sleep(0.05)
        self._ask("leave", {"holds": []}, tries=3)

    # Requests. Each is repeated until the server answers: every one of them may be sent twice. A worker that stops asks for no more work.

    def _json(self, body):
        return json.dumps(body, allow_nan=False).encode()

    def _post(self, path, body, timeout):
        request = urllib.request.Request(
            self._url + path,
            data=body,
            headers={"content-type": "application/json", **({"authorization": "Bearer " + self._token} if self._token else {})},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.load(answer)

    def _ask(self, verb, body, timeout=30, tries=None):
        wait, tried = 0.1, 0
        text = self._json(body)  # what cannot be sent is no reason to ask again
        nothing = {"claimed": [], "cancel": [], "lost": []}
        pause = self._stopping.wait if verb == "poll" else time.sleep
        while tries is None or tried < tries:
            if verb == "poll" and self._stopping.is_set():
                return nothing
            worker_id = self._welcome["workerId"]
            try:
                return self._post("/workers/" + worker_id + "/" + verb, text, timeout)
            except urllib.error.HTTPError as e:
                if e.code in (404, 410):  # the server no longer knows this worker: its lease ended
                    self._register(worker_id)
                    if verb == "poll":
                        return nothing
                elif e.code in (400, 413, 422) or (verb != "results" and e.code < 500 and e.code not in (408, 429)):
                    raise
                wait = max(wait, float(e.headers.get("retry-after") or 0))
            except (urllib.error.URLError, OSError, ValueError):
                pass
            tried += 1
            pause(wait * (0.5 + random.random()))
            wait = min(wait * 2, 5)
        return None

    def _register(self, instead_of=None):
        hello = {
            "lang": self._lang,
            "works": [{"task": n} if v is None else {"task": n, "version": v} for n, v in self._tasks],
            "queues": {q: {"concurrency": n} for q, n in self._queues.items()},
            "labels": self._labels,
        }
        said = False
        while self._held or not self._stopping.is_set():
            with self._lock:
                if instead_of is not None and self._welcome["workerId"] != instead_of:
                    return  # another thread was faster
                try:
                    self._welcome = self._post("/workers", self._json(hello), 30)
                    return
                except urllib.error.HTTPError as e:
                    if e.code < 500 and e.code not in (408, 429):
                        raise
                except (urllib.error.URLError, OSError, ValueError) as e:
                    if not said:
                        print(f"{self._url} does not answer ({e}); trying again", file=sys.stderr, flush=True)
                    said = True
            time.sleep(0.5)

    def _poll(self):
        with self._lock:
            holds = [{"dispatchId": s.dispatch_id, "token": s.token} for s in self._held.values()]
            taken = list(self._queue_of.values())
        free = {q: n - taken.count(q) for q, n in self._queues.items()}
        sent_at = time.monotonic()
        # Without a free place it still polls: that renews the lease and hears of cancels.
        wait_ms = int(self._poll_seconds * 1000) if any(n > 0 for n in free.values()) else 1000
        answer = self._ask("poll", {"free": free, "waitMs": wait_ms, "holds": holds}, timeout=wait_ms / 1000 + 30)
        self._stop_steps(answer)
        for claim in answer["claimed"]:
            step = Step(self, claim)
            with self._lock:
                if step.dispatch_id in self._held:
                    continue
                self._held[step.dispatch_id], self._queue_of[step.dispatch_id] = step, claim["queue"]
            # Too late to begin: somebody else will run it.
            if (time.monotonic() - sent_at) * 1000 > claim["beginWithinMs"]:
                self._reports.put((step, {"back": True}))
            else:
                threading.Thread(target=self._perform, args=(step, claim), daemon=True).start()

    def _stop_steps(self, answer):
        with self._lock:
            for dispatch_id in answer["cancel"] + answer["lost"]:
                if dispatch_id in self._held:
                    self._held[dispatch_id].cancelled.set()

    def _perform(self, step, claim):
        self._reports.put((step, self._outcome(step, claim)))

    def _outcome(self, step, claim):
        handlers = self._tasks.get((claim["task"], claim.get("version"))) or self._tasks.get((claim["task"], None))
        if handlers is None:
            return {"back": True}
        handler = handlers[step.what]
        if handler is None and step.what == "verify":
            return {"verdict": {"state": "indeterminate", "reason": step.task + " has no verify here"}}
        try:
            if handler is None:
                raise StepFailed(step.task + " has no " + step.what + " here", retryable=False, not_sent=True)
            result = handler(claim.get("input"), step)
        except Cancelled:
            return {"ok": False, "error": {"name": "Cancelled", "message": "stopped as asked"}, "retryable": False}
        except StepFailed as e:
            failed = {"ok": False, "error": {"name": e.name, "message": str(e)[:8000]}, "retryable": e.retryable}
            if e.data is not None:
                failed["error"]["data"] = e.data
            if e.retry_after is not None:
                failed["retryAfterMs"] = int(e.retry_after * 1000)
            if e.not_sent:
                failed["notSent"] = True
            return failed
        except BaseException as e:  # a handler that fails, or calls exit(), is a result too
            return {"ok": False, "error": {"name": type(e).__name__, "message": str(e)[:8000]}}
        if step.what == "verify":
            return {"verdict": result}
        if isinstance(result, Yield):
            return {"yield": result.cursor, "carried": result.carried}
        return {"ok": True, "result": result}

    def _report_loop(self):
        while True:
            first = self._reports.get()
            batch = [first]
            while not self._reports.empty() and len(batch) < 100:
                batch.append(self._reports.get())
            self._report(batch)
            with self._lock:
                for s, _ in batch:
                    self._held.pop(s.dispatch_id, None)
                    self._queue_of.pop(s.dispatch_id, None)

    def _report(self, batch):
        results = [{"dispatchId": s.dispatch_id, "token": s.token, **r} for s, r in batch]
        try:
            self._ask("results", {"results": results})
        except (TypeError, ValueError, RecursionError, urllib.error.HTTPError) as e:
            # It cannot be sent, or the server refused it and would do so for ever. Each is sent alone; of the one at fault, that it ended.
            if len(batch) > 1:
                for one in batch:
                    self._report([one])
            else:
                held = {k: results[0][k] for k in ("dispatchId", "token")}
                self._ask("results", {"results": [{**held, **self._instead_of(results[0], e)}]})

    def _instead_of(self, result, refusal):
        message = "the report was refused: " + str(refusal)[:500]
        if "verdict" in result:
            return {"verdict": {"state": "indeterminate", "reason": message}}
        failed = {"ok": False, "error": {"name": "ReportRefused", "message": message}, "retryable": False}
        return {**failed, "notEncodable": True} if result.get("ok") else failed

    def _beat(self, step, more, wait):
        beats = {"beats": [{"dispatchId": step.dispatch_id, "token": step.token, **more}]}
        if wait:
            self._stop_steps(self._ask("beats", beats))
        else:
            threading.Thread(target=lambda: self._stop_steps(self._ask("beats", beats)), daemon=True).start()

    def _beat_loop(self):
        while True:
            time.sleep(self._welcome["beatEveryMs"] / 1000)
            with self._lock:
                beats = [{"dispatchId": s.dispatch_id, "token": s.token} for s in self._held.values()]
            self._stop_steps(self._ask("beats", {"beats": beats}))
