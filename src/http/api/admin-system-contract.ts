import { createRoute, z } from '@hono/zod-openapi';
import { testNames } from '#domain/admin/operations.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, ownId, refusals } from '#api/schemas.ts';

/** Jobs, mails, search index, storage and backups in Admin. */

const act = {
  middleware: inOrder(personal, sameSiteOnly, adminOnly, limitAccount('admin', 120), limitBody(1024)),
  tags: ['Admin'],
};
/** A backup holds everything. */
const strictRoute = {
  middleware: inOrder(personal, sameSiteOnly, freshAdminOnly, limitAccount('admin', 60), limitBody(1024)),
  tags: ['Admin'],
};
const answers = { ...refusals, ...failures };
const done = { 204: { description: 'Done' }, ...answers };
/** File names in the outbox are not UUIDs. */
const ofMail = z.object({ name: z.string().regex(/^[\w.-]{1,100}$/) });

export const retryJob = createRoute({
  ...act,
  method: 'post',
  path: '/admin/system/jobs/{id}/retry',
  summary: 'Tries a failed job again',
  request: { params: ownId },
  responses: done,
});

export const cancelJob = createRoute({
  ...act,
  method: 'post',
  path: '/admin/system/jobs/{id}/cancel',
  summary: 'Gives up a job that waits or runs',
  request: { params: ownId },
  responses: done,
});

export const retryMail = createRoute({
  ...act,
  method: 'post',
  path: '/admin/system/mails/{name}/retry',
  summary: 'Sends a mail that was not sent',
  request: { params: ofMail },
  responses: done,
});

export const dropMail = createRoute({
  ...act,
  method: 'delete',
  path: '/admin/system/mails/{name}',
  summary: 'Forgets a mail that was not sent',
  request: { params: ofMail },
  responses: done,
});

export const rebuildSearch = createRoute({
  ...act,
  method: 'post',
  path: '/admin/system/search/rebuild',
  summary: 'Rebuilds the search index, in every process',
  responses: { ...done, 409: json(ErrorResponse, 'A rebuild is asked for, or runs') },
});

export const findSearchState = createRoute({
  ...act,
  method: 'get',
  path: '/admin/system/search',
  summary: 'How the search index is doing in the process that answers',
  responses: {
    200: json(
      z.object({
        engine: z.enum(['built-in', 'algolia']),
        documents: z.number().int().optional(),
        isBuilding: z.boolean(),
        built: z.number().int().optional(),
      }),
      'State',
    ),
    ...answers,
  },
});

export const tryOut = createRoute({
  ...act,
  method: 'post',
  path: '/admin/system/tests/{name}',
  summary: 'Tries the connection to the mail server, the payment provider or the storage',
  request: { params: z.object({ name: z.enum(testNames) }) },
  responses: { 200: json(z.object({ isOk: z.boolean(), message: z.string() }), 'What came of it'), ...answers },
});

export const startBackup = createRoute({
  ...strictRoute,
  method: 'post',
  path: '/admin/system/backups',
  summary: 'Starts a backup as a job',
  responses: { 202: json(z.object({ id: z.uuid() }), 'Started'), ...answers },
});

export const check = createRoute({
  ...act,
  method: 'get',
  path: '/admin/system/checks',
  summary: 'Runs the quick checks of the command doctor now',
  responses: {
    200: json(
      z.object({
        items: z.array(z.object({ level: z.enum(['ok', 'warn', 'FAIL']), about: z.string(), message: z.string() })),
      }),
      'Findings',
    ),
    ...answers,
  },
});
