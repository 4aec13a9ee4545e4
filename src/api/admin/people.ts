import { z } from '@hono/zod-openapi';
import { DecisionForm } from '#domain/admin/forms.ts';
import type { EarlierDecision } from '#domain/admin/people/report-decisions.ts';
import { maxGivenMonths, suspensionReasons } from '#domain/admin/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { isPlain, notPlain } from '#domain/kernel/forms.ts';
import { takeAttempt } from '../account/attempts.ts';
import { callBy } from '../call.ts';
import { found } from '../found.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** Users and reports, for operators. The domain checks rights and logs each act. */

const Reason = z.string().trim().min(1).max(500).refine(isPlain, notPlain);
const withVoice = z.object({
  id: z
    .uuid()
    .toLowerCase()
    .openapi({ param: { name: 'id', in: 'path' } }),
  voice: z.string().min(1).max(120),
});
const adminCall = callBy('operator', { limit: { kind: 'admin', perMinute: 120 }, sameSite: true });
/** For acts that lock a user out or grant power. */
const freshAdminCall = callBy('fresh-operator', { limit: { kind: 'admin', perMinute: 60 }, sameSite: true });
const reportCall = callBy('moderator', { limit: { kind: 'admin-reports', perMinute: 120 } });

export const giveMonths = adminCall({
  post: '/admin/users/{id}/months',
  about: 'Gives free months; with a running subscription they move its next charge',
  input: z.object({ months: z.number().int().min(1).max(maxGivenMonths), reason: Reason }),
  output: z.object({ until: Instant }),
  errors: ['request/not-found'],
  once: true,
  async act({ site, viewer, id, input }) {
    const given = await site.admin.people.giveMonths(viewer, id, input);
    if (!given.ok) return given;
    return { until: 'giftUntil' in given ? given.giftUntil : given.nextChargeAt };
  },
});

export const takeMonthsBack = adminCall({
  delete: '/admin/users/{id}/months',
  about: 'Takes the last given months back, if their time has not begun',
  errors: ['request/not-found', 'admin/nothing-given', 'admin/gift-used'],
  once: true,
  act: ({ site, viewer, id }) => site.admin.people.takeMonthsBack(viewer, id),
});

export const suspendUser = freshAdminCall({
  put: '/admin/users/{id}/suspension',
  about: 'Logs the user out everywhere, blocks log-ins, and stops the renewal',
  input: z.object({ reason: z.enum(suspensionReasons), paysBack: z.boolean() }),
  output: z.object({
    renewal: z.enum(['stopped', 'none', 'failed']),
    refunded: z.number().describe('Cents that were paid back'),
  }),
  errors: ['request/not-found', 'admin/not-yourself', 'admin/last-admin'],
  act: ({ site, viewer, id, input }) => site.admin.people.suspendUser(viewer, id, input),
});

export const liftSuspension = adminCall({
  delete: '/admin/users/{id}/suspension',
  about: 'Lets the user in again; the renewal stays stopped',
  errors: ['request/not-found'],
  act: ({ site, viewer, id }) => site.admin.people.liftSuspension(viewer, id),
});

export const makeAdmin = freshAdminCall({
  put: '/admin/users/{id}/admin',
  about: 'Makes the user an operator',
  errors: ['request/not-found', 'admin/not-yourself', 'admin/last-admin', 'admin/suspended'],
  act: ({ site, viewer, id }) => site.admin.people.setAdminRole(viewer, id, true),
});

export const takeAdmin = freshAdminCall({
  delete: '/admin/users/{id}/admin',
  about: 'Takes the role of an operator away; never from the last one, nor from oneself',
  errors: ['request/not-found', 'admin/not-yourself', 'admin/last-admin', 'admin/suspended'],
  act: ({ site, viewer, id }) => site.admin.people.setAdminRole(viewer, id, false),
});

export const makeModerator = freshAdminCall({
  put: '/admin/users/{id}/moderator',
  about: 'Lets the user decide at the desk; money, accounts and settings stay closed',
  errors: ['request/not-found', 'admin/not-yourself', 'admin/suspended'],
  act: ({ site, viewer, id }) => site.admin.people.setModeratorRole(viewer, id, true),
});

export const takeModerator = freshAdminCall({
  delete: '/admin/users/{id}/moderator',
  about: 'Takes the role of a moderator away',
  errors: ['request/not-found', 'admin/not-yourself', 'admin/suspended'],
  act: ({ site, viewer, id }) => site.admin.people.setModeratorRole(viewer, id, false),
});

