// Values as people read them: durations, times of day, tables, text of users made safe for a terminal. Pure: the same
// arguments give the same text, whatever the terminal.

/** Text of users for a terminal: no control character, so that a message cannot move the cursor or forge a line. */
export function withoutControlChars(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

/** "1 run", "2 runs". */
export function countOf(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

export function clip(text: string, max: number): string {
  const line = withoutControlChars(text).trim();
  return line.length <= max ? line : `${line.slice(0, Math.max(0, max - 1))}…`;
}

const units: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** 41ms, 1.2s, 3m 4s, 2d 3h: two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toString()}s`;
  const first = units.findIndex(([, size]) => ms >= size);
  const [name, size] = units[first] ?? ["s", 1_000];
  const next = units[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % size) / next[1]);
  return `${Math.floor(ms / size)}${name}${rest === 0 || next === undefined ? "" : ` ${rest}${next[0]}`}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** The local time of day; with the date when it is of another day than `nowMs`. */
export function formatTime(iso: string, nowMs: number): string {
  const t = new Date(iso);
  const time = `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
  if (new Date(nowMs).toDateString() === t.toDateString()) return time;
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${time}`;
}

/** Columns as wide as their widest cell, two spaces between, nothing after the last. */
export function formatTable(
  rows: readonly (readonly string[])[],
  painted: (cell: string, row: number, column: number) => string = (c) => c,
): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return rows
    .map((row, r) =>
      row
        .map((cell, c) => painted(cell, r, c) + " ".repeat((widths[c] ?? 0) - cell.length))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
