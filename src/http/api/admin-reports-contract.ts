import { createRoute, z } from '@hono/zod-openapi';
import { DecisionForm } from '#domain/admin/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals, writeRefusals } from '#api/schemas.ts';

const admin = inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin-reports', 120));
const conflict = json(ErrorResponse, 'Another operator decided first; the message names the operator and the decision');

export const decideReport = createRoute({
  method: 'post',
  path: '/admin/reports/{id}/decision',
  middleware: inOrder(...admin, limitBody(32 * 1024)),
  tags: ['Admin'],
  summary: 'Keeps or removes a reported comment; mails follow after a minute',
  request: { params: ownId, body: jsonBody(DecisionForm) },
  responses: {
    200: json(z.object({ decisionId: z.uuid() }), 'Decided'),
    ...writeRefusals,
    ...failures,
    409: conflict,
  },
});

export const undoDecision = createRoute({
  method: 'post',
  path: '/admin/decisions/{id}/undo',
  middleware: admin,
  tags: ['Admin'],
  summary: 'Takes a decision on a reported comment back',
  request: { params: ownId },
  responses: { 204: { description: 'Undone' }, ...refusals, ...failures, 409: conflict },
});
