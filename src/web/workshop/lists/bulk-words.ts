import { plural, t } from '@lingui/core/macro';
import type { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import { formatCount } from '#formats/numbers.ts';

type Words = {
  /** While it runs. */
  progress: () => string;
  done: (count: number) => string;
  /** Question before the act; acts without one start at once. */
  ask?: { verb: () => string; question: (audios: string) => string; consequence: () => string };
};

export const bulkWords: Record<BulkActState['verb'], Words> = {
  publish: {
    progress: () => t`Publishing`,
    done: (count) => plural(count, { one: '# audio published', other: '# audios published' }),
  },
  unpublish: {
    progress: () => t`Unpublishing`,
    done: (count) => plural(count, { one: '# audio unpublished', other: '# audios unpublished' }),
    ask: {
      verb: () => t`Unpublish`,
      question: (audios) => t`Unpublish ${audios}?`,
      consequence: () => t`Listeners can no longer find or play them.`,
    },
  },
  free: {
    progress: () => t`Opening access`,
    done: (count) => plural(count, { one: '# audio now free', other: '# audios now free' }),
  },
  subscribers: {
    progress: () => t`Restricting access`,
    done: (count) => plural(count, { one: '# audio now for subscribers', other: '# audios now for subscribers' }),
  },
  'set-language': {
    progress: () => t`Setting the language`,
    done: (count) => plural(count, { one: '# audio now in this language', other: '# audios now in this language' }),
  },
  'set-synthetic-voice': {
    progress: () => t`Setting the synthetic voice`,
    done: (count) => plural(count, { one: '# audio changed', other: '# audios changed' }),
  },
  'add-categories': {
    progress: () => t`Adding categories`,
    done: (count) =>
      plural(count, { one: '# audio in these categories now', other: '# audios in these categories now' }),
  },
  'remove-categories': {
    progress: () => t`Removing categories`,
    done: (count) =>
      plural(count, { one: '# audio without these categories now', other: '# audios without these categories now' }),
  },
  'add-tags': {
    progress: () => t`Adding tags`,
    done: (count) => plural(count, { one: '# audio tagged', other: '# audios tagged' }),
  },
  'remove-tags': {
    progress: () => t`Removing tags`,
    done: (count) => plural(count, { one: '# audio without these tags now', other: '# audios without these tags now' }),
  },
  'add-to-playlist': {
    progress: () => t`Adding to the playlist`,
    done: (count) => plural(count, { one: '# audio added to the playlist', other: '# audios added to the playlist' }),
  },
  'remove-from-playlist': {
    progress: () => t`Removing from the playlist`,
    done: (count) =>
      plural(count, { one: '# audio removed from the playlist', other: '# audios removed from the playlist' }),
  },
  delete: {
    progress: () => t`Deleting`,
    done: (count) => plural(count, { one: '# audio deleted', other: '# audios deleted' }),
    ask: {
      verb: () => t`Delete`,
      question: (audios) => t`Delete ${audios}?`,
      consequence: () => t`They disappear at once. You can restore them for 30 days.`,
    },
  },
  restore: {
    progress: () => t`Restoring`,
    done: (count) => plural(count, { one: '# audio restored', other: '# audios restored' }),
  },
  undo: {
    progress: () => t`Undoing`,
    done: (count) => plural(count, { one: '# audio reset', other: '# audios reset' }),
  },
};

/** `“Bright Star” is the preview, which every visitor hears first.` */
export function refusalText({ title, reason }: BulkActState['refusals'][number]): string {
  const name = title === null ? t`One audio` : t`“${title}”`;
  switch (reason) {
    case 'not-found':
      return t`${name} no longer exists.`;
    case 'not-published':
      return t`${name} is not published.`;
    case 'is-preview':
      return t`${name} is the preview, which every visitor hears first.`;
    case 'mistimed-transcript':
      return t`${name} has lines with wrong times in its transcript.`;
    case 'incomplete-chain':
      return t`${name} is not complete: see its performers, and the verification of its creator.`;
    case 'missing-facet':
      return t`${name} has no tag of a facet that is required.`;
    case 'owners-only':
      return t`${name} can only be deleted by an owner.`;
    case 'crowded-facet':
      return t`${name} has another tag of this facet, which takes one.`;
    case 'full':
      return t`${name} has no room for more.`;
    case 'refused-word':
      return t`${name} could not be changed, because the site refuses a word in it.`;
    case 'gone':
      return t`${name} could not be changed, because the category or playlist no longer exists.`;
    default:
      return t`${name} could not be changed.`;
  }
}

type Progress = Pick<BulkActState, 'verb' | 'state' | 'total' | 'changed' | 'sentForReview' | 'unchanged' | 'refused'>;

export function doneOf({ changed, unchanged, refused }: Progress): number {
  return changed + unchanged + refused;
}

/** `3 audios published, 2 sent for review`: those are not public yet. */
function doneText({ verb, changed, sentForReview: count }: Progress): string {
  const { done } = bulkWords[verb];
  if (count === 0) return done(changed);
  const there = verb === 'publish' ? changed - count : changed;
  if (there === 0) return plural(count, { one: '# audio sent for review', other: '# audios sent for review' });
  return `${done(there)}, ${plural(count, { one: '# sent for review', other: '# sent for review' })}`;
}

/** The result of a finished act. */
export function resultText(act: Progress): string {
  const { changed, unchanged, refused, total, state } = act;
  const done = doneText(act);
  if (state === 'stopped') {
    const [now, all] = [formatCount(doneOf(act)), formatCount(total)];
    return t`Stopped after ${now} of ${all}: ${done}`;
  }
  if (changed === 0 && refused === 0)
    return plural(unchanged, { one: '# audio was already like this', other: '# audios were already like this' });
  if (refused === 0) return done;
  const left = plural(refused, { one: '# audio not changed', other: '# audios not changed' });
  return `${done}, ${left}`;
}
