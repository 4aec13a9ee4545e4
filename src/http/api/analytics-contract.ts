import { createRoute, z } from '@hono/zod-openapi';
import { AnalyticsConsent, AnalyticsReport } from '#domain/analytics/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { batched } from './places.ts';
import { ErrorResponse, failures, json, jsonBody, unauthorized } from '#api/schemas.ts';

// The code `request/invalid` makes an oversized body a 400, like every other invalid report.
export const recordEvents = createRoute({
  method: 'post',
  path: '/events',
  middleware: inOrder(batched, limitBody(64 * 1024, 'request/invalid')),
  tags: ['Analytics'],
  summary: 'Interface events; stored anonymously unless the listener consented otherwise',
  description:
    'Nothing is kept where the browser says `Sec-GPC: 1` or `DNT: 1`. More than 60 batches a minute are dropped and counted.',
  request: { body: jsonBody(AnalyticsReport) },
  responses: {
    202: json(z.object({ recorded: z.number() }), 'Taken'),
    415: json(ErrorResponse, 'Not JSON'),
    429: json(ErrorResponse, 'Too many: they are dropped'),
    400: failures[400],
  },
});

export const findConsent = createRoute({
  method: 'get',
  path: '/user/analytics-consent',
  middleware: inOrder(personal, loggedInOnly),
  tags: ['Analytics'],
  summary: 'Whether the events of this account may carry its id',
  responses: { 200: json(AnalyticsConsent, 'Consent'), 401: unauthorized },
});

export const setConsent = createRoute({
  method: 'put',
  path: '/user/analytics-consent',
  middleware: inOrder(personal, loggedInOnly, limitAccount('consent', 20), limitBody(16 * 1024)),
  tags: ['Analytics'],
  summary: 'Gives or withdraws that consent; withdrawing anonymizes the stored events',
  request: { body: jsonBody(AnalyticsConsent) },
  responses: {
    200: json(AnalyticsConsent, 'The current value'),
    401: unauthorized,
    429: json(ErrorResponse, 'Too many'),
    400: failures[400],
  },
});
