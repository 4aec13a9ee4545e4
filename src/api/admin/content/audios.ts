import { z } from '@hono/zod-openapi';
import { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import * as forms from '#domain/admin/forms.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { managedStates } from '#domain/studio/rules.ts';
import { callBy } from '../../call.ts';
import { found } from '../../found.ts';
import { choiceQuery } from '../../schemas.ts';
import { managedPage, ManagedAudioResponse } from '../../studio/audios.ts';

/** Audios of all creators, acts on many of them, and the preview, for operators. */

const Id = z.uuid().toLowerCase();

const Count = z.object({ count: z.number(), isMore: z.boolean().describe('There are more than that') });
const Named = z.object({ id: Id, slug: z.string(), label: z.string() }).nullable().optional();
const adminCall = callBy('operator', {
  limit: { kind: 'admin-catalogue', perMinute: 300 },
  maxBytes: 64 * 1024,
});

export const listAudios = adminCall({
  get: '/admin/audios',
  about: 'Audios of all creators',
  query: forms.AudioFilterForm.extend(managedPage),
  output: z.object({
    items: z.array(ManagedAudioResponse),
    newerCursor: z.string().nullable(),
    olderCursor: z.string().nullable(),
    total: Count,
    counts: z
      .record(z.enum(['all', ...managedStates]), Count)
      .nullable()
      .describe('Under the other filters; null where counting would take too long'),
    names: z.object({ voice: Named, category: Named, tag: Named }).describe('Names of the filtered items'),
  }),
  async act({ site, viewer, query }) {
    const page = await site.admin.content.listAudios(viewer, query);
    const { newerCursor = null, olderCursor = null, counts = null } = page;
    return { ...page, newerCursor, olderCursor, counts };
  },
});

export const findListableAudios = adminCall({
  get: '/admin/audio-choices',
  command: { none: 'finds them while somebody types; commands take slugs' },
  about: 'Audios by title or voice, published or not, to add to a list',
  query: choiceQuery,
  output: z
    .object({
      items: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          voice: z.string(),
          imageUrl: z.string().nullable(),
          duration: z.number().describe('Seconds'),
          isPublished: z.boolean(),
        }),
      ),
    })
    .describe('At most ten'),
  limit: { kind: 'admin-lists', perMinute: 120 },
  act: async ({ site, viewer, query }) => ({
    items: await site.admin.content.findListableAudios(viewer, query.q, 10),
  }),
});

const BulkAct = z.object(BulkActState.shape).openapi('BulkAct');

const startRefusals = { 'too-many': 'bulk-act/too-many', nothing: 'bulk-act/nothing', gone: 'bulk-act/gone' } as const;

export const startBulkAct = adminCall({
  post: '/admin/audios/acts',
  command: 'bulk-acts start',
  about: 'The same act on many audios, each for itself',
  input: forms.BulkActForm,
  output: BulkAct,
  refuses: startRefusals,
  errors: ['request/not-found'],
  act: async ({ site, viewer, input }) =>
    site.admin.content.beginBulkAct(viewer, await site.admin.content.startBulkAct(viewer, input)),
});

export const listBulkActs = adminCall({
  get: '/admin/bulk-acts',
  about: 'Acts that are not finished, of all operators',
  output: z.object({ items: z.array(BulkAct) }).describe('The last started first'),
  act: async ({ site, viewer }) => ({ items: await site.admin.content.listOpenBulkActs(viewer) }),
});

export const findBulkAct = adminCall({
  get: '/admin/bulk-acts/{id}',
  about: 'How far an act is',
  output: BulkAct,
  act: ({ site, viewer, id }) => site.admin.content.findBulkAct(viewer, id),
});

export const stopBulkAct = adminCall({
  post: '/admin/bulk-acts/{id}/stop',
  about: 'Stops an act after the audios that it is working on',
  errors: ['bulk-act/finished'],
  async act({ site, viewer, id }) {
    found(await site.admin.content.findBulkAct(viewer, id));
    if (!(await site.admin.content.stopBulkAct(viewer, id))) throw new DomainError('bulk-act/finished');
  },
});

export const undoBulkAct = adminCall({
  post: '/admin/bulk-acts/{id}/undo',
  about: 'Undoes a finished act on all its audios',
  output: BulkAct,
  refuses: startRefusals,
  act: async ({ site, viewer, id }) =>
    site.admin.content.beginBulkAct(viewer, await site.admin.content.undoBulkAct(viewer, id)),
});

export const findPreview = adminCall({
  get: '/admin/preview',
  about: 'The audio that every visitor may hear',
  output: z.object({
    audio: ManagedAudioResponse.nullable(),
    revision: z.number().int(),
    since: Instant.nullable(),
    by: z.string().nullable(),
  }),
  act: ({ site, viewer }) => site.admin.content.findPreview(viewer),
});

export const chooseSitePreview = adminCall({
  put: '/admin/preview',
  command: 'preview choose',
  seen: { revision: async ({ site, viewer }) => (await site.admin.content.findPreview(viewer)).revision },
  about: 'Chooses the audio that every visitor may hear',
  input: z.object({ audioId: Id, revision: z.number().int().min(0).describe('The revision that the operator saw') }),
  refuses: {
    'not-published': 'preview/not-published',
    'is-preview': 'preview/changed',
    'owners-only': 'request/not-found',
    'mistimed-transcript': 'audio/mistimed-transcript',
    'incomplete-chain': 'audio/incomplete-chain',
    'missing-facet': 'audio/missing-facet',
  },
  act: ({ site, viewer, input }) => site.admin.content.chooseSitePreview(viewer, input.audioId, input.revision),
});
