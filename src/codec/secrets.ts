// Texts that must never be recorded: the secrets that an engine was given. A value that contains one is refused, and named by the secret's name; in a failure, which must
// always be recorded, it is replaced. It must never put the text of a secret into a message. Looks for the text as it is: not for a part of it, nor for another encoding.
import { PawlError } from "../errors/error.ts";

/** A secret that is looked for: as it is, and as JSON writes it. */
export interface SecretText {
  readonly name: string;
  readonly raw: string;
  readonly inJson: string;
}

/** A shorter one would be found in values that have nothing to do with it. */
const lengthMin = 8;

/** The option `secrets` of engine() and worker(): texts by name. Names of unset variables are left out. */
export function secretTexts(o: unknown): readonly SecretText[] | undefined {
  if (o === undefined) return undefined;
  if (typeof o !== "object" || o === null || Array.isArray(o))
    throw new PawlError("PAWL5001", "secrets is an object of texts by name, such as { bank: process.env.BANK_KEY }");
  const found: SecretText[] = [];
  for (const [name, raw] of Object.entries(o as Record<string, unknown>)) {
    if (raw === undefined) continue;
    if (typeof raw !== "string" || raw.length < lengthMin)
      throw new PawlError("PAWL5001", `secret ${name} must be a text of at least ${lengthMin} characters`);
    found.push({ name, raw, inJson: JSON.stringify(raw).slice(1, -1) });
  }
  return found.length === 0 ? undefined : found;
}

/** `text`: an encoded value. */
export function refuseSecrets(text: string, secrets: readonly SecretText[], what: string): void {
  for (const s of secrets)
    if (text.includes(s.inJson))
      throw new PawlError("PAWL1087", `${what} contains the secret ${s.name}, and was not recorded`, { data: { secret: s.name } });
}

/** In text for people, such as the message of an error. */
export function maskSecrets(text: string, secrets: readonly SecretText[] | undefined): string {
  if (secrets === undefined) return text;
  return secrets.reduce((t, s) => t.replaceAll(s.raw, `[secret ${s.name}]`), text);
}
