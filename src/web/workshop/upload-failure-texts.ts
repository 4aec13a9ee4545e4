import { t } from '@lingui/core/macro';
import type { UploadFailure } from '#domain/studio/rules.ts';

/** Each text says what happened and what to do. */
export const failureTexts = (): Record<UploadFailure, string> => ({
  empty: t`This file is empty. Export it again, and choose the new file.`,
  'not-sound': t`There is no sound in this file. Save it as WAV, FLAC, MP3, M4A or OGG, and choose that file.`,
  video: t`This is a video. Save its sound as WAV, FLAC, MP3, M4A or OGG, and choose that file.`,
  damaged: t`This file is damaged or cut off. Export it again, and choose the new file.`,
  'too-short': t`This recording is shorter than a second.`,
  'too-long': t`This recording is longer than 12 hours. Split it, and upload the parts.`,
  silent: t`This recording is silent. Check the export, and choose the new file.`,
  'too-large': t`This file is over the limit of 2 GB. Split it, or save it as FLAC.`,
  'daily-limit': t`This is more sound than you may upload in 24 hours. Try again tomorrow.`,
  'takes-too-much': t`Processing took too long. Try again, or save it as WAV or FLAC.`,
  'engine-missing': t`This site cannot process sound at the moment. Your file is kept. Try again later.`,
  failed: t`Processing failed. Your file is kept. Try again.`,
  removed: t`This upload was removed.`,
});
