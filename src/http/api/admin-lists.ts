import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import * as contract from './admin-lists-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';

const reasons: Record<
  'not-found' | 'unknown-category' | 'unknown-audio' | 'no-user' | 'other-name' | 'exists',
  ErrorCode
> = {
  'not-found': 'request/not-found',
  'unknown-category': 'request/invalid',
  'unknown-audio': 'list/changed',
  'no-user': 'voice/no-user',
  'other-name': 'list/other-name',
  exists: 'tag/exists',
};

type Outcome = { ok: true } | { ok: false; reason: keyof typeof reasons };

function done<Given extends Outcome>(outcome: Given): Extract<Given, { ok: true }> {
  if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
  return outcome as Extract<Given, { ok: true }>;
}

function known(isKnown: boolean): void {
  if (!isKnown) throw new DomainError('request/not-found');
}

/** Voices, categories, tags and playlists of the house, for operators. */
export function adminListRoutes({
  site: {
    admin: { content },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.createVoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = done(await content.createVoice(viewer, context.req.valid('json')));
      return context.json({ id }, 201);
    })
    .openapi(contract.editVoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.editVoice(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.setOwner, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.setOwner(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.mergeVoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.mergeVoice(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.createCategory, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ id: found(await content.createCategory(viewer, context.req.valid('json'))) }, 201);
    })
    .openapi(contract.orderCategories, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!(await content.orderCategories(viewer, context.req.valid('json')))) throw new DomainError('list/changed');
      return context.body(null, 204);
    })
    .openapi(contract.editCategory, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.editCategory(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.deleteCategory, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(
        await content.deleteGroup(viewer, 'category', context.req.valid('param').id, context.req.valid('json').name),
      );
      return context.body(null, 204);
    })
    .openapi(contract.restoreCategory, async (context) => {
      known(await content.restoreGroup(context.get('loggedIn').viewer, 'category', context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.deleteVoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.deleteGroup(viewer, 'voice', context.req.valid('param').id, context.req.valid('json').name));
      return context.body(null, 204);
    })
    .openapi(contract.restoreVoice, async (context) => {
      known(await content.restoreGroup(context.get('loggedIn').viewer, 'voice', context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.findTag, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(found(await content.findTag(viewer, context.req.valid('param').id)), 200);
    })
    .openapi(contract.renameTag, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.renameTag(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.mergeTag, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.mergeTag(viewer, context.req.valid('param').id, context.req.valid('json').into));
      return context.body(null, 204);
    })
    .openapi(contract.deleteTag, async (context) => {
      known(await content.deleteTag(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.createPlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ id: found(await content.createPlaylist(viewer, context.req.valid('json'))) }, 201);
    })
    .openapi(contract.orderPlaylists, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!(await content.orderPlaylists(viewer, context.req.valid('json')))) throw new DomainError('list/changed');
      return context.body(null, 204);
    })
    .openapi(contract.editPlaylist, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.editPlaylist(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.setPlaylistAudios, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await content.setPlaylistAudios(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.deletePlaylist, async (context) => {
      known(await content.deletePlaylist(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.restorePlaylist, async (context) => {
      known(await content.restorePlaylist(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.findTagChoices, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ items: await content.findTagChoices(viewer, context.req.valid('query').q, 10) }, 200);
    })
    .openapi(contract.findVoiceChoices, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ items: await content.findVoiceChoices(viewer, context.req.valid('query').q, 10) }, 200);
    })
    .openapi(contract.findListableAudios, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ items: await content.findListableAudios(viewer, context.req.valid('query').q, 10) }, 200);
    });
}
