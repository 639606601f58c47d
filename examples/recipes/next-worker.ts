// The process that runs the workflows which the routes of next-route.ts start: `node worker.js`, next to `next start`, on the same
// store. It serves no requests. SIGTERM hands its runs to the next worker.
import { engine } from "pawl";
import { order } from "./order.ts";

const pawl = await engine({ workflows: [order] });
console.log("working");
process.once("SIGTERM", () => void pawl.stop({ grace: "10s" }));
