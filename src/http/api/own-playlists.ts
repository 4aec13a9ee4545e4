import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { PlaylistChange, PlaylistForm } from '#domain/library/forms.ts';
import type { Site } from '#domain/site.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ownCall } from './own-call.ts';
import { ErrorAnswer, failures, json, ownId, UserPlaylistAnswer } from './schemas.ts';

/** Dragging one audio after the other is the most that a person does. */
const perMinute = 240;
/** A queue of a thousand can be kept as a list. */
const mostBytes = 64 * 1024;

const Id = z.uuid().toLowerCase();
const reasons: Record<'not-found' | 'full' | 'changed', ErrorCode> = {
  'not-found': 'request/not-found',
  full: 'library/full',
  changed: 'playlist/changed',
};

type OwnPlaylistRoutesOptions = { site: Site; rateLimit: RateLimit; trustProxy: number };

/** What a user does with the lists of their own; those of others are as absent as none. */
export function ownPlaylistRoutes({ site: { identity, library }, rateLimit, trustProxy }: OwnPlaylistRoutesOptions) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const own = (methods: string[]) => ownCall({ rateLimit, kind: 'user playlists', perMinute, methods });
  const limit = limitBody(mostBytes);
  app.use('/user/playlists', personal, own(['GET']));
  app.use('/users-playlists', personal, own(['POST']), limit);
  app.use('/users-playlists/:id', own(['PATCH', 'DELETE']), limit);
  app.use('/users-playlists/:id/audios', own(['POST']), limit);
  app.use('/users-playlists/:id/audios/:audioId', personal, own(['DELETE']));
  app.use('/users-playlists/:id/move', personal, own(['POST']), limit);
  app.use('/users-playlists/:id/restore', personal, own(['POST']), limit);
  const refusals = {
    401: json(ErrorAnswer, 'Log in first'),
    413: json(ErrorAnswer, 'Too large'),
    429: json(ErrorAnswer, 'Too many'),
    ...failures,
  } as const;
  const full = json(ErrorAnswer, 'There is no room for more');

  function found<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new DomainError('request/not-found');
    return value;
  }

  /** What everybody sees changes. */
  async function takePublicity(context: Context, account: string): Promise<void> {
    const of = { account, address: clientAddress(context, trustProxy) };
    if ((await identity.attempts.take('publicity', of)) !== undefined) throw new DomainError('request/too-many');
  }

  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/playlists',
        tags: ['User playlists'],
        summary: 'All playlists of one’s own, the last changed first',
        request: { query: z.object({ audioId: Id.optional().describe('For `hasAudio`') }) },
        responses: {
          200: json(
            z.object({
              items: z.array(
                UserPlaylistAnswer.extend({ hasAudio: z.boolean().describe('The audio asked about is in it') }).openapi(
                  'OwnUserPlaylist',
                ),
              ),
            }),
            'Playlists',
          ),
          401: refusals[401],
          429: refusals[429],
          400: failures[400],
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const items = await library.listOwnUserPlaylists(viewer.id, context.req.valid('query').audioId);
        return context.json({ items }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users-playlists',
        tags: ['User playlists'],
        summary: 'Makes a playlist, private unless told',
        request: { body: { required: true, content: { 'application/json': { schema: PlaylistForm } } } },
        responses: { 201: json(UserPlaylistAnswer, 'The playlist'), ...refusals, 409: full },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        // A playlist names who made it.
        if (!viewer.isComplete) throw new DomainError('auth/invalid-username');
        const form = context.req.valid('json');
        if (form.isPublic) await takePublicity(context, viewer.id);
        const outcome = await library.createUserPlaylist(viewer.id, form);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json(outcome.playlist, 201);
      },
    )
    .openapi(
      createRoute({
        method: 'patch',
        path: '/users-playlists/{id}',
        tags: ['User playlists'],
        summary: 'Changes title, background, font, or who may see it',
        request: {
          params: ownId,
          body: { required: true, content: { 'application/json': { schema: PlaylistChange } } },
        },
        responses: { 200: json(UserPlaylistAnswer, 'The playlist'), ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const change = context.req.valid('json');
        // What is not to be seen any more never waits.
        if (change.isPublic) await takePublicity(context, viewer.id);
        const { id } = context.req.valid('param');
        return context.json(found(await library.changeUserPlaylist(viewer.id, id, change)), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/users-playlists/{id}',
        tags: ['User playlists'],
        summary: 'Deletes a playlist; for a while it can be brought back',
        request: { params: ownId },
        responses: {
          200: json(z.object({ restorableUntil: z.iso.datetime() }), 'Deleted'),
          ...refusals,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const until = found(await library.deleteUserPlaylist(viewer.id, context.req.valid('param').id));
        return context.json({ restorableUntil: until.toISOString() }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users-playlists/{id}/restore',
        tags: ['User playlists'],
        summary: 'Brings back a playlist that was deleted a moment ago',
        request: { params: ownId },
        responses: { 200: json(UserPlaylistAnswer, 'The playlist, as it was'), ...refusals, 409: full },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const outcome = await library.restoreUserPlaylist(viewer.id, context.req.valid('param').id);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json(outcome.playlist, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users-playlists/{id}/audios',
        tags: ['User playlists'],
        summary: 'Adds audios at the end; what is in the list already stays where it is',
        request: {
          params: ownId,
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ audioIds: z.array(Id).min(1).max(100) }) } },
          },
        },
        responses: {
          200: json(z.object({ added: z.number(), totalAudios: z.number() }), 'Added'),
          ...refusals,
          409: full,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { audioIds } = context.req.valid('json');
        const outcome = await library.addToUserPlaylist(viewer.id, context.req.valid('param').id, audioIds);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json({ added: outcome.added, totalAudios: outcome.totalAudios }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/users-playlists/{id}/audios/{audioId}',
        tags: ['User playlists'],
        summary: 'Removes an audio, also when it is not in the list any more',
        request: { params: ownId.extend({ audioId: Id }) },
        responses: { 204: { description: 'Removed' }, ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { id, audioId } = context.req.valid('param');
        if (!(await library.removeFromUserPlaylist(viewer.id, id, audioId))) throw new DomainError('request/not-found');
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users-playlists/{id}/move',
        tags: ['User playlists'],
        summary: 'Moves one audio to its new neighbours, in the list as it is by now',
        request: {
          params: ownId,
          body: {
            required: true,
            content: {
              'application/json': {
                schema: z
                  .object({
                    audioId: Id,
                    after: Id.nullable().optional().describe('Goes behind this one; null: to the beginning'),
                    before: Id.nullable()
                      .optional()
                      .describe('Where `after` is not in the list any more, goes before this one; null: to the end'),
                  })
                  .refine(({ after, before }) => after !== undefined || before !== undefined, 'needs a neighbour')
                  .refine(
                    ({ audioId, after, before }) => audioId !== after && audioId !== before,
                    'cannot be its own neighbour',
                  ),
              },
            },
          },
        },
        responses: {
          204: { description: 'Moved' },
          ...refusals,
          409: json(ErrorAnswer, 'Neither neighbour is in the list any more'),
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { audioId, ...place } = context.req.valid('json');
        const outcome = await library.moveInUserPlaylist(viewer.id, context.req.valid('param').id, audioId, place);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.body(null, 204);
      },
    );
}
