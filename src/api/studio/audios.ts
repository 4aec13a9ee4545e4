import { z } from '@hono/zod-openapi';
import { syntheticVoices } from '#domain/catalogue/rules.ts';
import type { ChainGap } from '#domain/catalogue/editing/chain.ts';
import { type Sentence, DomainError } from '#domain/kernel/errors.ts';
import { ContentLanguage } from '#domain/kernel/forms.ts';
import { Limit } from '#domain/kernel/pages.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import { Area, EditedAudio } from '#domain/studio/audios/audio-values.ts';
import { AudioChange } from '#domain/studio/forms.ts';
import {
  bulkActs,
  editedFields,
  hasStudio,
  managedReviewStates,
  managedSorts,
  managedStates,
  maxAtOnce,
  maxPictureBytes,
  textFilters,
} from '#domain/studio/rules.ts';
import { idOrSlug } from '../schemas.ts';
import { found } from '../found.ts';
import type { ManagedResult } from '#domain/studio/audios/publishing.ts';
import { studioCall } from '../call.ts';

const Id = z.uuid().toLowerCase();
const Instant = z.iso.datetime();
export const limit = { kind: 'studio', perMinute: 300 };
/** A transcript of 20,000 lines. */
export const transcriptBytes = 4 * 1024 * 1024;

export const Seen = z.object({
  version: z.number().int().min(0).describe('The newest version that the editor has seen'),
});
const Field = z.enum(editedFields);

export async function findVersion({ site, viewer, id }: { site: Site; viewer: User; id: string }) {
  const audio = await site.studio.findEditedAudio(viewer, id);
  return audio?.version;
}

/** Query of a page of audios, which can be turned both ways. */
export const managedPage = {
  sort: z.enum(managedSorts).optional(),
  after: z.string().max(1200).optional().describe('`olderCursor` of a page'),
  before: z.string().max(1200).optional().describe('`newerCursor` of a page'),
  limit: Limit,
};

export const ManagedAudioResponse = z.object(ManagedAudio.shape).openapi('ManagedAudio');

export const SavedAudio = z
  .object({ version: z.number(), apart: z.array(Field), savedAt: Instant })
  .openapi('SavedAudio');

const AudioPublication = z
  .object({ state: z.enum(managedStates), publishedAt: Instant.nullable(), slug: z.string() })
  .openapi('AudioPublication');

export const publishingRefusals = {
  'not-published': 'request/not-found',
  'is-preview': 'audio/is-preview',
  'owners-only': 'studio/owners-only',
  'mistimed-transcript': ({ lines }: { lines: number[] }) =>
    new DomainError('audio/mistimed-transcript', mistimed(lines)),
  'incomplete-chain': ({ gap }: { gap: ChainGap }) => new DomainError('audio/incomplete-chain', gapSentences[gap]),
  'missing-facet': ({ facets }: { facets: string[] }) =>
    new DomainError(
      'audio/missing-facet',
      /*i18n*/ {
        id: 'error.audio/missing-facets',
        message: 'Nothing was published: choose a tag of {facets} first.',
        values: { facets: facets.join(', ') },
      },
    ),
} as const;

export const savingRefusals = {
  conflict: 'audio/changed-meanwhile',
  'slug-taken': 'audio/slug-taken',
  'unknown-voice': 'request/not-found',
  'unknown-category': 'audio/unknown-category',
  'unknown-series': 'audio/unknown-series',
  'crowded-facet': ({ name }: { name: string }) =>
    new DomainError(
      'audio/crowded-facet',
      /*i18n*/ {
        id: 'error.audio/crowded-facet-named',
        message: 'An audio has one tag of “{facet}” at most. Take the other one off first.',
        values: { facet: name },
      },
    ),
  'mistimed-transcript': publishingRefusals['mistimed-transcript'],
} as const;

/** Names the first five. */
/** Reasons that keep an audio from being published, and how it goes on. */
const gapSentences: Record<ChainGap, Sentence> = {
  'not-verified': /*i18n*/ {
    id: 'error.chain.not-verified',
    message: 'Nothing was published: the creator is not verified. Ask for it under Verification.',
  },
  agreement: /*i18n*/ {
    id: 'error.chain.agreement',
    message: 'Nothing was published: the creator agreement waits for an owner, under Verification.',
  },
  'nobody-heard': /*i18n*/ {
    id: 'error.chain.nobody-heard',
    message: 'Nothing was published: say who is heard, under Performers.',
  },
  'consent-against': /*i18n*/ {
    id: 'error.chain.consent-against',
    message: 'Nothing was published: someone who is heard does not agree. See Performers.',
  },
  'consent-missing': /*i18n*/ {
    id: 'error.chain.consent-missing',
    message: 'Nothing was published: not everyone who is heard has agreed. See Performers.',
  },
  'performer-not-verified': /*i18n*/ {
    id: 'error.chain.performer-not-verified',
    message: 'Nothing was published: the operator has not checked everyone who is heard. See Performers.',
  },
};

