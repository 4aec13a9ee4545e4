import { z } from 'zod';
import { i18n } from '#i18n';
import { noTitle } from '../kernel/forms.ts';
import { isVisible } from '../kernel/rules.ts';
import { normalizeTitle, playlistBackgrounds, playlistFonts, playlistTitleLength } from './rules.ts';

/** Limit for `list` and for `played`. */
const maxItems = 1000;

/** Content-source tag, with the id of a playlist or the reason of keep playing. */
const Source = z.string().regex(/^[A-Za-z_]{1,40}(:[0-9a-z-]{1,36})?$/);
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

const longTitle = {
  error: () =>
    i18n._(
      /*i18n*/ {
        id: 'playlist.title-long',
        message: 'A title can have up to {max} characters.',
        values: { max: playlistTitleLength },
      },
    ),
};
const noAudios = { error: () => i18n._(/*i18n*/ { id: 'playlist.audios', message: 'Choose audios.' }) };

const Title = z
  .string(noTitle)
  .max(1000, longTitle)
  .transform((text) => normalizeTitle(text))
  .refine(isVisible, noTitle)
  .refine((title) => [...title].length <= playlistTitleLength, longTitle);

const Background = z.enum(playlistBackgrounds, {
  error: () => i18n._(/*i18n*/ { id: 'playlist.background', message: 'Choose a background.' }),
});
const Font = z.enum(playlistFonts, {
  error: () => i18n._(/*i18n*/ { id: 'playlist.font', message: 'Choose a font.' }),
});
const IsPublic = z.boolean({
  error: () => i18n._(/*i18n*/ { id: 'playlist.public', message: 'Choose public or private.' }),
});

export const PlaylistForm = z.object({
  title: Title,
  background: Background.default(playlistBackgrounds[0]),
  font: Font.default(playlistFonts[0]),
  isPublic: IsPublic.default(false),
  audioIds: z
    .array(z.uuid(noAudios).toLowerCase(), noAudios)
    .max(maxItems, {
      error: () =>
        i18n._(
          /*i18n*/ {
            id: 'playlist.full',
            message: 'A playlist can have up to {max, plural, one {# audio} other {# audios}}.',
            values: { max: maxItems },
          },
        ),
    })
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
