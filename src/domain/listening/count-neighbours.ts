import type { Neighbour } from '#formats/suggestions/shards.ts';

/** Fewer common listeners say something about these people, not about the audios. */
export const minTogether = 10;
/** Sixteen bytes an audio in its shard; more find nothing more (decision 088). */
const maxNeighbours = 12;

/** Everything that was heard, by listener: the audios of listener `n` are `audios[starts[n]]` to `audios[starts[n + 1]]`. */
export type Heard = { starts: Uint32Array; audios: Uint32Array };

/**
 * The audios that the same people have heard, nearest first: those with at least ten common listeners, by their weight
 * over how well known both are. Somebody who hears everything says less about each: a listener with `n` audios counts
 * 1 / ln(2 + n).
 * @param audioCount audios are numbers below it. @returns by the audio's number, without audios that have none
 */
export function countNeighbours({ starts, audios }: Heard, audioCount: number): Map<number, Neighbour[]> {
  const listeners = invert({ starts, audios }, audioCount);
  const share = new Float32Array(starts.length - 1);
  for (let one = 0; one < share.length; one += 1) share[one] = 1 / Math.log(2 + at(starts, one + 1) - at(starts, one));
  const together = new Uint32Array(audioCount);
  const weight = new Float32Array(audioCount);
  const seen = new Uint32Array(audioCount);
  const neighbours = new Map<number, Neighbour[]>();
  for (let audio = 0; audio < audioCount; audio += 1) {
    const [from, to] = [at(listeners.starts, audio), at(listeners.starts, audio + 1)];
    if (to - from < minTogether) continue;
    let found = 0;
    for (let index = from; index < to; index += 1) {
      const listener = at(listeners.audios, index);
      const part = at(share, listener);
      const end = at(starts, listener + 1);
      for (let own = at(starts, listener); own < end; own += 1) {
        const other = at(audios, own);
        if (together[other] === 0) seen[found++] = other;
        together[other] = at(together, other) + 1;
        weight[other] = at(weight, other) + part;
      }
    }
    const near: { number: number; score: number }[] = [];
    for (let index = 0; index < found; index += 1) {
      const other = at(seen, index);
      if (other !== audio && at(together, other) >= minTogether) {
        const known = Math.sqrt((to - from) * (at(listeners.starts, other + 1) - at(listeners.starts, other)));
        near.push({ number: other, score: at(weight, other) / known });
      }
      together[other] = 0;
      weight[other] = 0;
    }
    if (near.length > 0) neighbours.set(audio, nearest(near));
  }
  return neighbours;
}

/** Listeners by audio, in the same form. */
function invert({ starts, audios }: Heard, audioCount: number): Heard {
  const begins = new Uint32Array(audioCount + 1);
  for (const audio of audios) begins[audio + 1] = at(begins, audio + 1) + 1;
  for (let audio = 0; audio < audioCount; audio += 1) begins[audio + 1] = at(begins, audio + 1) + at(begins, audio);
  const next = begins.slice();
  const listeners = new Uint32Array(audios.length);
  for (let listener = 0; listener + 1 < starts.length; listener += 1)
    for (let own = at(starts, listener); own < at(starts, listener + 1); own += 1) {
      const audio = at(audios, own);
      const place = at(next, audio);
      listeners[place] = listener;
      next[audio] = place + 1;
    }
  return { starts: begins, audios: listeners };
}

function nearest(near: { number: number; score: number }[]): Neighbour[] {
  const best = near
    .toSorted((one, other) => other.score - one.score || one.number - other.number)
    .slice(0, maxNeighbours);
  // The nearest has 3, and each fifth of the way to none one less.
  const highest = best[0]?.score ?? 1;
  return best.map(({ number, score }) => ({ number, nearness: Math.max(0, Math.ceil((5 * score) / highest) - 2) }));
}

/** Within its bounds. */
function at(array: Uint32Array | Float32Array, index: number): number {
  return array[index] ?? 0;
}
