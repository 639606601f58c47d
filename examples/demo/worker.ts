// The process that runs the order, and that dies in the first act: `PAWL_CRASH=charge:D` is a crash point compiled into the
// engine, between the end of the charge and its record. The second act runs this very program again.
import { run } from "pawl";
import { bank } from "./bank.ts";
import { orderWorkflow } from "./order.ts";

const { DEMO_DIR: dir = "." } = process.env;
const order = orderWorkflow(bank(`${dir}/bank.jsonl`));
await run(order, { orderId: "1001", cents: 4200 }, { id: "order-1001", store: `sqlite:${dir}/orders.db` });
