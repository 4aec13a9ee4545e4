import type { z } from 'zod';
import { wholeNumber } from './values.ts';

/** Limits for one creator within 24 hours. */
export const uploadSettings = {
  UPLOADS_PER_DAY: wholeNumber(1, 100_000)
    .default(200)
    .describe('Maximum number of files per creator in 24 hours. A file may have up to 2 GB'),
  UPLOAD_GB_PER_DAY: wholeNumber(1, 100_000).default(20).describe('Maximum of gigabytes per creator in 24 hours'),
  UPLOAD_HOURS_PER_DAY: wholeNumber(1, 100_000)
    .default(24)
    .describe('Maximum of hours of sound per creator in 24 hours'),
};

export function uploadConfig(value: z.infer<z.ZodObject<typeof uploadSettings>>) {
  return {
    filesPerDay: value.UPLOADS_PER_DAY,
    bytesPerDay: value.UPLOAD_GB_PER_DAY * 1024 ** 3,
    hoursPerDay: value.UPLOAD_HOURS_PER_DAY,
  };
}
