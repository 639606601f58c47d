// How values that JSON cannot say are written. A tag is an object with the one member "$pawl": a word for the atoms, else
// [word, body]. An object of the user's that has a member "$pawl" is wrapped as ["object", …], so nothing a user writes is
// ever read as a tag. Stored in every log: a word, once written, is never given another meaning.
//
//   {"$pawl":"NaN"}  "Infinity"  "-Infinity"  "-0"  "undefined"
//   {"$pawl":["date",ms|null]}   {"$pawl":["bigint","12"]}   {"$pawl":["bytes","base64"]}
//   {"$pawl":["map",[[k,v],…]]}  {"$pawl":["set",[v,…]]}     {"$pawl":["error",{name,message,code?,cause?}]}
//   {"$pawl":["object",{…}]}

export const tagKey = "$pawl";

export function atomTag(word: string): string {
  return `{"${tagKey}":"${word}"}`;
}

/** `body` is JSON text already. */
export function wordTag(word: string, body: string): string {
  return `{"${tagKey}":["${word}",${body}]}`;
}
