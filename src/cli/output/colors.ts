// Colours, or none. What is printed is the same text either way; a pipe, NO_COLOR or a dumb terminal gets it bare. It
// never asks the terminal by itself: the caller says whether colours are allowed.

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

function colorWith(on: boolean, from: number, to: number): (text: string) => string {
  return on ? (text) => `\u001B[${from}m${text}\u001B[${to}m` : (text) => text;
}

export function paint(on: boolean): Paint {
  return {
    bold: colorWith(on, 1, 22),
    dim: colorWith(on, 2, 22),
    red: colorWith(on, 31, 39),
    green: colorWith(on, 32, 39),
    yellow: colorWith(on, 33, 39),
    cyan: colorWith(on, 36, 39),
  };
}

export function paintStatus(status: string, p: Paint): string {
  if (status === "COMPLETED") return p.green(status);
  if (status === "FAILED" || status === "CANCELLED") return p.red(status);
  return status === "PAUSED" ? p.yellow(status) : p.cyan(status);
}
