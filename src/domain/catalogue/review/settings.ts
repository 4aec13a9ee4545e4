import { z } from 'zod';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { Setting } from '../../settings/setting.ts';
import { type ReviewMode, reviewModes } from './rules.ts';

/** `mode` null: no operator has set it, and the site's default applies. */
export const ReviewSettings = z.object({ mode: z.enum(reviewModes).nullable().default(null) });
export type ReviewSettings = z.infer<typeof ReviewSettings>;

export const reviewSetting = { key: 'review', schema: ReviewSettings } satisfies Setting;

/** In force; read from the database, because commands and jobs that publish have no settings at hand. */
export async function findReviewMode(db: Db): Promise<ReviewMode> {
  return (await findSetting(db, reviewSetting)).value.mode ?? 'off';
}
