import { createRoute, z } from '@hono/zod-openapi';
import { foundKinds, maxGivenMonths, suspensionReasons } from '#domain/admin/rules.ts';
import { isPlain } from '#domain/kernel/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { failures, json, jsonBody, ownId, refusals } from '#api/schemas.ts';

/** Operators' calls about accounts. The domain checks rights and logs each act. */

const acting = inOrder(personal, sameSiteOnly, adminOnly, limitAccount('admin', 120), limitBody(16 * 1024));
/** For acts that lock a user out or grant power. */
const strict = inOrder(personal, sameSiteOnly, freshAdminOnly, limitAccount('admin', 60), limitBody(16 * 1024));
const act = { middleware: acting, tags: ['Admin'] };
const strictRoute = { middleware: strict, tags: ['Admin'] };
const answers = { ...refusals, ...failures };
const done = { 204: { description: 'Done' }, ...answers };
const Reason = z.string().trim().min(1).max(500).refine(isPlain, 'must be plain text');
const withVoice = z.object({ id: ownId.shape.id, voice: z.string().min(1).max(120) });

export const findAnything = createRoute({
  ...act,
  method: 'get',
  path: '/admin/find',
  summary: 'Users and content of all kinds by the start of a name, or an id',
  request: { query: z.object({ query: z.string().max(200) }) },
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            kind: z.enum(foundKinds),
            id: z.string().describe('Of an info page, its name'),
            slug: z.string().nullable(),
            name: z.string(),
            detail: z.string(),
          }),
        ),
      }),
      'Found',
    ),
    ...answers,
  },
});

export const giveMonths = createRoute({
  ...act,
  method: 'post',
  path: '/admin/users/{id}/months',
  summary: 'Gives free months; with a running subscription they move its next charge',
  request: {
    params: ownId,
    body: jsonBody(z.object({ months: z.number().int().min(1).max(maxGivenMonths), reason: Reason })),
  },
  responses: { 200: json(z.object({ until: z.iso.datetime() }), 'Given'), ...answers },
});

export const takeMonthsBack = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/users/{id}/months',
  summary: 'Takes the last given months back, if their time has not begun',
  request: { params: ownId },
  responses: done,
});

export const suspend = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/users/{id}/suspension',
  summary: 'Logs the user out everywhere, blocks log-ins, and stops the renewal',
  request: {
    params: ownId,
    body: jsonBody(z.object({ reason: z.enum(suspensionReasons), paysBack: z.boolean() })),
  },
  responses: {
    200: json(
      z.object({
        renewal: z.enum(['stopped', 'none', 'failed']),
        refunded: z.number().describe('Cents that were paid back'),
      }),
      'Suspended',
    ),
    ...answers,
  },
});

export const liftSuspension = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/users/{id}/suspension',
  summary: 'Lets the user in again; the renewal stays stopped',
  request: { params: ownId },
  responses: done,
});

export const makeAdmin = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/users/{id}/admin',
  summary: 'Makes the user an operator',
  request: { params: ownId },
  responses: done,
});

export const takeAdmin = createRoute({
  ...strictRoute,
  method: 'delete',
  path: '/admin/users/{id}/admin',
  summary: 'Takes the role of an operator away; never from the last one, nor from oneself',
  request: { params: ownId },
  responses: done,
});

export const resetSecondFactor = createRoute({
  ...strictRoute,
  method: 'delete',
  path: '/admin/users/{id}/second-factor',
  summary: 'For an operator who lost it: the next visit to Admin sets up a new one',
  request: { params: ownId },
  responses: done,
});

export const giveVoice = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/users/{id}/voices/{voice}',
  summary: 'Makes the user owner or editor of a voice',
  request: { params: withVoice, body: jsonBody(z.object({ role: z.enum(['owner', 'editor']) })) },
  responses: done,
});

export const takeVoice = createRoute({
  ...strictRoute,
  method: 'delete',
  path: '/admin/users/{id}/voices/{voice}',
  summary: 'Takes a voice away from the user',
  request: { params: withVoice },
  responses: done,
});

export const endSessions = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/users/{id}/sessions',
  summary: 'Logs the user out everywhere',
  request: { params: ownId },
  responses: { 200: json(z.object({ ended: z.number() }), 'Logged out'), ...answers },
});

export const sendPasswordReset = createRoute({
  ...act,
  method: 'post',
  path: '/admin/users/{id}/password-reset',
  summary: 'Mails the user a link to set a new password',
  request: { params: ownId },
  responses: done,
});

export const sendExport = createRoute({
  ...act,
  method: 'post',
  path: '/admin/users/{id}/export',
  summary: 'Mails the user where to download their data; nobody else can open it',
  request: { params: ownId },
  responses: done,
});

export const planDeletion = createRoute({
  ...strictRoute,
  method: 'put',
  path: '/admin/users/{id}/deletion',
  summary: 'Deletes the account after seven days, and tells its user',
  request: { params: ownId, body: jsonBody(z.object({ reason: Reason })) },
  responses: { 200: json(z.object({ dueAt: z.iso.datetime() }), 'Planned'), ...answers },
});

export const takeDeletionBack = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/users/{id}/deletion',
  summary: 'Cancels the deletion',
  request: { params: ownId },
  responses: done,
});
