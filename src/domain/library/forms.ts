import { z } from 'zod';
import { isVisible } from '../community/rules.ts';
import { normalizeTitle, playlistBackgrounds, playlistFonts, playlistTitleLength } from './rules.ts';

/** In the list, and among those played. */
const mostItems = 1000;

const Source = z.string().regex(/^[A-Za-z_]{1,40}$/, 'must be the name of a source');
const Items = z.array(z.object({ id: z.uuid().toLowerCase(), source: Source })).max(mostItems);
const Place = z.number().int().min(0).max(mostItems);

/** The player's queue as it goes from device to device; spec §3 has the names. */
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
  .string()
  .max(1000)
  .transform((text) => normalizeTitle(text))
  .refine(isVisible, 'must not be empty')
  .refine((title) => [...title].length <= playlistTitleLength, `at most ${playlistTitleLength} characters`);

export const PlaylistForm = z.object({
  title: Title,
  background: z.enum(playlistBackgrounds).default(playlistBackgrounds[0]),
  font: z.enum(playlistFonts).default(playlistFonts[0]),
  isPublic: z.boolean().default(false),
  audioIds: z.array(z.uuid().toLowerCase()).max(mostItems).optional(),
});
export type PlaylistForm = z.output<typeof PlaylistForm>;

export const PlaylistChange = z.object({
  title: Title.optional(),
  background: z.enum(playlistBackgrounds).optional(),
  font: z.enum(playlistFonts).optional(),
  isPublic: z.boolean().optional(),
});
export type PlaylistChange = z.output<typeof PlaylistChange>;
