import { bind } from '../kernel/bind.ts';
import { acceptAgreement, findAgreement } from './agreement.ts';
import * as consents from './consents.ts';
import { type CreatorProvider, openProviderChecks } from './provider-checks.ts';
import {
  type VerificationParts,
  askForVerification,
  countWaitingForOwners,
  findVerification,
  remindOfEnds,
} from './verifications.ts';

/** Checks of who creators are, the creator agreement, and the answers of performers. */
export function openVerification({
  provider,
  secret,
  siteUrl,
  ...parts
}: VerificationParts & { provider: CreatorProvider | undefined; secret: string; siteUrl: string }) {
  const { findConsent, noteOpened, findConsentSound, findConsentCover, answerConsent, tellPublished } = consents;
  return {
    providerChecks: openProviderChecks({ ...parts, provider, secret, siteUrl }),
    ...bind(parts.db, { findVerification, countWaitingForOwners }),
    ...bind(parts.db, { findConsent, noteOpened, findConsentSound, findConsentCover }),
    ...bind(parts, { askForVerification, remindOfEnds, findAgreement, acceptAgreement }),
    ...bind(parts, { answerConsent, tellPublished }),
  };
}