export const resetSecondFactor = freshAdminCall({
  delete: '/admin/users/{id}/second-factor',
  about: 'For an operator who lost it: the next visit to Admin sets up a new one',
  errors: ['request/not-found', 'admin/not-yourself'],
  act: ({ site, viewer, id }) => site.admin.people.resetSecondFactorOf(viewer, id),
});

export const giveVoice = freshAdminCall({
  put: '/admin/users/{id}/voices/{voice}',
  about: 'Makes the user owner or editor of a voice',
  params: withVoice,
  input: z.object({ role: z.enum(['owner', 'editor']) }),
  errors: ['request/not-found'],
  act: ({ site, viewer, id, voice, input }) => site.admin.people.setVoiceRole(viewer, id, voice, input.role),
});

export const takeVoice = freshAdminCall({
  delete: '/admin/users/{id}/voices/{voice}',
  about: 'Takes a voice away from the user',
  params: withVoice,
  errors: ['request/not-found'],
  act: ({ site, viewer, id, voice }) => site.admin.people.setVoiceRole(viewer, id, voice, null),
});

export const endSessionsOf = adminCall({
  delete: '/admin/users/{id}/sessions',
  command: 'users log-out',
  about: 'Logs the user out everywhere',
  output: z.object({ ended: z.number() }),
  errors: ['request/not-found'],
  act: ({ site, viewer, id }) => site.admin.people.endSessionsOf(viewer, id),
});

export const sendPasswordReset = adminCall({
  post: '/admin/users/{id}/password-reset',
  about: 'Mails the user a link to set a new password',
  errors: ['request/not-found', 'admin/no-email', 'admin/suspended'],
  once: true,
  async act(given) {
    await takeAttempt(given, 'reset', given.id);
    return given.site.admin.people.sendPasswordReset(given.viewer, given.id);
  },
});

export const sendExport = adminCall({
  post: '/admin/users/{id}/export',
  about: 'Mails the user where to download their data; nobody else can open it',
  errors: ['request/not-found', 'admin/no-email', 'admin/suspended'],
  once: true,
  async act(given) {
    await takeAttempt(given, 'export', given.id);
    return given.site.admin.people.sendExport(given.viewer, given.id);
  },
});

export const planDeletion = freshAdminCall({
  put: '/admin/users/{id}/deletion',
  about: 'Deletes the account after seven days, and tells its user',
  input: z.object({ reason: Reason }),
  output: z.object({ dueAt: Instant }),
  errors: ['request/not-found', 'admin/not-yourself', 'admin/last-admin'],
  act: ({ site, viewer, id, input }) => site.admin.people.planDeletion(viewer, id, input),
});

export const takeDeletionBack = adminCall({
  delete: '/admin/users/{id}/deletion',
  about: 'Cancels the deletion',
  errors: ['request/not-found'],
  act: ({ site, viewer, id }) => site.admin.people.takeDeletionBack(viewer, id),
});

export const decideReport = reportCall({
  post: '/admin/reports/{id}/decision',
  about: 'Keeps or removes a reported comment; mails follow after a minute',
  input: DecisionForm,
  output: z.object({ decisionId: z.uuid() }),
  refuses: { 'is-admin': 'report/of-admin', decided },
  errors: ['report/decided'],
  maxBytes: 32 * 1024,
  once: true,
  async act({ site, viewer, id, input }) {
    const outcome = await site.admin.people.decideReport(viewer, id, input);
    return outcome.ok ? { decisionId: found(outcome.decisionId) } : outcome;
  },
});

export const undoDecision = reportCall({
  post: '/admin/decisions/{id}/undo',
  about: 'Takes a decision on a reported comment back',
  refuses: { undone: 'report/undone', decided },
  errors: ['report/decided'],
  once: true,
  act: ({ site, viewer, id }) => site.admin.people.undoDecision(viewer, id),
});

function decided({ earlier }: { earlier: EarlierDecision | undefined }): DomainError {
  if (earlier === undefined) return new DomainError('report/decided');
  const { by, verb } = earlier;
  const values: Record<string, string> = by === null ? { verb } : { who: 'known', by, verb };
  return new DomainError(
    'report/decided',
    /*i18n*/ {
      id: 'error.report/decided-by',
      message:
        '{who, select, known {{by}} other {The command line}} decided on this report: {verb, select, keep {Kept} remove {Removed} warn {Removed, and its author warned} other {Removed, and its author suspended}}.',
      values,
    },
  );
}
