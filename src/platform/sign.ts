// Ed25519 signatures: the one place that touches private keys. A key goes in as PEM text and never comes out again, in no
// message and no error; what comes out is the signature and the public half.
import { createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";

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
