# The handlers of order.json in Python, on the worker of ../workers/pawl_worker.py. `pawl start ./order.json` has no code at all: it says what is next, this
# program does it. Kill either of them and start it again: the order continues where it was.
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "workers"))
from pawl_worker import Worker  # noqa: E402


def route(given, step):
    return "small" if given["input"]["cents"] < 10_000 else "large"


def sign(given, step):
    return {"signed": given["input"]["id"]}


def charge(given, step):
    print(f"charging {given['orderId']}", flush=True)
    time.sleep(float(os.environ.get("CHARGE_SECONDS", "5")))  # time enough to kill the orchestrator
    print(f"charged {given['orderId']} under {step.key}", flush=True)
    return {"id": f"charge-{given['orderId']}", "cents": given["cents"]}


def mail(given, step):
    return f"{given['to']} knows of {given['paid']}"


worker = Worker(url=os.environ.get("PAWL_URL", "http://127.0.0.1:7350"), queues={"default": 4}, poll_seconds=5)
worker.task("shop.route", route).task("shop.sign", sign).task("shop.charge", charge).task("shop.mail", mail)
worker.run()
