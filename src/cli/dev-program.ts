// Where the program lies that `pawl dev` starts for each version of the code: beside this file, as TypeScript or compiled.
// It must never be imported: it begins to work when it is.

export const devProgram: URL = new URL(`./dev-child${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url);