function mistimed(lines: number[]): Sentence {
  const count = lines.length;
  return /*i18n*/ {
    id: 'error.audio/mistimed-lines',
    message:
      '{count, plural, one {Line {lines} of the transcript has wrong times. Nothing was published. Correct it, then publish it again.} other {Lines {lines} of the transcript have wrong times. Nothing was published. Correct them, then publish it again.}}',
    values: { count, lines: lines.slice(0, 5).join(', ') + (count > 5 ? ' …' : '') },
  };
}

export const listStudioAudios = studioCall({
  get: '/studio/voices/{id}/audios',
  command: { none: 'audios list --voice shows the same' },
  about: 'Audios of a voice, for its managers',
  params: idOrSlug,
  query: z.object({
    q: z.string().max(100).optional().describe('Part of a title or a tag'),
    state: z.enum(managedStates).optional().describe('Default: all but the deleted ones'),
    syntheticVoice: z.enum(syntheticVoices).optional(),
    text: z.enum(textFilters).optional().describe('`without`: audios with words and without a transcript'),
    ...managedPage,
  }),
  output: z.object({
    items: z.array(ManagedAudioResponse),
    newerCursor: z.string().nullable(),
    olderCursor: z.string().nullable(),
    total: z.number(),
    counts: z.record(z.enum(['all', ...managedStates]), z.number()),
  }),
  limit,
  async act({ site: { studio }, viewer, id, query }) {
    const voice = found(await studio.findManagedVoice(viewer, id));
    const page = await studio.listManagedAudios(viewer, { ...query, voiceId: voice.id });
    const { newerCursor = null, olderCursor = null } = page;
    return { ...page, newerCursor, olderCursor };
  },
});

export const actOnAudios = studioCall({
  post: '/studio/audios/acts',
  command: { none: 'bulk-acts start does the same with any number' },
  about: 'The same act on several audios, each for itself',
  input: z
    .object({
      act: z.enum(bulkActs),
      ids: z.array(Id).min(1).max(maxAtOnce),
      language: ContentLanguage.optional().describe('For `set-language`'),
      syntheticVoice: z.enum(syntheticVoices).optional().describe('For `set-synthetic-voice`'),
    })
    .refine(({ act, language }) => (act === 'set-language') === (language !== undefined), {
      path: ['language'],
      message: 'Choose a language for this act, and only for it',
    })
    .refine(({ act, syntheticVoice }) => (act === 'set-synthetic-voice') === (syntheticVoice !== undefined), {
      path: ['syntheticVoice'],
      message: 'Choose none, partly or wholly for this act, and only for it',
    }),
  output: z.object({
    changed: z.array(Id),
    sentForReview: z.array(Id).describe('Changed ones that wait for a review now, and are not public yet'),
    unchanged: z.array(Id).describe('Already in that state'),
    refused: z.array(
      z.object({
        id: Id,
        title: z.string().nullable(),
        reason: z.enum([
          'not-found',
          'not-published',
          'is-preview',
          'mistimed-transcript',
          'incomplete-chain',
          'missing-facet',
          'owners-only',
        ]),
      }),
    ),
  }),
  limit,
  act: ({ site, viewer, input: { ids, ...act } }) => site.studio.actOnAudios(viewer, ids, act),
});

export const findStudioAudio = studioCall({
  get: '/studio/audios/{id}',
  about: 'An audio with its draft',
  output: z.object(EditedAudio.shape).openapi('EditedAudio'),
  limit,
  act: ({ site, viewer, id }) => site.studio.findEditedAudio(viewer, id),
});

export const saveStudioAudio = studioCall({
  patch: '/studio/audios/{id}',
  seen: { version: findVersion },
  about: 'Saves fields: apart while listeners see the audio or other changes are apart, otherwise at once',
  input: Seen.extend({ change: AudioChange }),
  output: SavedAudio,
  refuses: savingRefusals,
  limit,
  maxBytes: transcriptBytes,
  act: ({ site, viewer, id, input }) => site.studio.saveAudio(viewer, id, input),
});

