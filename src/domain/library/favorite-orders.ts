import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { audioCounts, audios } from '../catalogue/tables.ts';
import { Instant, PlainText } from '../kernel/forms.ts';
import type { FavoriteSource } from './favorite-sources.ts';
import type { FavoriteSort } from './rules.ts';

/** A sort order, and how cursors carry its value. */
export type FavoriteOrder = {
  column: (source: FavoriteSource) => SQL;
  direction: SQL;
  /** Compares a row with the cursor: `>` in ascending orders. */
  isAfter: SQL;
  /** Type of the column. */
  type: SQL;
  cursorValue: z.ZodType<string | number>;
  toCursorValue: (value: unknown) => string | number;
};

const ascending = { direction: sql`asc`, isAfter: sql`>` };
const descending = { direction: sql`desc`, isAfter: sql`<` };

const byTime = {
  column: () => sql`f.created_at`,
  type: sql`timestamptz`,
  cursorValue: Instant,
  toCursorValue: (value: unknown) => new Date(value as string | Date).toISOString(),
};

const byNumber = {
  type: sql`bigint`,
  cursorValue: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  toCursorValue: Number,
};

const byTitle = {
  column: ({ title }: FavoriteSource) => title,
  type: sql`text collate "C"`,
  cursorValue: PlainText,
  toCursorValue: String,
};

export const favoriteOrders: Record<FavoriteSort, FavoriteOrder> = {
  recent: { ...byTime, ...descending },
  oldest: { ...byTime, ...ascending },
  title: { ...byTitle, ...ascending },
  popular: { ...byNumber, ...descending, column: () => sql`${audioCounts.plays}` },
  shortest: { ...byNumber, ...ascending, column: () => sql`${audios.durationMs}` },
  longest: { ...byNumber, ...descending, column: () => sql`${audios.durationMs}` },
};
