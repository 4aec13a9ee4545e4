import type { DocumentStore } from './document-store.ts';
import { enlarged, fieldBits, fieldMask, nameField, textField } from './document-store.ts';
import type { Numbers } from './numbers.ts';
import type { Vocabulary, WordMatch } from './vocabulary.ts';
import { mostWords } from './words.ts';

/**
 * What a match costs; the cheapest comes first, and among equals the most played. A word that is missing costs most,
 * then misspellings, then where it was found, then whether it is only the beginning of a word.
 */
const costs = {
  missing: 60,
  edit: 14,
  /** What begins otherwise is seldom meant. */
  firstLetter: 3,
  fields: [0, 2, 4, 7],
  prefix: 1,
} as const;
/** No match, and more than any match costs. */
const none = 255;
/** Of a cost: a letter or two, which begin some word of every text, and what is only like a word, count in names only. */
const inNamesOnly = 128;
/** Where some words may be missing, no more documents than these are weighed: those of the rarest words. */
const mostWeighed = 30_000;
/** Reading through a list is so much quicker than weighing a document. */
const readsPerWeight = 12;

/** @param inName so many of the words are in the document's name */
export type Offer = (number: number, cost: number, inName: number) => void;

export type Look = {
  words: string[];
  /** For each word, those of the vocabulary that count as it. */
  matches: WordMatch[][];
  /** So many of the words must be there. */
  least: number;
  /** Lists of documents that are not to be met. */
  leftOut: Numbers[];
  /** Milliseconds. */
  now: number;
};

