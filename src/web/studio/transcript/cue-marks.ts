import type { Cue } from '#domain/catalogue/rules.ts';

type Mark = { key: number; isSpread: boolean };

/** Unsaved facts about transcript lines: a React key, and whether the times were only estimated. */
export class CueMarks {
  readonly #marks = new WeakMap<Cue, Mark>();
  #lastKey = 0;
  #read: readonly Mark[] = [];

  /** Marks of the rendered lines. Lines reloaded from the server keep the keys of those they replace. */
  read(cues: readonly Cue[]): readonly Mark[] {
    const isSameLength = cues.length === this.#read.length;
    this.#read = cues.map((cue, index) => {
      const before = isSameLength ? this.#read[index] : undefined;
      if (before !== undefined && !this.#marks.has(cue)) this.#marks.set(cue, before);
      return this.of(cue);
    });
    return this.#read;
  }

  of(cue: Cue): Mark {
    const known = this.#marks.get(cue);
    if (known !== undefined) return known;
    this.#lastKey += 1;
    const mark = { key: this.#lastKey, isSpread: false };
    this.#marks.set(cue, mark);
    return mark;
  }

  /** The changed line keeps its key; it counts as timed once its times were edited. */
  replace(before: Cue, after: Cue): void {
    const { key, isSpread } = this.of(before);
    const isSameTime = before.start === after.start && before.end === after.end;
    this.#marks.set(after, { key, isSpread: isSpread && isSameTime });
  }

  markSpread(cues: readonly Cue[]): void {
    for (const cue of cues) this.#marks.set(cue, { ...this.of(cue), isSpread: true });
  }
}
