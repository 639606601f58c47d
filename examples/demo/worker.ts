// The process that runs the order, and dies the first time: `PAWL_CRASH=charge:D` is a crash point in the engine, between the end of
// the charge and its record. The second time, the same program runs again.
import { run } from "pawl";
import { bank } from "./bank.ts";
import { orderWorkflow } from "./order.ts";

const { DEMO_DIR: dir = "." } = process.env;
const order = orderWorkflow(bank(`${dir}/bank.jsonl`));
await run(order, { orderId: "1001", cents: 4200 }, { id: "order-1001", store: `sqlite:${dir}/orders.db` });
