import { z } from '@hono/zod-openapi';
import {
  AgreementForm,
  CheckForm,
  RecordedConsentForm,
  RefusalForm,
  WithdrawalForm,
} from '#domain/verification/forms.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { callBy } from '../../call.ts';

/** Verification of creators, for operators. Acts on what was checked outside of the site; no document comes here. */

const freshAdminCall = callBy('fresh-operator', {
  limit: { kind: 'admin-lists', perMinute: 60 },
  maxBytes: 16 * 1024,
});

const outOfTurn = { 'not-now': 'verification/not-now', 'not-verified': 'verification/not-verified' } as const;

export const recordVerification = freshAdminCall({
  put: '/admin/voices/{id}/verification',
  command: 'voices verify',
  refuses: outOfTurn,
  about: 'Records that a creator was checked: how, under which reference and until when',
  input: CheckForm,
  act: ({ site, viewer, id, input }) => site.admin.content.recordCheck(viewer, id, input),
});

export const refuseVerification = freshAdminCall({
  post: '/admin/voices/{id}/verification/refuse',
  command: 'voices refuse-verification',
  about: 'Refuses a creator who asked for verification; what is online stays online',
  input: RefusalForm,
  refuses: outOfTurn,
  act: ({ site, viewer, id, input }) => site.admin.content.refuseVerification(viewer, id, input),
});

export const withdrawVerification = freshAdminCall({
  post: '/admin/voices/{id}/verification/withdraw',
  command: 'voices withdraw-verification',
  about: 'Withdraws a verification, which hides the creator with all audios',
  input: WithdrawalForm,
  refuses: outOfTurn,
  act: ({ site, viewer, id, input }) => site.admin.content.withdrawVerification(viewer, id, input),
});

export const recordConsent = freshAdminCall({
  put: '/admin/audios/{id}/performers/{performerId}/consent',
  command: 'performers record-consent',
  about: 'Records a consent that the operator keeps elsewhere, such as on paper',
  input: RecordedConsentForm,
  act: ({ site, viewer, id, performerId, input }) => site.admin.content.recordConsent(viewer, id, performerId, input),
});

export const recordPerformerCheck = freshAdminCall({
  put: '/admin/audios/{id}/performers/{performerId}/verification',
  command: 'performers verify',
  about: 'Records that a performer was checked: how, under which reference and until when',
  input: CheckForm,
  act: ({ site, viewer, id, performerId, input }) =>
    site.admin.content.recordPerformerCheck(viewer, id, performerId, input),
});

const adminCall = callBy('operator', { limit: { kind: 'admin-words', perMinute: 240 }, maxBytes: 512 * 1024 });

export const listAgreements = adminCall({
  get: '/admin/creator-agreements',
  about: 'Versions of the creator agreement, the newest first, and a text to begin with',
  output: z.object({
    versions: z.array(
      z.object({
        version: z.int(),
        text: z.string(),
        publishedAt: Instant,
        publishedBy: z.string().nullable(),
        creators: z.int().describe('Times that it was agreed to'),
      }),
    ),
    suggested: z.string().describe('Not legal advice'),
  }),
  act: ({ site, viewer }) => site.admin.texts.listAgreements(viewer),
});

export const publishAgreement = freshAdminCall({
  post: '/admin/creator-agreements',
  command: 'creator-agreements publish',
  seen: {
    async version({ site, viewer }) {
      const { versions } = await site.admin.texts.listAgreements(viewer);
      return (versions[0]?.version ?? 0) + 1;
    },
  },
  about: 'Publishes a version of the creator agreement, which owners are asked for before their next publication',
  input: AgreementForm,
  refuses: { changed: 'agreement/changed' },
  maxBytes: 512 * 1024,
  act: ({ site, viewer, input }) => site.admin.texts.publishAgreement(viewer, input),
});
