import type { UploadFailure } from '#domain/studio/rules.ts';

const texts: Record<UploadFailure, string> = {
  empty: 'The file is empty. Upload it again.',
  'not-sound': 'There is no sound in this file. Save it as WAV, FLAC, MP3, M4A or OGG.',
  video: 'This is a video. Upload its sound alone.',
  damaged: 'The file is damaged or cut off. Upload it again.',
  'too-short': 'The recording is shorter than a second.',
  'too-long': 'The recording is longer than 12 hours. Split it.',
  silent: 'The recording is silent.',
  'too-large': 'The file is over 2 GB. Split it, or save it as FLAC.',
  'takes-too-much': 'Processing took too long. Save it as WAV or FLAC.',
  'engine-missing': 'The site cannot process files at the moment. Try again later.',
  failed: 'Processing failed. Upload it again.',
};

/** What happened to a file and what to do, in a line. */
export function failureText(failure: UploadFailure): string {
  return texts[failure];
}
