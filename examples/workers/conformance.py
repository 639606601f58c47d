# The handlers that `pawl conform --worker` asks for, on the worker of pawl_worker.py. Try it:
#   npx pawl conform --worker 'python3 examples/workers/conformance.py'
import os
import time

from pawl_worker import StepFailed, Worker, Yield


def echo(input, step):
    return input


def fail(input, step):
    raise StepFailed("boom", name="Boom", retryable=True, retry_after=1.5)


def refuse(input, step):
    raise StepFailed("never", name="Refused", retryable=False)


def wait(input, step):
    step.heartbeat({"at": "begin"})
    for _ in range(int(input["ms"] / 10)):
        step.check()
        time.sleep(0.01)
    return "waited"


def checkpoint(input, step):
    step.checkpoint(7, {"sum": 1})
    return "saved"


def count(input, step):
    at, carried = step.cursor or 0, step.carried or {"sum": 0}
    return Yield(at + 1, {"sum": carried["sum"] + 1}) if at < 3 else carried


def happened(input, step):
    return {"state": "completed-with-result", "result": {"key": step.key}}


worker = Worker(url=os.environ["PAWL_URL"], token=os.environ["PAWL_TOKEN"], queues={"conform": 2}, poll_seconds=5)
worker.task("conform.echo", echo, verify=happened, undo=echo).task("conform.fail", fail).task("conform.refuse", refuse)
worker.task("conform.wait", wait).task("conform.checkpoint", checkpoint).task("conform.count", count)
worker.run()
