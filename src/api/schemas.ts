import { z } from '@hono/zod-openapi';
import { Audio } from '#domain/catalogue/audios.ts';
import { Category } from '#domain/catalogue/categories.ts';
import { FilterChoices } from '#domain/catalogue/filters/shapes.ts';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import { Playlist } from '#domain/catalogue/playlists.ts';
import { Series } from '#domain/catalogue/series.ts';
import { Voice } from '#domain/catalogue/voices.ts';
import { UserShape } from '#domain/identity/shapes.ts';
import { errorCodes } from '#domain/kernel/errors.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { Id, Instant, Seconds, Slug } from '#domain/kernel/shapes.ts';
import { UserPlaylist } from '#domain/library/user-playlists.ts';
import { refuseUnknown } from './refuse-unknown.ts';

/** Schemas of the answers in the public description; the handlers' types must match them. */

export const AvatarColor = UserShape.shape.color;

export const LastChange = z
  .object({
    by: z.string().nullable().describe('Username; null: the command line, or a deleted account'),
    at: Instant,
  })
  .openapi('LastChange');

export const ErrorResponse = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      field: z.string().optional().openapi({ description: 'Path of an invalid value', example: 'change.title' }),
      change: LastChange.optional().describe(
        'With …/changed-meanwhile, …/changed and payout/locked: who changed it last, and when',
      ),
    }),
  })
  .openapi('Error');

export const AudioResponse = z.object(Audio.shape).openapi('Audio');

const Tag = z.string().openapi({ description: 'BCP 47', example: 'de' });
const Cues = z.array(z.object({ start: Seconds, end: Seconds, text: z.string() }));

export const TranscriptResponse = z
  .object({
    language: Tag,
    direction: z.enum(['ltr', 'rtl']),
    cues: Cues,
    languages: z
      .array(z.object({ code: Tag, name: z.string().describe('In the language itself') }))
      .describe('All that it can be read in, the spoken one first'),
  })
  .openapi('Transcript');

export const ChaptersResponse = z
  .object({ chapters: z.array(z.object({ start: z.number().describe('Seconds'), title: z.string() })) })
  .openapi('Chapters');

export const TranslationResponse = z.object({ language: Tag, cues: Cues }).openapi('Translation');

export const WaveformResponse = z
  .object({
    bars: z
      .string()
      .regex(/^[0-9a-z]{150}$/)
      .nullable()
      .openapi({
        description: 'How loud the audio is along its length, one digit of base 36 each; null: not measured yet',
      }),
  })
  .openapi('Waveform');

export const FilterChoicesResponse = z.object(FilterChoices.shape).openapi('FilterChoices');

export const VoiceResponse = z.object(Voice.shape).openapi('Voice');

export const VoiceDetailResponse = VoiceResponse.extend({
  bio: z.string(),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  totalFavorite: z.number(),
}).openapi('VoiceDetail');

export const CategoryResponse = z.object(Category.shape).openapi('Category');

export const SeriesResponse = z.object(Series.shape).openapi('Series');

export const PlaylistResponse = z.object(Playlist.shape).openapi('Playlist');

export const UserPlaylistResponse = z.object(UserPlaylist.shape).openapi('UserPlaylist');

/** A user, as author of a comment or playlist. */
export const UserResponse = z.object(UserShape.shape);

const Ids = z.array(Id);

export const FavoriteIdsResponse = z
  .object({ audios: Ids, voices: Ids, categories: Ids, playlists: Ids, users: Ids })
  .openapi('FavoriteIds', {
    description: 'All of each group, the last favourited first; user playlists are under playlists',
  });

export const TagResponse = z.object({ slug: Slug, label: z.string(), audios: z.number() }).openapi('Tag');

/** The preview entity of spec §3 ("Preview entity"). */
export const LeanAudioResponse = z
  .object({
    id: Id,
    title: z.string(),
    image: z.object({ url: z.string() }).nullable(),
    audioFile: z.object({ original_secure_url: z.string() }),
    numberDuration: Seconds,
  })
  .openapi('LeanAudio');

export const PageQuery = z.object({
  limit: Limit.describe('1 to 100; 24 unless told'),
  cursor: z.string().max(1200).optional().openapi({ description: '`nextCursor` of the page before' }),
});

/** For lists of audios; the route gives the act a viewer without their choice. */
export const anyLanguage = {
  languages: z
    .literal('all')
    .optional()
    .describe('Audios in languages that the viewer has not chosen (`/user/languages`), too'),
};

/** A page of a list of audios. */
export const AudioPageQuery = PageQuery.extend(anyLanguage);

/** A page of a filtered list of audios. */
export const FilteredPageQuery = AudioPageQuery.extend(AudioFilter.shape);

/** Order, filter and page of a list of audios. */
export const AudioListQuery = AudioPageQuery.extend({ sort: AudioSort.optional(), ...AudioFilter.shape });

/** As the domain takes it. */
export function toListQuery({
  limit,
  cursor,
  sort,
  languages: _languages,
  ...filter
}: z.infer<typeof FilteredPageQuery> & { sort?: AudioSort }) {
  return { limit, cursor, filter, ...(sort && { sort }) };
}

/** The same of lists with audios of a voice. */
export const OfVoiceQuery = PageQuery.extend({
  voiceId: z.uuid().toLowerCase().optional().describe('Only with audios of this voice'),
});

/** A search for something to choose. */
export const choiceQuery = z.object({ q: z.string().max(200) });

export const idOrSlug = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { name: 'id', in: 'path' }, description: 'Id or slug', example: 'bright-star' }),
});

const nextCursor = z.string().nullable().openapi({ description: '`null` on the last page' });

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor });
}

export function pageUnder<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  return z.object({ [key]: z.array(item), nextCursor } as { [K in Key]: z.ZodArray<Item> } & {
    nextCursor: typeof nextCursor;
  });
}

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { content: { 'application/json': { schema } }, description };
}

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema: refuseUnknown(schema) } } };
}

/** Public, but the answer may depend on the user. */
export const optionalSession: Record<string, string[]>[] = [{ session: [] }, {}];
