import { z } from 'zod';
import { Instant, PlainText } from '../kernel/forms.ts';
import type { AudioSort } from './forms.ts';
import { audioCounts, audioListKeys, audioListPlays, audios } from './tables.ts';

export type AudioOrder = {
  direction: 'asc' | 'desc';
  column: 'publishedAt' | 'sortTitle' | 'durationMs' | 'plays';
  value: z.ZodType<string | number>;
  /** Converts the cursor value to the type of the column. */
  bind: (value: string | number) => string | number | Date;
};

const WholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const asItIs = (value: string | number) => value;
const byTime = { column: 'publishedAt', value: Instant, bind: (value: string | number) => new Date(value) } as const;
const byDuration = { column: 'durationMs', value: WholeNumber.max(2_147_483_647), bind: asItIs } as const;

export const audioOrders: Record<AudioSort, AudioOrder> = {
  recent: { direction: 'desc', ...byTime },
  oldest: { direction: 'asc', ...byTime },
  popular: { direction: 'desc', column: 'plays', value: WholeNumber, bind: asItIs },
  title: { direction: 'asc', column: 'sortTitle', value: PlainText, bind: asItIs },
  shortest: { direction: 'asc', ...byDuration },
  longest: { direction: 'desc', ...byDuration },
};

/** The table whose index has the audios in this order: those of a list, or all. */
export function keysOf(column: AudioOrder['column'], isList: boolean) {
  if (column === 'plays') {
    const table = isList ? audioListPlays : audioCounts;
    return { table, id: table.audioId, value: table.plays };
  }
  return isList
    ? { table: audioListKeys, id: audioListKeys.audioId, value: audioListKeys[column] }
    : { table: audios, id: audios.id, value: audios[column] };
}
