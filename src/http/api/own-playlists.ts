import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import { found } from '#api/found.ts';
import * as contract from './own-playlists-contract.ts';

const reasons: Record<'not-found' | 'full' | 'changed', ErrorCode> = {
  'not-found': 'request/not-found',
  full: 'library/full',
  changed: 'playlist/changed',
};

/** A user's own playlists; those of others answer not-found. */
export function ownPlaylistRoutes(parts: ApiParts) {
  const { library } = parts.site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listOwnPlaylists, async (context) => {
      const { viewer } = context.get('loggedIn');
      const items = await library.listOwnUserPlaylists(viewer.id, context.req.valid('query').audioId);
      return context.json({ items }, 200);
    })
    .openapi(contract.createPlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      // A public playlist shows its owner's name.
      if (!viewer.isComplete) throw new DomainError('auth/invalid-username');
      const form = context.req.valid('json');
      if (form.isPublic) await takeAttempt(parts, context, 'publicity', viewer.id);
      const outcome = await library.createUserPlaylist(viewer.id, form);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json(outcome.playlist, 201);
    })
    .openapi(contract.changePlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      const change = context.req.valid('json');
      // Making a playlist private is never limited.
      if (change.isPublic) await takeAttempt(parts, context, 'publicity', viewer.id);
      const { id } = context.req.valid('param');
      return context.json(found(await library.changeUserPlaylist(viewer.id, id, change)), 200);
    })
    .openapi(contract.deletePlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      const until = found(await library.deleteUserPlaylist(viewer.id, context.req.valid('param').id));
      return context.json({ restorableUntil: until.toISOString() }, 200);
    })
    .openapi(contract.restorePlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await library.restoreUserPlaylist(viewer.id, context.req.valid('param').id);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json(outcome.playlist, 200);
    })
    .openapi(contract.addAudios, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { audioIds } = context.req.valid('json');
      const outcome = await library.addToUserPlaylist(viewer.id, context.req.valid('param').id, audioIds);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json({ added: outcome.added, totalAudios: outcome.totalAudios }, 200);
    })
    .openapi(contract.removeAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id, audioId } = context.req.valid('param');
      if (!(await library.removeFromUserPlaylist(viewer.id, id, audioId))) throw new DomainError('request/not-found');
      return context.body(null, 204);
    })
    .openapi(contract.moveAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { audioId, ...place } = context.req.valid('json');
      const outcome = await library.moveInUserPlaylist(viewer.id, context.req.valid('param').id, audioId, place);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.body(null, 204);
    });
}
