import { z } from 'zod';
import { operator } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import type { Setting } from '../../settings/setting.ts';
import { type ReviewMode, reviewModes } from './rules.ts';

/** `mode` null: no operator has set it, and the site's default applies. */
export const ReviewSettings = z.object({ mode: z.enum(reviewModes).nullable().default(null) });
export type ReviewSettings = z.infer<typeof ReviewSettings>;

export const reviewSetting = { key: 'review', schema: ReviewSettings } satisfies Setting;

/** The site's default. It is stored, because commands and jobs that publish do not know who can open the site. */
export const standardReviewSetting = {
  key: 'review-standard',
  schema: z.object({ mode: z.enum(reviewModes).default('off') }),
} satisfies Setting;

/** At the start of a process: `off` where no other machine can open the site. */
export async function keepStandardReview(db: Db, isOnlyLocal: boolean): Promise<void> {
  const { value, revision } = await findSetting(db, standardReviewSetting);
  const mode: ReviewMode = isOnlyLocal ? 'off' : 'new-creators';
  if (value.mode === mode) return;
  await db.transaction((tx) =>
    changeSetting(tx, standardReviewSetting, { actor: operator, value: { mode }, revision }),
  );
}

/** In force; from the database, which all that publishes has at hand. */
export async function findReviewMode(db: Db): Promise<ReviewMode> {
  const [{ value }, standard] = await Promise.all([
    findSetting(db, reviewSetting),
    findSetting(db, standardReviewSetting),
  ]);
  return value.mode ?? standard.value.mode;
}
