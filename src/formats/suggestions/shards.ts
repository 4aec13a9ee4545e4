/**
 * Neighbours of audios as files: audios that the same people have heard. Written for all audios together and the same for
 * everybody, so that whoever reads one says nothing about what they have heard.
 *
 * A shard has the audios whose number leaves its own when divided by the number of shards, in order. Each is the
 * difference to the audio before, in shards; the number of its neighbours; and for each of these, in order, the
 * difference to the one before times four plus its nearness. Numbers are LEB128.
 */

/** `nearness`: 0 to 3, 3 for the nearest. */
export type Neighbour = { number: number; nearness: number };

const nearnesses = 4;

/** @param neighbours of the audios of one shard, by the audio's number, in any order */
export function writeShard(neighbours: ReadonlyMap<number, readonly Neighbour[]>, shards: number): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
    bytes.push(left);
  };
  let last = 0;
  for (const number of [...neighbours.keys()].toSorted((one, other) => one - other)) {
    const own = neighbours.get(number) ?? [];
    const place = Math.floor(number / shards);
    put(place - last);
    put(own.length);
    last = place;
    let before = 0;
    for (const { number: other, nearness } of own.toSorted((a, b) => a.number - b.number)) {
      put((other - before) * nearnesses + nearness);
      before = other;
    }
  }
  return Uint8Array.from(bytes);
}

/**
 * @param isWanted numbers of audios whose neighbours are wanted: making all takes longer than ranking them
 * @returns the nearest first, by the audio's number. @throws RangeError for what is no shard
 */
export function readShard(
  bytes: Uint8Array,
  shard: number,
  shards: number,
  isWanted: (number: number) => boolean = () => true,
): Map<number, Neighbour[]> {
  let at = 0;
  const take = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw new RangeError('the shard ends early');
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  const neighbours = new Map<number, Neighbour[]>();
  let place = 0;
  while (at < bytes.length) {
    place += take();
    const own = Array.from({ length: take() }, take);
    if (!isWanted(place * shards + shard)) continue;
    let number = 0;
    const found = own.map((value) => {
      number += Math.floor(value / nearnesses);
      return { number, nearness: value % nearnesses };
    });
    neighbours.set(
      place * shards + shard,
      found.toSorted((one, other) => other.nearness - one.nearness || one.number - other.number),
    );
  }
  return neighbours;
}
