import { OpenAPIHono } from '@hono/zod-openapi';
import type { EarlierDecision } from '#domain/admin/people/report-decisions.ts';
import { decisionWords } from '#domain/admin/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import * as contract from './admin-reports-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';

/** Decisions on reported comments. */
export function adminReportRoutes({
  site: {
    admin: { people: content },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.decideReport, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await content.decideReport(viewer, context.req.valid('param').id, context.req.valid('json'));
      if (outcome.ok) return context.json({ decisionId: found(outcome.decisionId) }, 200);
      if (outcome.reason === 'decided') throw decided(outcome.earlier);
      throw new DomainError(outcome.reason === 'is-admin' ? 'report/of-admin' : 'request/not-found');
    })
    .openapi(contract.undoDecision, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await content.undoDecision(viewer, context.req.valid('param').id);
      if (outcome.ok) return context.body(null, 204);
      if (outcome.reason === 'decided') throw decided(outcome.earlier);
      throw new DomainError(outcome.reason === 'undone' ? 'report/undone' : 'request/not-found');
    });
}

function decided(earlier: EarlierDecision | undefined): DomainError {
  if (earlier === undefined) return new DomainError('report/decided');
  const by = earlier.by ?? 'The command line';
  return new DomainError('report/decided', `${by} decided on this report: ${decisionWords[earlier.verb]}.`);
}
