import { ChangedMeanwhile, DomainError } from '#domain/kernel/errors.ts';
import type { ChangedCode, ErrorCode, LastChange } from '#domain/kernel/errors.ts';

type Refusal = { ok: false; reason: ErrorCode; change?: LastChange | undefined };

/** @throws DomainError with the reason of the refusal, and the change that is the cause */
export function orRefuse<Outcome extends { ok: true } | Refusal>(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) {
    const { reason, change } = outcome;
    throw change === undefined ? new DomainError(reason) : new ChangedMeanwhile(reason as ChangedCode, change);
  }
  return outcome as Extract<Outcome, { ok: true }>;
}
