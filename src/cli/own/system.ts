import { desc } from 'drizzle-orm';
import PostalMime from 'postal-mime';
import { z } from 'zod';
import { recordRetriedMail } from '#domain/admin/site/system.ts';
import { siteStarts } from '#domain/admin/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { listJobs, listJobsOf } from '../../jobs/job-records.ts';
import { CommandError, countOf } from '../command.ts';
import { ownCall } from './own-call.ts';

export const showLook = ownCall('look show', {
  about: 'The parts of the look; --json prints them whole',
  async act({ site, viewer }) {
    const parts = Object.entries(await site.admin.site.findLook(viewer));
    return Object.fromEntries(parts.map(([part, { value }]) => [part, value]));
  },
});

export const exportLook = ownCall('look export', {
  about: 'The whole look and the texts of the site, for look import --file @<file>',
  act: async ({ site, viewer }) => new Response(await site.admin.site.exportLook(viewer)),
});

export const listStarts = ownCall('system list-starts', {
  about: 'When processes of the site started and ended, newest first',
  act: ({ tools: { db } }) =>
    db.select().from(siteStarts).orderBy(desc(siteStarts.startedAt), desc(siteStarts.id)).limit(100),
});

export const listAllJobs = ownCall('jobs list', {
  about: 'Background jobs: schedule (cron, UTC), how many wait, run and failed, and when one was done last',
  act: async ({ tools }) =>
    (await listJobs(tools.pool)).map(({ name, schedule = 'when needed', waiting, running, failed, doneAt }) => ({
      name,
      schedule,
      waiting,
      running,
      failed,
      doneAt: doneAt ?? 'not done yet',
    })),
});

export const showJobs = ownCall('jobs show', {
  path: '/jobs/{name}',
  about: 'The latest jobs of a kind, unfinished and failed ones first',
  async act({ tools: { pool }, name }) {
    if (!(await listJobs(pool)).some((one) => one.name === name)) throw new CommandError(`There is no job "${name}"`);
    return listJobsOf(pool, name);
  },
});

export const listMails = ownCall('mails list', {
  about: 'Mails that were not sent',
  details:
    'Those that the mail server refused are tried again after a minute, ten minutes and an hour; without MAIL_URL all wait here, for 30 days. Some can reset a password: let nobody else read them',
  act: async ({ tools }) =>
    (await tools.mail.list()).map(({ name, keptAt, to, reason }) => ({ name, keptAt, to, reason })),
});

export const showMail = ownCall('mails show', {
  path: '/mails/{name}',
  about: 'The text of a mail that was not sent',
  async act({ tools, name }) {
    const message = await tools.mail.read(name);
    if (message === undefined) return undefined;
    const { to, subject, text } = await PostalMime.parse(message);
    return new Response(`To: ${to?.map(({ address }) => address).join(', ')}\nSubject: ${subject}\n\n${text?.trim()}`);
  },
});

export const sendMails = ownCall('mails send', {
  about: 'Tries to send all of them again',
  input: z.object({}),
  async act({ tools: { config, mail, db } }) {
    if (config.mail.url === undefined) throw new CommandError('MAIL_URL is not set, so that nothing can be sent');
    const { sent, failed } = await mail.sendKept((name, outcome) => recordRetriedMail(db, operator, name, outcome));
    if (failed > 0) throw new CommandError(`${countOf(sent, 'mail')} sent, ${failed} not`);
    return { sent };
  },
});
