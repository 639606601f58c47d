// Ed25519 signatures: the one place that touches private keys. A key goes in as PEM text and never comes out again, in no
// message and no error; what comes out is the signature and the public half. Public keys are base64 of their SPKI form.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from "node:crypto";

export interface Signer {
  /** Base64 of the public key's SPKI form. */
  readonly publicKey: string;
  /** Base64. */
  sign(data: Uint8Array): string;
}

/** undefined when the text is not an unencrypted Ed25519 private key. */
export function ed25519Signer(pem: string): Signer | undefined {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return undefined;
  }
  if (key.asymmetricKeyType !== "ed25519") return undefined;
  return {
    publicKey: createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64"),
    sign: (data) => sign(null, data, key).toString("base64"),
  };
}

/** A new private key, PEM. */
export function newEd25519Pem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }) as string;
}

export function publicPem(publicKey: string): string {
  return createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" }).export({
    format: "pem",
    type: "spki",
  }) as string;
}

/** undefined when the text is not the PEM of an Ed25519 public key. A private key is refused, not turned into its public half. */
export function ed25519PublicKey(pem: string): string | undefined {
  if (!pem.includes("BEGIN PUBLIC KEY")) return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key.export({ format: "der", type: "spki" }).toString("base64") : undefined;
  } catch {
    return undefined;
  }
}

/** Checks signatures of one public key; the key is read once. A signature that is none is simply not a match. */
export function ed25519Checker(publicKey: string): (data: Uint8Array, signature: string) => boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  return (data, signature) => verify(null, data, key, Buffer.from(signature, "base64"));
}
