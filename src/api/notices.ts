import { z } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { AppealForm, ReportContent } from '#domain/notices/forms.ts';
import type { ReportField } from '#domain/notices/rules.ts';
import { language } from '#i18n';
import { callBy } from './call.ts';

/** Reports of content by anybody, and what their private pages do. */

const call = callBy('anyone', {
  cache: 'private, no-store',
  limit: { kind: 'notices', perMinute: 30 },
  maxBytes: 64 * 1024,
});
const token = z.object({
  token: z
    .string()
    .max(60)
    .openapi({ param: { name: 'token', in: 'path' } }),
});

export const giveNotice = call({
  post: '/notices',
  about: 'Reports content; the same report within a day is received once',
  details:
    'Nobody needs an account. Ten reports from one network are received in 24 hours. Fields depend on the kind: `illegal` needs `country` and `law`, `copyright` needs `work` and `owner`, and all but `minor` need `name` and `email`.',
  input: ReportContent,
  output: z.object({ token: z.string().describe('Of the private page, `/report/{token}`') }),
  status: 201,
  refuses: { faults: incomplete, 'too-many': tooManyReports },
  attempt: 'notice',
  async act({ site, viewer, input, address }) {
    const given = await site.notices.giveNotice(viewer, input, language(), address);
    return given.ok ? { token: given.token } : given;
  },
});

export const appealDecision = call({
  post: '/notices/{token}/appeal',
  params: token,
  about: 'Appeals against a decision, once for each side and within six months',
  input: AppealForm,
  refuses: { 'too-late': 'notice/too-late' },
  attempt: 'notice',
  act: ({ site, token: of, input }) => site.notices.appeal(of, input.reasons),
});

export const answerQuestion = call({
  post: '/notices/{token}/answer',
  params: token,
  about: 'Answers a question of the desk, for the creator whose content was reported',
  input: AppealForm,
  refuses: { 'too-late': 'notice/too-late' },
  attempt: 'notice',
  act: ({ site, token: of, input }) => site.notices.answerQuestion(of, input.reasons),
});

/** @param refusal.contact address of the operator */
export function tooManyReports({ contact }: { contact: string | undefined }): DomainError {
  return new DomainError(
    'notice/too-many',
    contact === undefined
      ? undefined
      : /*i18n*/ {
          id: 'error.notice/too-many-write',
          message: 'Ten reports came from this network today. Nothing was sent. Write to {contact} instead.',
          values: { contact },
        },
  );
}

function incomplete({ faults }: { faults: ReportField[] }): DomainError {
  return new DomainError(
    'notice/incomplete',
    /*i18n*/ {
      id: 'error.notice/incomplete-fields',
      message: 'This report is not complete: {fields}.',
      values: { fields: faults.join(', ') },
    },
  );
}
