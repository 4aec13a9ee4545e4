import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';

/** @throws DomainError with the reason of the refusal */
export function orRefuse<Outcome extends { ok: true } | { ok: false; reason: ErrorCode }>(
  outcome: Outcome,
): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new DomainError(outcome.reason);
  return outcome as Extract<Outcome, { ok: true }>;
}
