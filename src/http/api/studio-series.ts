import { OpenAPIHono } from '@hono/zod-openapi';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import { toPageResponse } from '#api/schemas.ts';
import { toPicture } from './studio-pictures.ts';
import * as contract from './studio-series-contract.ts';

const reasons: Record<'not-found' | 'not-a-picture' | 'in-another' | 'full', ErrorCode> = {
  'not-found': 'request/not-found',
  'not-a-picture': 'picture/unreadable',
  'in-another': 'series/audio-in-another',
  full: 'library/full',
};

/** @throws DomainError when it was refused */
function done(outcome: { ok: true } | { ok: false; reason: keyof typeof reasons }): void {
  if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
}

/** Series that creators make from their audios. */
export function studioSeriesRoutes({ site }: ApiParts) {
  const { studio } = site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const page = await studio.listSeries(viewer, context.req.valid('param').id, context.req.valid('query'));
      return context.json(toPageResponse(found(page)), 200);
    })
    .openapi(contract.createSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await studio.createSeries(viewer, context.req.valid('param').id, context.req.valid('json'));
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json({ id: outcome.id, slug: outcome.slug }, 201);
    })
    .openapi(contract.findAudiosForSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { q, limit } = context.req.valid('query');
      const items = found(await studio.findAudiosForSeries(viewer, context.req.valid('param').id, q, limit));
      return context.json({ items }, 200);
    })
    .openapi(contract.findSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(found(await studio.findSeries(viewer, context.req.valid('param').id)), 200);
    })
    .openapi(contract.editSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { picture, before: seen, ...edit } = context.req.valid('json');
      const { id } = context.req.valid('param');
      done(await studio.editSeries(viewer, id, edit, { picture: toPicture(picture), seen }));
      return context.body(null, 204);
    })
    .openapi(contract.addToSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { audioId, after } = context.req.valid('json');
      done(await studio.addToSeries(viewer, context.req.valid('param').id, audioId, after));
      return context.body(null, 204);
    })
    .openapi(contract.moveInSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { audioId, after } = context.req.valid('json');
      done(await studio.moveInSeries(viewer, context.req.valid('param').id, audioId, after));
      return context.body(null, 204);
    })
    .openapi(contract.removeFromSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id, audioId } = context.req.valid('param');
      done(await studio.removeFromSeries(viewer, id, audioId));
      return context.body(null, 204);
    })
    .openapi(contract.deleteSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await studio.deleteSeries(viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.restoreSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await studio.restoreSeries(viewer, context.req.valid('param').id));
      return context.body(null, 204);
    });
}
