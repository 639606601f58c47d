// Where the golden archives are, and the key that signed some of them. The key is worth nothing: it is published here, so that
// anybody can make more of them; no store and no release may ever use it.
import { join } from "node:path";

export const goldenDir: string = join(import.meta.dirname, "golden");

export const evidenceKey = {
  private: "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAN4sGfthoO/G5NMfFIjB0O7/Ed/sKbp+Qw0/EgDRyx8\n-----END PRIVATE KEY-----\n",
  public: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAf5kLSojfdC2a1rVL+ASoIHhKX4/gBOCZNUKWXBrItiI=\n-----END PUBLIC KEY-----\n",
  signer: { algorithm: "Ed25519", publicKey: "MCowBQYDK2VwAyEAf5kLSojfdC2a1rVL+ASoIHhKX4/gBOCZNUKWXBrItiI=" },
} as const;
