import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { callBy } from '../../call.ts';
import { found } from '../../found.ts';
import { pictureBodyBytes, PictureChange, pictureRefusals } from '../../pictures.ts';

/** Playlists of the site, for operators. */

const adminCall = callBy('operator', {
  limit: { kind: 'admin-lists', perMinute: 120 },
  // With JSON's longest escapes.
  maxBytes: 64 * 1024,
});

export const createPlaylist = adminCall({
  post: '/admin/playlists',
  about: 'Makes a playlist of the house, as a draft',
  input: forms.PlaylistForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  errors: ['request/not-found'],
  act: async ({ site, viewer, input }) => ({ id: found(await site.admin.content.createPlaylist(viewer, input)) }),
});

export const editPlaylist = adminCall({
  patch: '/admin/playlists/{id}',
  about: 'Changes, publishes or unpublishes a playlist',
  input: forms.PlaylistEdit,
  errors: ['text/changed-meanwhile'],
  act: ({ site, viewer, id, input }) => site.admin.content.editPlaylist(viewer, id, input),
});

export const setPlaylistAudios = adminCall({
  put: '/admin/playlists/{id}/audios',
  seen: {
    before: async ({ site, viewer, id }) =>
      (await site.admin.content.findPlaylist(viewer, id))?.items.map((audio) => audio.id) ?? [],
  },
  about: 'Replaces the audios of a playlist and their order',
  input: forms.PlaylistAudiosForm,
  refuses: { 'unknown-audio': 'list/changed' },
  maxBytes: 96 * 1024,
  act: ({ site, viewer, id, input }) => site.admin.content.setPlaylistAudios(viewer, id, input),
});

export const orderPlaylists = adminCall({
  put: '/admin/playlists/order',
  about: 'Puts the playlists in order',
  input: forms.OrderForm,
  errors: ['list/changed'],
  act: async ({ site, viewer, input }) =>
    (await site.admin.content.orderByHand(viewer, 'playlist', input)) || { ok: false, reason: 'list/changed' },
});

export const deletePlaylist = adminCall({
  delete: '/admin/playlists/{id}',
  about: 'Deletes a playlist; can be undone for 30 days',
  act: async ({ site, viewer, id }) => (await site.admin.content.deleteGroup(viewer, 'playlist', id)).ok,
});

export const restorePlaylist = adminCall({
  post: '/admin/playlists/{id}/restore',
  about: 'Brings a deleted playlist back',
  act: ({ site, viewer, id }) => site.admin.content.restoreGroup(viewer, 'playlist', id),
});

export const setPlaylistPicture = adminCall({
  put: '/admin/playlists/{id}/picture',
  seen: {
    before: async ({ site, viewer, id }) => (await site.admin.content.findPlaylist(viewer, id))?.imageUrl ?? null,
  },
  about: 'Sets the picture of a playlist of the site, or restores the portraits of its creators',
  input: PictureChange,
  refuses: pictureRefusals,
  errors: ['picture/changed'],
  limit: { kind: 'admin-catalogue', perMinute: 300 },
  maxBytes: pictureBodyBytes,
  act: ({ site, viewer, id, input }) => site.admin.content.setPicture(viewer, 'playlist', id, input),
});
