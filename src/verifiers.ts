// pawl/verifiers: ready-made verifiers for `confirm`. Each looks at a resource and compares it with what was recorded; none
// changes anything. Apart from the main entry, so that a program without them loads none of it.
export { httpVerifier, type HttpVerifierOpts } from "./verifiers/http.ts";
export { restVerifier, type RestVerifierOpts } from "./verifiers/rest.ts";
export { sqlVerifier, type SqlVerifierOpts } from "./verifiers/sql.ts";
export { fileVerifier, objectVerifier, type FileVerifierOpts, type ObjectVerifierOpts } from "./verifiers/digest.ts";
export { changesVerifier, type ChangesVerifierOpts, type ResourceChange, type ResourceNow } from "./verifiers/changes.ts";
export { placeholderVerifier } from "./verifiers/placeholder.ts";
export type { Confirm, ResourceVerifier } from "./workflow/types.ts";
