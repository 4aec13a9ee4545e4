import { z } from 'zod';

/** Seconds; beyond two days nobody listened, and no audio is that long. */
export const mostSeconds = 2 * 24 * 60 * 60;

/** As the database writes it, so that two spellings are one. */
const Id = z.uuid().toLowerCase();

const Seconds = z.number().min(0).max(mostSeconds);

export const counterTypes = [
  'listenCounter',
  'played30sCounter',
  'audioListenedSeconds',
  'voiceListenedSeconds',
] as const;
export type CounterType = (typeof counterTypes)[number];

/** Seconds are told with their value; the others count one, whatever their value says. */
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
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
      .optional()
      .describe('The same report counts once, however often it is sent'),
    position: Seconds.optional().describe('Seconds into the audio where the reported listening ended'),
  })
  .refine(({ type, value }) => value !== undefined || !isSecondsType(type), {
    path: ['value'],
    message: 'seconds are needed',
  });
export type CounterReport = z.infer<typeof CounterReport>;

/** Other fields of an audio may stand beside these; they are not read. */
export const ProgressKey = z.object({ type: z.literal('currentlyListening'), id: Id.describe('Of the audio') });
export const ProgressValue = ProgressKey.extend({ seconds: Seconds.describe('Into the audio') });
