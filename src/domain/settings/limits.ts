import { z } from 'zod';
import type { Setting } from './setting.ts';

/** Limits per person. Null: the environment's value applies. */
export const Limits = z.object({
  commentsPerHour: z.number().int().min(1).max(1000).default(120),
  /** This many reports by listeners hide a comment until it is decided. */
  reportsToHide: z.number().int().min(1).max(100).default(3),
  /** Per creator, in 24 hours. */
  uploadsPerDay: z.number().int().min(1).max(100_000).nullable().default(null),
  uploadGigabytesPerDay: z.number().int().min(1).max(100_000).nullable().default(null),
  /** Different audios of one private feed that may be downloaded on one day (UTC). */
  feedDownloadsPerDay: z.number().int().min(1).max(10_000).default(100),
  /** Networks that may use the address of one private feed on one day. One more stops it. */
  feedNetworksPerDay: z.number().int().min(2).max(1000).default(20),
  /** Per creator, at the same time. */
  unfinishedUploads: z.number().int().min(1).max(200).default(20),
});
export type Limits = z.infer<typeof Limits>;

export const limitSetting = { key: 'limits', schema: Limits } satisfies Setting;
