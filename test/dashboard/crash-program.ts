// A process that starts an order and dies while it charges the card, at once or when a file is there: the next engine on the same store takes the run over. It
// must never end by itself otherwise: its starter waits for its death.
import { existsSync } from "node:fs";
import { engine } from "../../src/index.ts";
import { shopWorkflows } from "./shop.ts";

const [store = "", id = "", sign = ""] = process.argv.slice(2);
const charge = async (): Promise<never> => {
  while (sign !== "" && !existsSync(sign)) await new Promise((resolve) => setTimeout(resolve, 20));
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
};
const shop = shopWorkflows({ charge });
const app = await engine({ store, workflows: [shop["order"]!], log: () => {} });
await app.start(shop["order"]! as never, { sku: "cup" } as never, { id });
setInterval(() => {}, 1_000);
