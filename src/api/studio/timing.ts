import { z } from '@hono/zod-openapi';
import { maxScriptLines, scriptLength } from '#domain/catalogue/rules.ts';
import { type Sentence, DomainError } from '#domain/kernel/errors.ts';
import { formatCount } from '#formats/numbers.ts';
import { Script } from '#domain/studio/forms.ts';
import type { ScriptRefusal } from '#domain/studio/script-lines.ts';
import { ScriptTiming } from '#domain/studio/timing/timings.ts';
import { studioCall } from '../call.ts';
import { SavedAudio, Seen, findVersion, limit, savingRefusals } from './audios.ts';

function sentenceOf({ why, line }: ScriptRefusal): Sentence {
  switch (why) {
    case 'empty':
      return /*i18n*/ { id: 'error.script.empty', message: 'The script has no lines that are read aloud.' };
    case 'not-text':
      return /*i18n*/ {
        id: 'error.script.not-text',
        message: 'The script is not plain text (line {line}).',
        values: { line },
      };
    case 'too-long':
      return /*i18n*/ {
        id: 'error.script.too-long',
        message: 'Line {line} of the script is longer than 1,000 characters. Break it into several lines.',
        values: { line },
      };
    case 'too-many':
      return /*i18n*/ {
        id: 'error.script.too-many',
        message: 'The script has more than {max} lines.',
        values: { max: formatCount(maxScriptLines) },
      };
  }
}

export const scriptRefusals = {
  'unreadable-script': (refusal: ScriptRefusal) => new DomainError('audio/unreadable-script', sentenceOf(refusal)),
} as const;

const TimingResponse = z.object(ScriptTiming.shape).openapi('ScriptTiming');

/** Four bytes for each character, and escapes. */
export const scriptBytes = 8 * scriptLength;
const timingLimit = { kind: 'studio timings', perMinute: 60 };

export const startTiming = studioCall({
  put: '/studio/audios/{id}/timing',
  command: { none: 'audios time-scripts takes files' },
  about: 'Times a script against the recording, in the background; the transcript stays until the result is taken',
  input: z.object({ script: Script }),
  status: 202,
  output: TimingResponse,
  refuses: { 'too-many-scripts': 'audio/too-many-scripts', ...scriptRefusals },
  limit: timingLimit,
  maxBytes: scriptBytes,
  async act({ site: { studio }, viewer, id, input: { script } }) {
    const started = await studio.startTiming(viewer, id, script);
    if (!started.ok) return started.reason === 'not-found' || started.reason === 'has-timing' ? undefined : started;
    return studio.findTiming(viewer, id);
  },
});

export const startDraft = studioCall({
  post: '/studio/audios/{id}/timing/draft',
  command: 'audios draft-transcript',
  about: 'Has the speech service of the site draft the transcript, in the background; it waits until it is taken',
  status: 202,
  output: TimingResponse,
  refuses: { 'feature-off': 'site/feature-off', 'too-many-scripts': 'audio/too-many-scripts' },
  limit: timingLimit,
  async act({ site: { studio, facts }, viewer, id }) {
    if (facts.speechHost === undefined) return { ok: false, reason: 'feature-off' } as const;
    const started = await studio.startDraft(viewer, id);
    if (!started.ok) return started.reason === 'too-many-scripts' ? started : undefined;
    return studio.findTiming(viewer, id);
  },
});

export const findStudioTiming = studioCall({
  get: '/studio/audios/{id}/timing',
  command: 'audios timing',
  about: 'The script that is timed against the recording, and its result',
  output: TimingResponse,
  limit,
  act: ({ site, viewer, id }) => site.studio.findTiming(viewer, id),
});

export const takeTiming = studioCall({
  post: '/studio/audios/{id}/timing/take',
  seen: { version: findVersion },
  command: 'audios take-timing',
  about: 'Makes the timed lines the transcript, as saving it does',
  input: Seen,
  output: SavedAudio,
  refuses: {
    ...savingRefusals,
    'no-timing': 'request/not-found',
    'timing-not-ready': 'audio/timing-not-ready',
    'outdated-timing': 'audio/outdated-timing',
  },
  limit,
  act: ({ site, viewer, id, input }) => site.studio.takeTiming(viewer, id, input.version),
});

export const dropTiming = studioCall({
  delete: '/studio/audios/{id}/timing',
  command: 'audios drop-timing',
  about: 'Stops the timing of a script, or discards its result',
  limit,
  act: ({ site, viewer, id }) => site.studio.dropTiming(viewer, id),
});
