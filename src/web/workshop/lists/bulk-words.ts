import type { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import { countOf } from '#formats/numbers.ts';

type Words = {
  /** While it runs. */
  progress: string;
  /** After the number of audios. */
  done: string;
  /** After the number of refused audios; default: not changed. */
  failed?: string;
  /** Question before the act; acts without one start at once. */
  ask?: { verb: string; consequence: string };
};

export const bulkWords: Record<BulkActState['verb'], Words> = {
  publish: { progress: 'Publishing', done: 'published', failed: 'not published' },
  unpublish: {
    progress: 'Unpublishing',
    done: 'unpublished',
    failed: 'not unpublished',
    ask: { verb: 'Unpublish', consequence: 'Listeners can no longer find or play them.' },
  },
  free: { progress: 'Opening access to', done: 'now free' },
  subscribers: { progress: 'Restricting access to', done: 'now for subscribers' },
  'add-categories': { progress: 'Adding categories to', done: 'in these categories now' },
  'remove-categories': { progress: 'Removing categories from', done: 'without these categories now' },
  'add-tags': { progress: 'Adding tags to', done: 'tagged' },
  'remove-tags': { progress: 'Removing tags from', done: 'without these tags now' },
  'add-to-playlist': { progress: 'Adding to the playlist', done: 'added to the playlist' },
  'remove-from-playlist': { progress: 'Removing from the playlist', done: 'removed from the playlist' },
  delete: {
    progress: 'Deleting',
    done: 'deleted',
    failed: 'not deleted',
    ask: { verb: 'Delete', consequence: 'They disappear at once. You can restore them for 30 days.' },
  },
  restore: { progress: 'Restoring', done: 'restored', failed: 'not restored' },
  undo: { progress: 'Undoing', done: 'reset', failed: 'not reset' },
};

const reasons: Record<string, string> = {
  'not-found': 'no longer exists',
  'not-published': 'is not published',
  'is-preview': 'is the preview, which every visitor hears first',
  'mistimed-transcript': 'has lines with wrong times in its transcript',
  'owners-only': 'can only be deleted by an owner',
  full: 'has no room for more',
  gone: 'could not be changed, because the category or playlist no longer exists',
};

/** `“Bright Star” is the preview, which every visitor hears first.` */
export function refusalText({ title, reason }: BulkActState['refusals'][number]): string {
  return `${title === null ? 'One audio' : `“${title}”`} ${reasons[reason] ?? 'could not be changed'}.`;
}

type Progress = Pick<BulkActState, 'verb' | 'state' | 'total' | 'changed' | 'unchanged' | 'refused'>;

export function doneOf({ changed, unchanged, refused }: Progress): number {
  return changed + unchanged + refused;
}

/** The result of a finished act. */
export function resultText(act: Progress): string {
  const { verb, changed, unchanged, refused, total, state } = act;
  const { done, failed = 'not changed' } = bulkWords[verb];
  if (state === 'stopped') return `Stopped after ${doneOf(act)} of ${countOf(total, 'audio')}: ${changed} ${done}`;
  if (changed === 0 && refused === 0)
    return `${countOf(unchanged, 'audio')} ${unchanged === 1 ? 'was' : 'were'} already like this`;
  return refused === 0 ? `${countOf(changed, 'audio')} ${done}` : `${changed} ${done}, ${refused} ${failed}`;
}