export const publishStudioChanges = studioCall({
  post: '/studio/audios/{id}/changes/publish',
  seen: { version: findVersion },
  about: 'Publishes the whole draft, or nothing',
  input: Seen,
  output: SavedAudio,
  refuses: savingRefusals,
  limit,
  act: ({ site, viewer, id, input }) => site.studio.publishChanges(viewer, id, input.version),
});

export const discardStudioChanges = studioCall({
  post: '/studio/audios/{id}/changes/discard',
  seen: { version: findVersion },
  about: 'Discards the draft',
  input: Seen,
  output: SavedAudio,
  refuses: savingRefusals,
  limit,
  act: ({ site, viewer, id, input }) => site.studio.discardChanges(viewer, id, input.version),
});

export const setStudioCover = studioCall({
  put: '/studio/audios/{id}/cover',
  seen: { version: findVersion },
  about: 'Another picture, another part of it, or one of the site’s making',
  input: Seen.extend({
    choice: z.union([
      z.strictObject({ picture: z.base64().min(1).describe('JPEG, PNG, WebP, AVIF, GIF or TIFF') }),
      z.strictObject({ area: Area.describe('In pixels of `cover.source`, or of the cover when there is none') }),
      z.strictObject({ drawn: z.literal(true) }),
    ]),
  }),
  output: SavedAudio,
  refuses: {
    ...savingRefusals,
    'not-a-picture': 'audio/not-a-picture',
    'no-picture': 'audio/not-a-picture',
    'bad-area': 'audio/bad-area',
  },
  // Strict, because pictures are decoded and encoded at once; base64 makes them a third longer.
  limit: { kind: 'studio pictures', perMinute: 40 },
  maxBytes: Math.ceil((maxPictureBytes * 4) / 3) + 1024,
  act({ site, viewer, id, input: { version, choice } }) {
    const chosen = 'picture' in choice ? { picture: new Uint8Array(Buffer.from(choice.picture, 'base64')) } : choice;
    return site.studio.setAudioCover(viewer, id, { version, choice: chosen });
  },
});

export const setPublication = studioCall({
  put: '/studio/audios/{id}/publication',
  command: { none: 'audios publish and audios unpublish do more' },
  about: 'Publishes now or at a time, or unpublishes',
  input: z.discriminatedUnion('state', [
    z.object({ state: z.literal('published') }),
    z.object({ state: z.literal('scheduled'), at: z.iso.datetime({ offset: true }) }),
    z.object({ state: z.literal('unpublished') }),
  ]),
  output: AudioPublication,
  refuses: publishingRefusals,
  errors: ['audio/in-the-past'],
  limit,
  async act({ site: { studio }, viewer, id, input }) {
    if (input.state === 'unpublished') return publicationOf(await studio.unpublishAudio(viewer, id));
    const at = input.state === 'scheduled' ? new Date(input.at) : undefined;
    if (at !== undefined) {
      found(await studio.findAudioFacts(viewer, id));
      if (at <= new Date()) throw new DomainError('audio/in-the-past');
      // PostgreSQL has no later ones.
      if (at.getUTCFullYear() > 9000) throw new DomainError('audio/in-the-past', 'Choose a time before the year 9001.');
    }
    return publicationOf(await studio.publishAudio(viewer, id, at));
  },
});

export const deleteStudioAudio = studioCall({
  delete: '/studio/audios/{id}',
  about: 'Deletes an audio; it can be restored for 30 days',
  output: AudioPublication,
  refuses: publishingRefusals,
  limit,
  act: async ({ site, viewer, id }) => publicationOf(await site.studio.deleteAudio(viewer, id)),
});

export const restoreStudioAudio = studioCall({
  post: '/studio/audios/{id}/restore',
  about: 'Restores a deleted audio',
  output: AudioPublication,
  refuses: publishingRefusals,
  limit,
  act: async ({ site, viewer, id }) => publicationOf(await site.studio.restoreAudio(viewer, id)),
});

export const suggestStudioTags = studioCall({
  get: '/studio/tags',
  command: { none: 'finds them while somebody types; tags list has all' },
  about: 'Labels of tags, the most used first',
  query: z.object({ q: z.string().max(60).default('') }),
  output: z.object({ items: z.array(z.string()) }),
  errors: ['request/not-found'],
  limit,
  async act({ site, viewer, query }) {
    if (!hasStudio(viewer) && viewer.isAdmin !== true) return undefined;
    return { items: await site.studio.suggestTags(query.q) };
  },
});

function publicationOf(result: ManagedResult) {
  if (!result.ok) return result;
  const { state, review, publishedAt, slug } = result.audio;
  return { state: review === null ? state : managedReviewStates[review], publishedAt, slug };
}
