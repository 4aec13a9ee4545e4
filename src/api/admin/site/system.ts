import { z } from '@hono/zod-openapi';
import { testNames } from '#domain/admin/operations.ts';
import { callBy, freshAdminCall } from '../../call.ts';

/** Jobs, mails, search index, storage and backups, for operators. */

const ofMail = z.object({ name: z.string().regex(/^[\w.-]{1,100}$/) });
const adminCall = callBy('operator', { limit: { kind: 'admin', perMinute: 120 }, sameSite: true, maxBytes: 1024 });

export const retryJob = adminCall({
  post: '/admin/system/jobs/{id}/retry',
  command: 'jobs retry',
  about: 'Tries a failed job again',
  errors: ['system/job-state', 'server/unavailable'],
  act: ({ site, viewer, id }) => site.admin.site.changeJob(viewer, id, 'retry'),
});

export const cancelJob = adminCall({
  post: '/admin/system/jobs/{id}/cancel',
  command: 'jobs cancel',
  about: 'Gives up a job that waits or runs',
  errors: ['system/job-state', 'server/unavailable'],
  act: ({ site, viewer, id }) => site.admin.site.changeJob(viewer, id, 'cancel'),
});

export const retryMail = adminCall({
  post: '/admin/system/mails/{name}/retry',
  command: 'mails retry',
  about: 'Sends a mail that was not sent',
  params: ofMail,
  errors: ['system/mail-failed', 'server/unavailable'],
  once: true,
  act: ({ site, viewer, name }) => site.admin.site.retryMail(viewer, name),
});

export const dropMail = adminCall({
  delete: '/admin/system/mails/{name}',
  command: 'mails drop',
  about: 'Forgets a mail that was not sent',
  params: ofMail,
  errors: ['server/unavailable'],
  act: ({ site, viewer, name }) => site.admin.site.dropMail(viewer, name),
});

export const rebuildSearch = adminCall({
  post: '/admin/system/search/rebuild',
  about: 'Rebuilds the search index, in every process',
  errors: ['search/rebuild-running', 'server/unavailable'],
  act: ({ site, viewer }) => site.admin.site.rebuildSearch(viewer),
});

export const findSearchState = adminCall({
  get: '/admin/system/search',
  command: { none: 'tells about the process that answers; a command is none of those that search' },
  about: 'How the search index is doing in the process that answers',
  output: z.object({
    engine: z.enum(['built-in', 'algolia']),
    documents: z.number().int().optional(),
    isBuilding: z.boolean(),
    built: z.number().int().optional(),
  }),
  errors: ['server/unavailable'],
  act: ({ site, viewer }) => site.admin.site.findSearchState(viewer),
});

export const tryOut = adminCall({
  post: '/admin/system/tests/{name}',
  command: 'system test',
  about: 'Tries the connection to the mail server, the payment provider or the storage',
  params: z.object({ name: z.enum(testNames) }),
  output: z.object({ isOk: z.boolean(), message: z.string() }),
  errors: ['server/unavailable'],
  once: true,
  act: ({ site, viewer, name }) => site.admin.site.tryOut(viewer, name),
});

export const startBackup = freshAdminCall({
  post: '/admin/system/backups',
  command: { none: 'backup makes one at once, into any folder' },
  about: 'Starts a backup as a job',
  output: z.object({ id: z.uuid() }),
  status: 202,
  errors: ['system/no-backup-folder', 'system/backup-running', 'server/unavailable'],
  // A backup holds everything.
  limit: { kind: 'admin', perMinute: 60 },
  sameSite: true,
  maxBytes: 1024,
  act: ({ site, viewer }) => site.admin.site.startBackup(viewer),
});

export const checkSystem = adminCall({
  get: '/admin/system/checks',
  command: { none: 'doctor runs these checks and more' },
  about: 'Runs the quick checks of the command doctor now',
  output: z.object({
    items: z.array(z.object({ level: z.enum(['ok', 'warn', 'FAIL']), about: z.string(), message: z.string() })),
  }),
  errors: ['server/unavailable'],
  act: async ({ site, viewer }) => ({ items: (await site.admin.site.checkSystem(viewer)).findings }),
});
