# The cluster's worker in Python over HTTP, on the sample of examples/workers. It ends when the process that started it is gone, or when its
# time is over, as the other services do.
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.environ["PAWL_CLUSTER_SAMPLES"])
from pawl_worker import Worker  # noqa: E402

service, ledger = os.environ["PAWL_CLUSTER_SERVICE"], os.environ["PAWL_CLUSTER_LEDGER"]
parent, until = os.getppid(), time.monotonic() + float(os.environ["PAWL_CLUSTER_LIFE_SECONDS"])


def end_in_time():
    while time.monotonic() < until and (os.environ.get("PAWL_CLUSTER_ATTACHED") is None or os.getppid() == parent):
        time.sleep(1)
    os._exit(1)


def mail(input, step):
    line = json.dumps({"step": "mail", "id": input["id"], "by": service}) + "\n"
    place = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(place, line.encode())
    os.close(place)
    return {"id": input["id"], "by": service}


threading.Thread(target=end_in_time, daemon=True).start()
worker = Worker(url=os.environ["PAWL_URL"], queues={"http-python": 10}, poll_seconds=2)
worker.task("cluster.mail", mail)
print("ready", flush=True)
worker.run()
