import type { CommentHold } from '../catalogue/rules.ts';
import { type Mark, findListed, markListed } from '../settings/word-lists.ts';
import { type HeldReason, findLinks, hasLink } from './rules.ts';
import { unkindWords } from './unkind-words.ts';

/** Shouting, from this many letters on: shorter ones are names and interjections. */
const shouted = { letters: 12, share: 0.8 };
/** The same letter, or as many exclamation marks, in a row. */
const drawnOut = /(\p{L})\1{7}|[!！‼]{5}/iu;

export type Held = { heldFor: HeldReason; heldWord: string | null };

/**
 * Why a comment waits for its creator, by a few rules on this server; a mistake only holds it. The creator's own words
 * count in any case, and the most precise reason comes first.
 * @returns undefined when it is shown at once
 */
export function findHold(text: string, { hold, words }: { hold: CommentHold; words: readonly string[] }) {
  const [word] = findListed(text, words);
  const reason = word === undefined ? reasonOf(text, hold) : 'word';
  return reason && ({ heldFor: reason, heldWord: word ?? null } satisfies Held);
}

function reasonOf(text: string, hold: CommentHold): HeldReason | undefined {
  if (hold === 'none') return undefined;
  if (hasLink(text)) return 'link';
  if (hold === 'links') return undefined;
  if (isLikelyUnkind(text)) return 'unkind';
  return hold === 'all' ? 'all' : undefined;
}

function isLikelyUnkind(text: string): boolean {
  return isShouted(text) || drawnOut.test(text) || findListed(text, unkindWords).length > 0;
}

function isShouted(text: string): boolean {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  return capitals >= shouted.letters && capitals / (capitals + small) >= shouted.share;
}

/** Parts that held it, in UTF-16 units: links, the creator's word, or the words that are likely unkind. */
export function markHeld(text: string, { heldFor, heldWord }: { heldFor: HeldReason | null; heldWord: string | null }) {
  switch (heldFor ?? 'link') {
    case 'link':
      return findLinks(text);
    case 'word':
      return heldWord === null ? [] : markListed(text, [heldWord]);
    case 'unkind':
      return markListed(text, unkindWords);
    case 'all':
      return [] satisfies Mark[];
  }
}
