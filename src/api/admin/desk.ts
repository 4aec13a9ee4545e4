import { z } from '@hono/zod-openapi';
import type { DecidedMeanwhile } from '#domain/admin/desk/decide.ts';
import { NoticeDecisionForm } from '#domain/admin/forms.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { attachment } from '../attachment.ts';
import { callBy } from '../call.ts';

/** Notices at the desk, for moderators and operators. The domain checks rights and logs each act. */

const deskCall = callBy('moderator', { limit: { kind: 'desk', perMinute: 240 }, sameSite: true });

export const decideNotice = deskCall({
  post: '/admin/notices/{id}/decision',
  about: 'Decides a notice or its appeal; both sides are mailed the reasons after ten seconds',
  input: NoticeDecisionForm,
  output: z.object({ decisionId: z.uuid() }),
  refuses: { decided, 'own-decision': 'notice/own-decision' },
  errors: ['notice/decided'],
  maxBytes: 32 * 1024,
  once: true,
  act: ({ site, viewer, id, input }) => site.admin.desk.decideNotice(viewer, id, input),
});

export const undoNoticeDecision = deskCall({
  post: '/admin/notice-decisions/{id}/undo',
  command: 'notices undo',
  about: 'Takes a decision back before its mails have left',
  refuses: { 'too-late': 'notice/mails-left' },
  once: true,
  act: ({ site, viewer, id }) => site.admin.desk.undoNoticeDecision(viewer, id),
});

export const showReporter = deskCall({
  post: '/admin/notices/{id}/reporter',
  about: 'Name and email of who reported it; the log notes that they were seen',
  output: z.object({ name: z.string().nullable(), email: z.string().nullable() }),
  act: ({ site, viewer, id }) => site.admin.desk.findReporter(viewer, id),
});

export const askOwner = deskCall({
  post: '/admin/notices/{id}/question',
  about: 'Asks the creator’s side for an answer, by mail',
  once: true,
  act: ({ site, viewer, id }) => site.admin.desk.askOwner(viewer, id),
});

export const takeNotice = deskCall({
  put: '/admin/notices/{id}/reader',
  about: 'Notes who is on a notice, so that two people see each other',
  input: z.object({ takesOver: z.boolean().default(false) }),
  act: ({ site, viewer, id, input }) => site.admin.desk.openNotice(viewer, id, input),
});

export const downloadNoticeReport = deskCall({
  get: '/admin/notice-reports/{period}',
  command: 'compliance report',
  about: 'Notices, times and outcomes of a month (2026-10), or of a year (2026) for the transparency report',
  params: z.object({ period: z.string().regex(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/) }),
  query: z.object({ format: z.enum(['csv', 'pdf']).default('csv') }),
  file: 'text/csv',
  async act({ site, viewer, period, query: { format } }) {
    const name = `notices-${period}.${format}`;
    if (format === 'csv')
      return attachment(await site.admin.desk.exportNoticeReport(viewer, period), 'text/csv; charset=utf-8', name);
    const rows = await site.admin.desk.findNoticeReport(viewer, period);
    // Its fonts are loaded with the first PDF.
    const { makePdf } = await import('../pdf.ts');
    const facts = { title: `Notices ${period}`, author: site.facts.name, createdAt: new Date(), lang: 'en' };
    const pdf = await makePdf(facts, (page) => {
      page.title(facts.title);
      page.fact('Site', site.facts.name);
      page.fact('Address', site.facts.url);
      page.space(20);
      for (const [label, value] of rows.slice(1)) page.row(label, String(value));
    });
    return attachment(new Uint8Array(pdf), 'application/pdf', name);
  },
});

function decided({ earlier }: { earlier: DecidedMeanwhile }): DomainError {
  return new DomainError(
    'notice/decided',
    /*i18n*/ {
      id: 'error.notice/decided-by',
      message:
        '{who, select, known {{by}} other {The command line}} decided this notice meanwhile. Your reasons were not sent.',
      values: earlier.by === null ? { who: 'other', by: '' } : { who: 'known', by: earlier.by },
    },
  );
}
