import type { Projections as Cut } from '../api/types';

interface Cell {
  value: unknown;
  seq: number;
}

/** One session's projections as the host said them: the higher seq wins, nothing is folded here. */
export class ProjectionCells {
  readonly #cells = new Map<string, Cell>();
  /** Where the last cut was, so that a key it left out is known to be absent and not late. */
  #asOfSeq = -1;

  put(key: string, value: unknown, seq: number): boolean {
    const cell = this.#cells.get(key);
    if (seq <= (cell?.seq ?? -1) || (!cell && seq <= this.#asOfSeq)) return false;
    this.#cells.set(key, { value, seq });
    return true;
  }

  /** Takes a whole cut: it replaces what is older, and a key it leaves out is gone unless a newer frame has it. */
  cut({ asOfSeq, values }: Cut): void {
    this.#asOfSeq = Math.max(this.#asOfSeq, asOfSeq);
    for (const [key, cell] of this.#cells) {
      if (!(key in values) && cell.seq <= asOfSeq) this.#cells.delete(key);
    }
    for (const [key, value] of Object.entries(values)) {
      const cell = this.#cells.get(key);
      if (!cell || cell.seq <= asOfSeq) this.#cells.set(key, { value, seq: asOfSeq });
    }
  }

  /** After a reset nothing that was said before counts, also where its seq is higher. */
  clear(): void {
    this.#cells.clear();
    this.#asOfSeq = -1;
  }

  get(key: string): unknown {
    return this.#cells.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#cells.has(key);
  }
}
