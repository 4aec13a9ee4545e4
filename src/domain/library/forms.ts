import { countOf } from '#formats/numbers.ts';
import { z } from 'zod';
import { isVisible } from '../kernel/rules.ts';
import { normalizeTitle, playlistBackgrounds, playlistFonts, playlistTitleLength } from './rules.ts';

/** Limit for `list` and for `played`. */
const maxItems = 1000;

/** Content-source tag, with the id of a playlist. */
const Source = z.string().regex(/^[A-Za-z_]{1,40}(:[0-9a-f-]{36})?$/, 'must be the name of a source');
const Items = z.array(z.object({ id: z.uuid().toLowerCase(), source: Source })).max(maxItems);
const Place = z.number().int().min(0).max(maxItems);

/** The player's queue, synchronized across devices; names from spec §3. */
export const SavedQueue = z.object({
  list: Items.describe('The first one plays'),
  played: Items.describe('Oldest first'),
  listType: Source.nullable().describe('Source of the list it was made of'),
  index: Place.describe('So many at the end stood before the chosen one'),
  individualAddToQueueIndex: Place.describe('Where the next one added by hand goes'),
  isIndividualQueueUpdate: z.boolean(),
  position: z.number().min(0).max(1).describe('In the one that plays, as a fraction'),
});
export type SavedQueue = z.infer<typeof SavedQueue>;

const Title = z
  .string('Enter a title')
  .max(1000, `at most ${playlistTitleLength} characters`)
  .transform((text) => normalizeTitle(text))
  .refine(isVisible, 'must not be empty')
  .refine((title) => [...title].length <= playlistTitleLength, `at most ${playlistTitleLength} characters`);

const Background = z.enum(playlistBackgrounds, 'Choose a background');
const Font = z.enum(playlistFonts, 'Choose a font');
const IsPublic = z.boolean('Choose public or private');

export const PlaylistForm = z.object({
  title: Title,
  background: Background.default(playlistBackgrounds[0]),
  font: Font.default(playlistFonts[0]),
  isPublic: IsPublic.default(false),
  audioIds: z
    .array(z.uuid('Choose audios').toLowerCase(), 'Choose audios')
    .max(maxItems, `At most ${countOf(maxItems, 'audio')}`)
    .optional(),
});
export type PlaylistForm = z.output<typeof PlaylistForm>;

export const PlaylistChange = z.object({
  title: Title.optional(),
  background: Background.optional(),
  font: Font.optional(),
  isPublic: IsPublic.optional(),
});
export type PlaylistChange = z.output<typeof PlaylistChange>;
