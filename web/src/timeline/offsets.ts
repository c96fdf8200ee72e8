/** Where each row stands, from heights that are measured once a row was seen and guessed before. */
export class Offsets {
  readonly #measured = new Map<number, number>();
  #keys: number[] = [];
  #tops = new Float64Array(1);

  /** Lays out the rows anew; heights that were measured stay with their row. */
  layout(keys: number[], guess: (at: number) => number): void {
    this.#keys = keys;
    const tops = new Float64Array(keys.length + 1);
    for (let at = 0; at < keys.length; at += 1) tops[at + 1] = tops[at]! + (this.#measured.get(keys[at]!) ?? guess(at));
    this.#tops = tops;
  }

  /** Keeps a measured height; says whether it is news. */
  measure(key: number, height: number): boolean {
    if (height <= 0 || Math.abs((this.#measured.get(key) ?? -1) - height) < 0.5) return false;
    this.#measured.set(key, height);
    return true;
  }

  /** Widths changed: no height is known any more. */
  forget(): void {
    this.#measured.clear();
  }

  get total(): number {
    return this.#tops[this.#keys.length] ?? 0;
  }

  top(at: number): number {
    return this.#tops[Math.max(0, Math.min(at, this.#keys.length))] ?? 0;
  }

  /** The row that covers a height. */
  at(y: number): number {
    let low = 0;
    let high = this.#keys.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle]! <= y) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** The place of a row, or of the one behind where it would be. */
  indexOf(key: number): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.#keys.length - 1));
  }
}
