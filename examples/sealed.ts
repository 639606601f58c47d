// A log that cannot be rewritten unnoticed, not even with the password of the database: the engine signs it with a key outside the
// store. The archive of a run is then checked three times: without the key, with it, and with another key.
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { engine, workflow } from "pawl";
import { verify } from "pawl/verify";

// `pawl keys new seal.pem` makes both files: the private key for engines, the public one for those who check.
function newKey(file: string): void {
  if (existsSync(file)) return;
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  writeFileSync(`${file}.pub`, publicKey.export({ format: "pem", type: "spki" }));
}
newKey("seal.pem");
newKey("other.pem");

const pay = workflow({ name: "pay" }, async (ctx) => ctx.step("charge", () => ({ cents: 500 }), { key: "o-1", dedup: "1d" }));

const app = await engine({ workflows: [pay], seal: { keyFile: "seal.pem" } });
const handle = await app.start(pay, undefined, { id: "o-1" });
await handle.result();
const archive = await handle.evidence();
await app.stop();

const plain = verify(archive);
console.log("without a key:", plain.ok ? "verified" : "NOT verified");
console.log(
  "  assumed:",
  plain.assumed.find((a) => a.includes("rewrote")),
);

const sealed = verify(archive, { key: readFileSync("seal.pem.pub", "utf8") });
console.log("with the key:", sealed.ok ? "verified" : "NOT verified", "- the end is sealed:", sealed.sealed?.end);

const other = verify(archive, { key: readFileSync("other.pem.pub", "utf8") });
console.log("with another key:", other.ok ? "verified" : "NOT verified");
