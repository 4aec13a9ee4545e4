import { seededRandom } from '#demo/random.ts';
import type { Heard } from '#domain/listening/count-neighbours.ts';

/**
 * An invented audience with tastes: each audio has a theme, a mood within it and its own fame, each listener two or three
 * themes with one mood, and hears for the most part what is known there. The newest audio of every fourth listener is held
 * out. The same for each seed.
 */

export type World = {
  listeners: number;
  audios: number;
  /** Rows before the held-out ones are taken away. */
  rows: number;
  /** The held-out audio of those listeners. */
  heldOut: Map<number, number>;
  /** Audios by listener, without the held-out one. */
  heard: Uint32Array[];
  /** Tags and category of each audio, which follow its theme with exceptions. */
  tags: Uint16Array[];
  category: Uint16Array;
  /** Plays of each audio. */
  plays: Uint32Array;
};

const themes = 30;
const moods = 5;

export function inventWorld(seed: number, { listeners = 20_000, audios = 10_000 } = {}): World {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const themeOf = new Uint16Array(audios);
  const moodOf = new Uint8Array(audios);
  const byTaste = new Map<number, number[]>();
  const tags: Uint16Array[] = [];
  const category = new Uint16Array(audios);
  for (let audio = 0; audio < audios; audio += 1) {
    const theme = below(themes);
    const mood = below(moods);
    themeOf[audio] = theme;
    moodOf[audio] = mood;
    const taste = theme * moods + mood;
    byTaste.set(taste, [...(byTaste.get(taste) ?? []), audio]);
    // Themes share twelve categories; a third of the tags say nothing about the theme.
    category[audio] = random() < 0.8 ? theme % 12 : below(12);
    const first = random() < 0.7 ? theme : below(themes);
    const second = themes + (random() < 0.5 ? mood : below(moods));
    tags.push(Uint16Array.of(first, second, themes + moods + below(20)));
  }
  const plays = new Uint32Array(audios);
  const heldOut = new Map<number, number>();
  const heard: Uint32Array[] = [];
  let rows = 0;
  for (let listener = 0; listener < listeners; listener += 1) {
    const tastes = Array.from({ length: 2 + below(2) }, () => below(themes) * moods + below(moods));
    // A few hear hundreds, most some dozens.
    const count = Math.min(400, Math.ceil(25 / Math.sqrt(random() + 0.002)));
    const own = new Set<number>();
    for (let tries = 0; own.size < count && tries < 4 * count; tries += 1) {
      const audio =
        random() < 0.9
          ? known(byTaste.get(tastes[below(tastes.length)] ?? 0) ?? [], random)
          : Math.floor(random() ** 3 * audios);
      if (audio !== undefined) own.add(audio);
    }
    const all = [...own];
    rows += all.length;
    for (const audio of all) plays[audio] = (plays[audio] ?? 0) + 1;
    if (listener % 4 === 0) {
      const last = all.splice(below(all.length), 1)[0];
      if (last !== undefined) heldOut.set(listener, last);
    }
    heard.push(Uint32Array.from(all));
  }
  return { listeners, audios, rows, heldOut, heard, tags, category, plays };
}

/** One of these audios, which are in the order of their fame. */
function known(audios: readonly number[], random: () => number): number | undefined {
  return audios[Math.floor(random() ** 7 * audios.length)];
}

/** All that was heard, as it is counted. */
export function heardBy(listeners: readonly Uint32Array[]): Heard {
  const starts = new Uint32Array(listeners.length + 1);
  for (const [index, own] of listeners.entries()) starts[index + 1] = (starts[index] ?? 0) + own.length;
  const audios = new Uint32Array(starts.at(-1) ?? 0);
  for (const [index, own] of listeners.entries()) audios.set(own, starts[index]);
  return { starts, audios };
}
