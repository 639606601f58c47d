// Names that somebody may have meant who wrote an unknown one: a letter too many, too few, wrong or swapped with the next. For messages only: it must never
// decide what is done.

const namesMax = 3;
const namesShown = 12;

/** The closest first, at most three. Case does not count. */
export function closeNames(wrong: string, known: Iterable<string>): readonly string[] {
  const word = wrong.toLowerCase();
  const most = Math.max(1, Math.floor(word.length / 4));
  return [...new Set(known)]
    .map((name) => ({ name, edits: edits(word, name.toLowerCase()) }))
    .filter((x) => x.edits <= most)
    .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, namesMax)
    .map((x) => x.name);
}

/** What is said of a name that is none of the known ones: those that may have been meant, else all of them where they are few. */
export function unknownName(kind: string, wrong: string, known: Iterable<string>): string {
  const names = [...known];
  const close = closeNames(wrong, names).map((name) => JSON.stringify(name));
  const hint =
    close.length > 0 ? `; did you mean ${close.join(" or ")}?` : names.length <= namesShown ? `; there are ${names.join(", ")}` : "";
  return `has no ${kind} ${JSON.stringify(wrong)}${hint}`;
}

/** How many letters must be put in, taken out, replaced or swapped with the next. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