/** Finds every document that has enough of the words, and what it costs. */
export function createLooker(store: DocumentStore, vocabulary: Vocabulary): (look: Look, offer: Offer) => void {
  let current = 0;
  // By number of the document, or one after the other.
  let seenIn = new Uint32Array(0);
  let leftOutIn = new Uint32Array(0);
  let step = new Uint8Array(0);
  let cheapest = new Uint8Array(0);
  let touched = new Uint32Array(0);
  // By number of the word.
  let asked = new Uint16Array(0);
  const wordCosts = Array.from({ length: mostWords }, () => new Uint8Array(0));
  // By place of the word in what was typed.
  const bestCosts = new Uint8Array(mostWords);
  const bestInName = new Uint8Array(mostWords);

  function makeRoom(): void {
    if (seenIn.length < store.capacity) {
      seenIn = enlarged(seenIn, store.capacity);
      leftOutIn = enlarged(leftOutIn, store.capacity);
      step = enlarged(step, store.capacity);
      cheapest = enlarged(cheapest, store.capacity);
      touched = enlarged(touched, store.capacity);
    }
    if (asked.length >= vocabulary.size) return;
    asked = new Uint16Array(vocabulary.size * 2);
    for (const index of wordCosts.keys()) wordCosts[index] = new Uint8Array(vocabulary.size * 2).fill(none);
  }

  function costOf(typed: string, { edits, isPrefix, beginsOtherwise }: WordMatch): number {
    const cost = edits * costs.edit + (beginsOtherwise ? costs.firstLetter : 0);
    if (edits > 0) return (cost + (isPrefix ? costs.prefix : 0)) | inNamesOnly;
    if (typed.length > 2) return cost + (isPrefix ? costs.prefix : 0);
    return isPrefix ? cost | inNamesOnly : cost;
  }

  function listsOf({ word }: WordMatch, cost: number): Numbers[] {
    return (cost & inNamesOnly) === 0 ? [vocabulary.named(word), vocabulary.told(word)] : [vocabulary.named(word)];
  }

  /** Of one word the lists say everything. */
  function lookForOne({ words, matches, now }: Look, offer: Offer): void {
    const { foundFrom } = store;
    const [typed = ''] = words;
    let count = 0;
    for (const match of matches[0] ?? []) {
      const cost = costOf(typed, match);
      for (const { length, items } of listsOf(match, cost)) {
        for (let at = 0; at < length; at += 1) {
          const posting = items[at] as number;
          const number = posting >>> fieldBits;
          const field = posting & fieldMask;
          const own = (cost & ~inNamesOnly) + (costs.fields[field] as number);
          if (seenIn[number] !== current) {
            if ((foundFrom[number] as number) > now || leftOutIn[number] === current) continue;
            seenIn[number] = current;
            step[number] = field === nameField ? 1 : 0;
            cheapest[number] = own;
            touched[count] = number;
            count += 1;
          } else {
            if (field === nameField) step[number] = 1;
            if (own < (cheapest[number] as number)) cheapest[number] = own;
          }
        }
      }
    }
    for (let at = 0; at < count; at += 1) {
      const number = touched[at] as number;
      offer(number, cheapest[number] as number, step[number] as number);
    }
  }

  /** Of several words, the documents of the rarest are weighed one by one. */
  function lookForSeveral({ words, matches, least, now }: Look, offer: Offer): void {
    const { foundFrom } = store;
    const wanted = matches.map((list, index) => {
      const own = wordCosts[index] as Uint8Array;
      const lists = list.flatMap((match) => {
        const cost = costOf(words[index] as string, match);
        own[match.word] = cost;
        asked[match.word] = (asked[match.word] as number) | (1 << index);
        return listsOf(match, cost);
      });
      return { lists, size: lists.reduce((sum, { length }) => sum + length, 0) };
    });
    wanted.sort((a, b) => a.size - b.size);
    // Whoever has enough of the words has one of these.
    const rarest = wanted.splice(0, words.length - least + 1);
    const most = least < words.length ? mostWeighed : Number.POSITIVE_INFINITY;
    let count = 0;
    for (const { lists } of rarest)
      for (const { length, items } of lists)
        for (let at = 0; at < length && count < most; at += 1) {
          const number = (items[at] as number) >>> fieldBits;
          if (seenIn[number] === current) continue;
          seenIn[number] = current;
          if ((foundFrom[number] as number) > now || leftOutIn[number] === current) continue;
          step[number] = 0;
          touched[count] = number;
          count += 1;
        }
    if (least === words.length)
      for (const [before, { lists, size }] of wanted.entries()) {
        if (size > count * readsPerWeight) break;
        for (const { length, items } of lists)
          for (let at = 0; at < length; at += 1) {
            const number = (items[at] as number) >>> fieldBits;
            if (seenIn[number] === current && step[number] === before) step[number] = before + 1;
          }
        let kept = 0;
        for (let at = 0; at < count; at += 1) {
          const number = touched[at] as number;
          if (step[number] !== before + 1) continue;
          touched[kept] = number;
          kept += 1;
        }
        count = kept;
      }
    for (let at = 0; at < count; at += 1) weigh(touched[at] as number, words.length, least, offer);
    for (const [index, list] of matches.entries())
      for (const { word } of list) {
        asked[word] = 0;
        (wordCosts[index] as Uint8Array)[word] = none;
      }
  }

  function weigh(number: number, words: number, least: number, offer: Offer): void {
    for (let index = 0; index < words; index += 1) {
      bestCosts[index] = none;
      bestInName[index] = 0;
    }
    const { entries } = store;
    const from = store.entriesFrom[number] as number;
    const until = from + (store.entriesLength[number] as number);
    for (let at = from; at < until; at += 1) {
      const entry = entries[at] as number;
      const word = entry >>> fieldBits;
      const which = asked[word] as number;
      if (which === 0) continue;
      const field = entry & fieldMask;
      for (let index = 0; index < words; index += 1) {
        if ((which & (1 << index)) === 0) continue;
        const cost = (wordCosts[index] as Uint8Array)[word] as number;
        if ((cost & inNamesOnly) !== 0 && field === textField) continue;
        const own = (cost & ~inNamesOnly) + (costs.fields[field] as number);
        if (own < (bestCosts[index] as number)) bestCosts[index] = own;
        if (field === nameField) bestInName[index] = 1;
      }
    }
    let found = 0;
    let inName = 0;
    let total = 0;
    for (let index = 0; index < words; index += 1) {
      const cost = bestCosts[index] as number;
      total += cost === none ? costs.missing : cost;
      found += cost === none ? 0 : 1;
      inName += bestInName[index] as number;
    }
    if (found >= least) offer(number, total, inName);
  }

  return (look, offer) => {
    makeRoom();
    current += 1;
    for (const { length, items } of look.leftOut)
      for (let at = 0; at < length; at += 1) leftOutIn[items[at] as number] = current;
    if (look.words.length === 1) lookForOne(look, offer);
    else lookForSeveral(look, offer);
  };
}
