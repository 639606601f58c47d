// Whether the next start under an id is likely to be a new run. Then nothing is read first: the Commit that creates a run answers with
// the run that is in the way, if there is one, and the code that was begun for nothing is abandoned before it let anything leave (K14).
// A guess, never a ground: who guesses wrong is only slower. One run that was met ends the guessing for a while.
const streakMin = 16;

export class FreshIds {
  #streak = 0;

  /** True after enough new runs in a row. */
  get likely(): boolean {
    return this.#streak >= streakMin;
  }

  created(): void {
    this.#streak++;
  }

  met(): void {
    this.#streak = 0;
  }
}
