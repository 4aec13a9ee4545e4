import { z } from 'zod';
import { limitBounds } from './rules.ts';
import type { Setting } from './setting.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max);

/** Limits per person. Null: the environment's value applies. */
export const Limits = z.object({
  commentsPerHour: within(limitBounds.commentsPerHour).default(120),
  /** This many reports by listeners hide a comment until it is decided. */
  reportsToHide: within(limitBounds.reportsToHide).default(3),
  /** Per creator, in 24 hours. */
  uploadsPerDay: within(limitBounds.uploadsPerDay).nullable().default(null),
  uploadGigabytesPerDay: within(limitBounds.uploadGigabytesPerDay).nullable().default(null),
  uploadHoursPerDay: within(limitBounds.uploadHoursPerDay).nullable().default(null),
  /** Different audios of one private feed that may be downloaded on one day (UTC). */
  feedDownloadsPerDay: within(limitBounds.feedDownloadsPerDay).default(100),
  /** Networks that may use the address of one private feed on one day. One more stops it. */
  feedNetworksPerDay: within(limitBounds.feedNetworksPerDay).default(20),
  /** Per creator, at the same time. */
  unfinishedUploads: within(limitBounds.unfinishedUploads).default(20),
});
export type Limits = z.infer<typeof Limits>;

export const limitSetting = { key: 'limits', schema: Limits } satisfies Setting;
