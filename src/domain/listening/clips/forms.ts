import { z } from 'zod';
import { i18n } from '#i18n';
import { maxSeconds } from '../forms.ts';
import { maxClipSeconds, minClipSeconds } from './rules.ts';

const Seconds = z.number().min(0).max(maxSeconds);

/** Tenths of a second, by which two clips of the same words are the same. */
const toTenth = (seconds: number) => Math.round(seconds * 10) / 10;

export const ClipForm = z
  .object({
    start: Seconds.transform(toTenth).describe('Seconds into the audio'),
    end: Seconds.transform(toTenth).describe('At most 60 seconds after `start`'),
  })
  .refine(({ start, end }) => end - start >= minClipSeconds - 0.01 && end - start <= maxClipSeconds + 0.01, {
    error: () =>
      i18n._(
        /*i18n*/ {
          id: 'clip-form.length',
          message: 'A clip has at least {least, plural, one {# second} other {# seconds}}, and at most {most}',
          values: { least: minClipSeconds, most: maxClipSeconds },
        },
      ),
  });
export type ClipForm = z.output<typeof ClipForm>;
