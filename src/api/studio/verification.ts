import { z } from '@hono/zod-openapi';
import { canManageVoice } from '#domain/studio/rules.ts';
import { RequestForm } from '#domain/verification/forms.ts';
import { decisions, verificationStates } from '#domain/verification/rules.ts';
import { studioCall } from '../call.ts';

/** Verification and agreement of a creator, for its owners. */

const limit = { kind: 'studio verification', perMinute: 60 };
const Instant = z.iso.datetime();

const Verification = z
  .object({
    state: z.enum(verificationStates),
    mayAsk: z.boolean().describe('An owner may ask for a check now'),
    mayAppeal: z.boolean().describe('An owner may appeal against the last decision now'),
    mayBeChecked: z.boolean().describe('An owner may be checked by the identity provider now, if the site has one'),
    decision: z.enum(decisions).nullable(),
    decidedAt: Instant.nullable(),
    decidedBy: z.string().nullable().describe('Username of the operator; null: by the command line'),
    method: z.string().nullable(),
    reference: z.string().nullable(),
    checkedOn: z.iso.date().nullable(),
    until: z.iso.date().nullable(),
    reason: z.string().nullable().describe('Of a refusal or a withdrawal'),
    askAgainOn: z.iso.date().nullable(),
    askedAt: Instant.nullable().describe('Waits for a decision since'),
    askedFrom: z.string().nullable().describe('Email of the owner who asked'),
  })
  .openapi('Verification');

export const findVerification = studioCall({
  get: '/studio/voices/{id}/verification',
  about: 'Record of a check of who a creator is, which was made outside of the site',
  output: Verification,
  limit,
  act: ({ site, viewer, id }) => (canManageVoice(viewer, id) ? site.verification.findVerification(id) : undefined),
});

const Agreement = z
  .object({
    version: z.int(),
    inForceSince: Instant,
    blocks: z.array(
      z.object({
        kind: z.enum(['heading', 'paragraph']),
        text: z.string(),
        isNew: z.boolean().describe('Not in the version that was agreed to'),
      }),
    ),
    isWaiting: z.boolean().describe('No owner has agreed to this version'),
    accepted: z
      .array(z.object({ version: z.int(), by: z.string().nullable(), at: Instant }))
      .describe('What was agreed to, the newest first'),
  })
  .openapi('CreatorAgreement');

export const findAgreement = studioCall({
  get: '/studio/voices/{id}/agreement',
  about: 'The creator agreement in force, in the language of the request; 404 where the site has none',
  output: Agreement,
  limit,
  act: ({ site, viewer, id }) => (canManageVoice(viewer, id) ? site.verification.findAgreement(id) : undefined),
});

export const acceptAgreement = studioCall({
  post: '/studio/voices/{id}/agreement',
  about: 'Agrees to the creator agreement; for owners, who cannot be replaced by operators',
  input: z.strictObject({
    version: z.int().min(1).describe('The one that was read'),
    agrees: z.literal(true).describe('“I have read this version and agree to it”'),
  }),
  refuses: { 'owners-only': 'studio/owners-only', changed: 'agreement/changed' },
  limit,
  act: ({ site, viewer, id, input }) => site.verification.acceptAgreement(viewer, id, input.version),
});

export const askForVerification = studioCall({
  post: '/studio/voices/{id}/verification',
  about: 'Asks for a check, or appeals against the last decision; for owners',
  input: RequestForm,
  refuses: { 'owners-only': 'studio/owners-only', 'not-now': 'verification/not-now' },
  limit: { kind: 'studio verification requests', perMinute: 6 },
  act: ({ site, viewer, id, input }) => site.verification.askForVerification(viewer, id, input),
});
