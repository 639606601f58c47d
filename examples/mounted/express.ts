// Pawl's server inside an Express app, below /pawl. It comes before the body parsers: it reads its requests itself. On SIGTERM it answers
// waiting requests, closes the port, then stops the engine.
import type { AddressInfo } from "node:net";
import express, { type Request, type Response } from "express";
import { engine } from "pawl";
import { server } from "pawl/server";
import { order } from "../recipes/order.ts";
import { whoAsks } from "./sign-on.ts";

const pawl = await engine({ workflows: [order] });
const api = await server({ engine: pawl, auth: whoAsks, base: "/pawl" });

const web = express();
web.use(api.node);
web.use(express.json());
web.post("/echo", (request: Request, response: Response) => void response.json(request.body));

const listening = web.listen(Number(process.env["PORT"] ?? 3000), () => {
  console.log(`listening on ${(listening.address() as AddressInfo).port}`);
});

async function end(): Promise<void> {
  await api.stop(); // waiting requests are answered
  listening.close(() => void pawl.stop({ grace: "10s" }));
}
process.once("SIGTERM", () => void end());
