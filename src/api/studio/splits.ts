import { z } from '@hono/zod-openapi';
import { Id, ImageUrl, Instant } from '#domain/kernel/shapes.ts';
import { SplitAnswerForm, SplitForm } from '#domain/studio/splits/forms.ts';
import { splitStates } from '#domain/studio/splits/rules.ts';
import { callBy } from '../call.ts';

/** Shares of an audio's earnings, for its owners, and for owners of creators who are asked to agree. */

const studioCall = callBy('creator', { limit: { kind: 'studio', perMinute: 300 } });
/** For calls that may send a mail to another creator. */
const askingCall = callBy('creator', { limit: { kind: 'studio credits', perMinute: 30 } });
const refusals = { 'not-whole': 'split/not-whole', 'not-credited': 'split/not-credited' } as const;
const State = z.enum(splitStates);

const Split = z
  .object({
    id: Id,
    holdsFrom: z.string().nullable().describe('Month; null: somebody has not agreed'),
    parts: z.array(
      z.object({
        voiceId: Id,
        name: z.string(),
        imageUrl: ImageUrl,
        share: z.int().describe('Percent'),
        state: State,
        reason: z.string().nullable(),
      }),
    ),
  })
  .openapi('Split');

export const findSplits = studioCall({
  get: '/studio/audios/{id}/splits',
  command: 'splits show',
  about: 'Shares of an audio’s earnings: those that count, and those that wait for an answer; for owners',
  output: z.object({
    current: Split.nullable().describe('Null: the creator gets the whole'),
    waiting: Split.nullable(),
    candidates: z.array(z.object({ id: Id, name: z.string(), imageUrl: ImageUrl })),
  }),
  act: ({ site, viewer, id }) => site.studio.findSplits(viewer, id),
});

export const proposeSplit = askingCall({
  put: '/studio/audios/{id}/splits',
  command: 'splits propose',
  about: 'Proposes shares; they count from the first day of the month in which the last one agrees',
  input: SplitForm,
  refuses: refusals,
  act: ({ site, viewer, id, input }) => site.studio.proposeSplit(viewer, id, input),
});

export const withdrawSplit = studioCall({
  delete: '/studio/audios/{id}/splits',
  command: 'splits withdraw',
  about: 'Takes a proposal back; shares that count stay',
  act: ({ site, viewer, id }) => site.studio.withdrawSplit(viewer, id),
});

export const listAskedSplits = studioCall({
  get: '/studio/voices/{id}/splits',
  command: 'splits list-of-voice',
  about: 'Proposed shares to which a creator has not agreed, the newest first; for its owners',
  output: z.object({
    items: z.array(
      z
        .object({
          id: Id,
          share: z.int(),
          state: State,
          proposedAt: Instant,
          audio: z.object({ title: z.string(), imageUrl: ImageUrl }),
          creator: z.string(),
        })
        .openapi('AskedSplit'),
    ),
  }),
  async act({ site, viewer, id }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice && { items: await site.studio.listAskedSplits(viewer, voice.id) };
  },
});

export const answerSplit = studioCall({
  put: '/studio/voices/{id}/splits/{splitId}',
  command: 'splits answer',
  about: 'Agrees to proposed shares, or declines them',
  input: SplitAnswerForm,
  act: ({ site, viewer, id, splitId, input }) => site.studio.answerSplit(viewer, { voiceId: id, splitId }, input),
});
