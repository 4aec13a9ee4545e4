import type { UploadFailure } from '#domain/studio/rules.ts';

/** Each text says what happened and what to do. */
export const failureTexts: Record<UploadFailure, string> = {
  empty: 'This file is empty. Export it again, and choose the new file.',
  'not-sound': 'There is no sound in this file. Save it as WAV, FLAC, MP3, M4A or OGG, and choose that file.',
  video: 'This is a video. Save its sound as WAV, FLAC, MP3, M4A or OGG, and choose that file.',
  damaged: 'This file is damaged or cut off. Export it again, and choose the new file.',
  'too-short': 'This recording is shorter than a second.',
  'too-long': 'This recording is longer than 12 hours. Split it, and upload the parts.',
  silent: 'This recording is silent. Check the export, and choose the new file.',
  'too-large': 'This file is over the limit of 2 GB. Split it, or save it as FLAC.',
  'daily-limit': 'This is more sound than you may upload in 24 hours. Try again tomorrow.',
  'takes-too-much': 'Processing took too long. Try again, or save it as WAV or FLAC.',
  'engine-missing': 'This site cannot process sound at the moment. Your file is kept. Try again later.',
  failed: 'Processing failed. Your file is kept. Try again.',
  removed: 'This upload was removed.',
};
