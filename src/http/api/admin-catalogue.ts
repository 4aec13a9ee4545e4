import { OpenAPIHono } from '@hono/zod-openapi';
import { bulkActJob } from '#domain/admin/content/bulk-acts.ts';
import type { StartOutcome } from '#domain/admin/content/bulk-acts.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { ManagedResult } from '#domain/studio/audios/publishing.ts';
import * as contract from './admin-catalogue-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import { toPicture } from './studio-pictures.ts';

/** Milliseconds within which an act finishes in its own call. */
const waitMs = 1500;

const startReasons: Record<Extract<StartOutcome, { ok: false }>['reason'], ErrorCode> = {
  'not-found': 'request/not-found',
  'too-many': 'bulk-act/too-many',
  nothing: 'bulk-act/nothing',
  gone: 'bulk-act/gone',
};

const previewReasons: Record<Extract<ManagedResult, { ok: false }>['reason'], ErrorCode> = {
  'not-found': 'request/not-found',
  'not-published': 'preview/not-published',
  'is-preview': 'preview/changed',
  'owners-only': 'request/not-found',
  'mistimed-transcript': 'audio/mistimed-transcript',
};

const pictureReasons: Record<'not-found' | 'not-a-picture', ErrorCode> = {
  'not-found': 'request/not-found',
  'not-a-picture': 'picture/unreadable',
};

/** Audios, acts on many of them, series, the preview and pictures, for operators. */
export function adminCatalogueRoutes({
  site: {
    admin: { content: catalogueAdmin },
  },
  addJobs,
  failures,
}: ApiParts) {
  async function runStarted(viewer: User, outcome: StartOutcome) {
    if (!outcome.ok) throw new DomainError(startReasons[outcome.reason]);
    const { id } = outcome;
    const report = (error: unknown) => failures.report(error, 'An act on many audios goes on later', { id });
    await catalogueAdmin.runBulkAct(id, { until: Date.now() + waitMs }).catch(report);
    const act = found(await catalogueAdmin.findBulkAct(viewer, id));
    // When adding the job fails, another job finds the act within a minute.
    if (act.finishedAt === null) await addJobs(bulkActJob, [id]).catch(report);
    return act;
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listAudios, async (context) => {
      const page = await catalogueAdmin.listAudios(context.get('loggedIn').viewer, context.req.valid('query'));
      const { newerCursor = null, olderCursor = null, counts = null } = page;
      return context.json({ ...page, newerCursor, olderCursor, counts }, 200);
    })
    .openapi(contract.startBulkAct, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await catalogueAdmin.startBulkAct(viewer, context.req.valid('json'));
      return context.json(await runStarted(viewer, outcome), 200);
    })
    .openapi(contract.listBulkActs, async (context) =>
      context.json({ items: await catalogueAdmin.listOpenBulkActs(context.get('loggedIn').viewer) }, 200),
    )
    .openapi(contract.findBulkAct, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(found(await catalogueAdmin.findBulkAct(viewer, context.req.valid('param').id)), 200);
    })
    .openapi(contract.stopBulkAct, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      found(await catalogueAdmin.findBulkAct(viewer, id));
      if (!(await catalogueAdmin.stopBulkAct(viewer, id))) throw new DomainError('bulk-act/finished');
      return context.body(null, 204);
    })
    .openapi(contract.undoBulkAct, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await catalogueAdmin.undoBulkAct(viewer, context.req.valid('param').id);
      return context.json(await runStarted(viewer, outcome), 200);
    })
    .openapi(contract.listSeries, async (context) => {
      const { hidden, ...query } = context.req.valid('query');
      const page = await catalogueAdmin.listSeries(context.get('loggedIn').viewer, {
        ...query,
        hidden: hidden === 'true',
      });
      return context.json({ items: page.items, nextCursor: page.nextCursor ?? null }, 200);
    })
    .openapi(contract.hideSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { isHidden } = context.req.valid('json');
      if (!(await catalogueAdmin.setSeriesHidden(viewer, context.req.valid('param').id, isHidden)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    })
    .openapi(contract.linkSeries, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await catalogueAdmin.linkSeries(viewer, context.req.valid('param').id, context.req.valid('json'));
      if (!outcome.ok) throw new DomainError('request/not-found');
      return context.body(null, 204);
    })
    .openapi(contract.findPreview, async (context) =>
      context.json(await catalogueAdmin.findPreview(context.get('loggedIn').viewer), 200),
    )
    .openapi(contract.choosePreview, async (context) => {
      const { audioId, revision } = context.req.valid('json');
      const outcome = await catalogueAdmin.chooseSitePreview(context.get('loggedIn').viewer, audioId, revision);
      if (!outcome.ok) throw new DomainError(previewReasons[outcome.reason]);
      return context.body(null, 204);
    })
    .openapi(contract.setCategoryPicture, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { picture, before } = context.req.valid('json');
      const change = { picture: toPicture(picture) ?? null, before };
      const outcome = await catalogueAdmin.setCategoryPicture(viewer, context.req.valid('param').id, change);
      if (!outcome.ok) throw new DomainError(pictureReasons[outcome.reason]);
      return context.body(null, 204);
    })
    .openapi(contract.setPlaylistPicture, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { picture, before } = context.req.valid('json');
      const change = { picture: toPicture(picture) ?? null, before };
      const outcome = await catalogueAdmin.setPlaylistPicture(viewer, context.req.valid('param').id, change);
      if (!outcome.ok) throw new DomainError(pictureReasons[outcome.reason]);
      return context.body(null, 204);
    });
}
