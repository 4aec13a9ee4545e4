import { bind } from '../kernel/bind.ts';
import { acceptAgreement, findAgreement } from './agreement.ts';
import {
  type VerificationParts,
  askForVerification,
  countWaitingForOwners,
  findVerification,
  remindOfEnds,
} from './verifications.ts';

/** Checks of who creators are, and the creator agreement. */
export function openVerification(parts: VerificationParts) {
  return {
    ...bind(parts.db, { findVerification, countWaitingForOwners }),
    ...bind(parts, { askForVerification, remindOfEnds, findAgreement, acceptAgreement }),
  };
}
