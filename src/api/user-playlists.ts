import { i18n } from '#i18n';
import { z } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { PlaylistChange, PlaylistForm } from '#domain/library/forms.ts';
import { takeAttempt } from './account/attempts.ts';
import { call, callBy } from './call.ts';
import { found } from './found.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import {
  AudioResponse,
  FilteredPageQuery,
  idOrSlug,
  pageOf,
  PageQuery,
  pageUnder,
  toListQuery,
  UserPlaylistResponse,
} from './schemas.ts';

const Id = z.uuid().toLowerCase();

const userCall = callBy('user', {
  // More than a person does by dragging one audio after the other.
  limit: { kind: 'user playlists', perMinute: 240 },
  // Enough to save a queue of a thousand audios as a playlist.
  maxBytes: 64 * 1024,
});

export const listTopPlaylists = call({
  get: '/users-playlists/top-plays',
  about: 'Public playlists of listeners, most played first',
  query: PageQuery,
  output: pageUnder('playlists', UserPlaylistResponse),
  async act({ site, viewer, query }) {
    const { items, nextCursor } = await site.library.listTopUserPlaylists(viewer, query);
    return { playlists: items, nextCursor };
  },
});

export const listPublicPlaylists = call({
  get: '/users-playlists',
  about: 'Public playlists of listeners, most played first, in the common shape of lists',
  query: PageQuery,
  output: pageOf(UserPlaylistResponse),
  act: ({ site, viewer, query }) => site.library.listTopUserPlaylists(viewer, query),
});

export const findUserPlaylist = call({
  get: '/users-playlists/{id}',
  about: 'One public user playlist, or one of one’s own',
  params: idOrSlug,
  output: UserPlaylistResponse,
  act: ({ site, viewer, id }) => site.library.findUserPlaylist(viewer, id),
});

export const listUserPlaylistAudios = call({
  get: '/users-playlists/{id}/audios',
  about: 'The audios of a user playlist, in its order',
  params: idOrSlug,
  query: FilteredPageQuery,
  output: pageOf(AudioResponse),
  async act({ site: { library }, viewer, id, query }) {
    const playlist = found(await library.findUserPlaylist(viewer, id));
    return library.listUserPlaylistAudios(viewer, playlist, toListQuery(query));
  },
});

export const playUserPlaylist = call({
  post: '/users-playlists/{id}/play',
  about: 'Counts a play of a shared list, at most one per listener and hour; own lists do not count',
  params: idOrSlug,
  output: z.object({ counted: z.boolean(), plays: z.number().describe('As there are now') }),
  limit: { kind: 'play', perMinute: 600 },
  cache: 'private, no-store',
  act: ({ site, viewer, id, address }) => site.library.playUserPlaylist(viewer, id, address),
});

export const listUserPlaylistsOf = call({
  get: '/users/{id}/playlists',
  about: 'Public playlists of a user, newest first',
  params: idOrSlug,
  query: PageQuery,
  output: pageOf(UserPlaylistResponse),
  async act({ site, viewer, id, query }) {
    const user = found(await site.identity.findPublicProfile(id));
    return site.library.listUserPlaylistsOf(viewer, user.id, query);
  },
});

export const listOwnPlaylists = userCall({
  get: '/user/playlists',
  about: 'All playlists of one’s own, the last changed first',
  query: z.object({ audioId: Id.optional().describe('For `hasAudio`') }),
  output: z.object({
    items: z.array(
      UserPlaylistResponse.extend({
        hasAudio: z.boolean().describe('The audio asked about is in it'),
      }).openapi('OwnUserPlaylist'),
    ),
  }),
  act: async ({ site, viewer, query }) => ({
    items: await site.library.listOwnUserPlaylists(viewer.id, query.audioId),
  }),
});

export const createPlaylist = userCall({
  post: '/users-playlists',
  about: 'Creates a playlist; private by default',
  input: PlaylistForm,
  output: UserPlaylistResponse,
  status: 201,
  refuses: { full: 'library/full' },
  errors: ['auth/invalid-username', 'site/feature-off'],
  async act({ site, viewer, input, address }) {
    // A public playlist shows its owner's name.
    if (!viewer.isComplete) throw new DomainError('auth/invalid-username');
    if (input.isPublic) await takeAttempt({ site, address }, 'publicity', viewer.id);
    const outcome = await site.library.createUserPlaylist(viewer.id, input);
    return outcome.ok ? outcome.playlist : outcome;
  },
});

export const changePlaylist = userCall({
  patch: '/users-playlists/{id}',
  about: 'Changes title, background, font or visibility',
  input: PlaylistChange,
  output: UserPlaylistResponse,
  async act({ site, viewer, id, input, address }) {
    // Making a playlist private is never limited.
    if (input.isPublic) await takeAttempt({ site, address }, 'publicity', viewer.id);
    return site.library.changeUserPlaylist(viewer.id, id, input);
  },
});

export const deletePlaylist = userCall({
  delete: '/users-playlists/{id}',
  about: 'Deletes a playlist; it can be restored for a while',
  output: z.object({ restorableUntil: Instant }),
  async act({ site, viewer, id }) {
    return { restorableUntil: found(await site.library.deleteUserPlaylist(viewer.id, id)) };
  },
});

export const restorePlaylist = userCall({
  post: '/users-playlists/{id}/restore',
  about: 'Brings back a playlist that was deleted a moment ago',
  output: UserPlaylistResponse,
  refuses: { full: 'library/full' },
  async act({ site, viewer, id }) {
    const outcome = await site.library.restoreUserPlaylist(viewer.id, id);
    return outcome.ok ? outcome.playlist : outcome;
  },
});

export const addToPlaylist = userCall({
  post: '/users-playlists/{id}/audios',
  about: 'Adds audios at the end; those already in the list keep their position',
  input: z.object({ audioIds: z.array(Id).min(1).max(100) }),
  output: z.object({ added: z.number(), totalAudios: z.number() }),
  refuses: { full: 'library/full' },
  act: ({ site, viewer, id, input }) => site.library.addToUserPlaylist(viewer.id, id, input.audioIds),
});

export const removeFromPlaylist = userCall({
  delete: '/users-playlists/{id}/audios/{audioId}',
  about: 'Removes an audio; succeeds if it is no longer in the list',
  act: ({ site, viewer, id, audioId }) => site.library.removeFromUserPlaylist(viewer.id, id, audioId),
});

export const moveInPlaylist = userCall({
  post: '/users-playlists/{id}/move',
  about: 'Moves one audio between new neighbours in the current list',
  input: z
    .object({
      audioId: Id,
      after: Id.nullable().optional().describe('Moves behind this one; null: to the beginning'),
      before: Id.nullable()
        .optional()
        .describe('If `after` is no longer in the list, moves before this one; null: to the end'),
    })
    .refine(({ after, before }) => after !== undefined || before !== undefined, {
      error: () => i18n._(/*i18n*/ { id: 'playlist-form.neighbour', message: 'Name a neighbour' }),
    })
    .refine(({ audioId, after, before }) => audioId !== after && audioId !== before, {
      error: () => i18n._(/*i18n*/ { id: 'playlist-form.own-neighbour', message: 'An audio is not its own neighbour' }),
    }),
  refuses: { changed: 'playlist/changed' },
  act: ({ site, viewer, id, input: { audioId, ...place } }) =>
    site.library.moveInUserPlaylist(viewer.id, id, audioId, place),
});
