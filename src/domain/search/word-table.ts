import { randomInt } from 'node:crypto';

/**
 * Words by number. An index meets the same words millions of times: here they are found by their letters, in one typed
 * array, so that no string is made of a word that is known already.
 */
export type WordTable = {
  /** By number. */
  readonly words: readonly string[];
  find(word: string): number | undefined;
  /** @returns the word's number; a new word gets the next one */
  add(word: string): number;
  /** `add` for the word of the first `length` letters (UTF-16 units). */
  addLetters(letters: Uint8Array, length: number): number;
};

export function createWordTable(): WordTable {
  const words: string[] = [];
  /** Pairs: the word's number plus one (0: an empty place), and its hash. */
  let places = new Uint32Array(2 * 1024);
  /** Random, so that nobody can choose words that share a place. */
  const factor = randomInt(2 ** 31) * 2 + 1;

  function hashOf(word: string): number {
    let hash = 0;
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), factor);
    return hash >>> 0;
  }

  /** The first place to look at; later ones follow. */
  const firstPlaceOf = (hash: number) => ((hash ^ (hash >>> 15)) * 2) & (places.length - 1);

  function find(word: string, hash: number): number | undefined {
    for (let place = firstPlaceOf(hash); places[place] !== 0; place = (place + 2) & (places.length - 1)) {
      const number = (places[place] as number) - 1;
      if (places[place + 1] === hash && words[number] === word) return number;
    }
    return undefined;
  }

  function place(number: number, hash: number): void {
    let at = firstPlaceOf(hash);
    while (places[at] !== 0) at = (at + 2) & (places.length - 1);
    places[at] = number + 1;
    places[at + 1] = hash;
  }

  function addNew(word: string, hash: number): number {
    const number = words.push(word) - 1;
    // At most half full.
    if (words.length * 4 > places.length) {
      const former = places;
      places = new Uint32Array(former.length * 2);
      for (let at = 0; at < former.length; at += 2)
        if (former[at] !== 0) place((former[at] as number) - 1, former[at + 1] as number);
    }
    place(number, hash);
    return number;
  }

  return {
    words,
    find: (word) => find(word, hashOf(word)),
    add(word) {
      const hash = hashOf(word);
      return find(word, hash) ?? addNew(copyOf(word), hash);
    },
    addLetters(letters, length) {
      let hash = 0;
      for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (letters[at] as number), factor);
      hash >>>= 0;
      for (let at = firstPlaceOf(hash); places[at] !== 0; at = (at + 2) & (places.length - 1)) {
        const number = (places[at] as number) - 1;
        if (places[at + 1] === hash && isSpelt(words[number] as string, letters, length)) return number;
      }
      return addNew(String.fromCharCode(...letters.subarray(0, length)), hash);
    },
  };
}

function isSpelt(word: string, letters: Uint8Array, length: number): boolean {
  if (word.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (word.charCodeAt(at) !== letters[at]) return false;
  return true;
}

/** A substring of 13 or more characters keeps its whole text in memory (V8's sliced strings). */
const copyOf = (word: string) => (word.length < 13 ? word : [...word].join(''));
