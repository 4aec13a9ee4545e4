import { z } from 'zod';
import { i18n } from '#i18n';

/** Seconds; two days, longer than any audio. */
export const maxSeconds = 2 * 24 * 60 * 60;

/** Lower-case as PostgreSQL writes it, so that ids compare equal. */
const Id = z.uuid().toLowerCase();

const Seconds = z.number().min(0).max(maxSeconds);

export const counterTypes = [
  'listenCounter',
  'played30sCounter',
  'audioListenedSeconds',
  'voiceListenedSeconds',
] as const;
export type CounterType = (typeof counterTypes)[number];

/** These types send seconds as their value; the others count one and ignore the value. */
export function isSecondsType(type: CounterType): type is 'audioListenedSeconds' | 'voiceListenedSeconds' {
  return type === 'audioListenedSeconds' || type === 'voiceListenedSeconds';
}

export const CounterReport = z
  .object({
    type: z.enum(counterTypes),
    key: Id.describe('Id of the audio; of the voice for `voiceListenedSeconds`'),
    value: Seconds.optional().describe('Audible wall-clock seconds, for the types that end in `Seconds`'),
    reportId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .describe('The same report counts once, however often it is sent'),
    position: Seconds.optional().describe('Seconds into the audio where the reported listening ended'),
  })
  .refine(({ type, value }) => value !== undefined || !isSecondsType(type), {
    path: ['value'],
    error: () => i18n._(/*i18n*/ { id: 'counter-form.seconds', message: 'Seconds are needed' }),
  });
export type CounterReport = z.infer<typeof CounterReport>;

const Time = z.iso.datetime();

/** Times of a report that may arrive late. */
export const ReportTimes = z.object({
  notedAt: Time.optional().describe('When it was so, by the clock of the sender; now when left out'),
  sentAt: Time.optional().describe('When this was sent, by the same clock, so that a wrong clock is noticed'),
});

/** Other fields of an audio may be present; they are ignored. */
export const ProgressKey = z.looseObject({
  type: z.literal('currentlyListening'),
  id: Id.describe('Of the audio'),
  ...ReportTimes.shape,
});
export const ProgressValue = ProgressKey.extend({
  seconds: Seconds.describe('Into the audio'),
  isPlaying: z.boolean().optional().describe('Whether it sounds on this device, so that others can offer to play it'),
});

/**
 * Why playback went on with an audio after the end of a list: the same people heard it, its tags, that it is new or little
 * heard, or the site's own rule (decision 095).
 */
export const keptReasons = ['near', 'tags', 'little-heard', 'site'] as const;
export type KeptReason = (typeof keptReasons)[number];
