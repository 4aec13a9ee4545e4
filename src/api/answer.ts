import { type ErrorCode, type Sentence, ChangedMeanwhile, DomainError, errorStatus } from '#domain/kernel/errors.ts';
import type { AnyCall } from './call.ts';

type Refusal = {
  ok: false;
  reason: string;
  message?: Sentence;
  change?: ConstructorParameters<typeof ChangedMeanwhile>[1];
};

/**
 * The result of an act as the API answers it: an object, a response of its own, or undefined for a call without output.
 * @throws DomainError for a refusal, and for what is missing
 */
export function answerOf(call: AnyCall, result: unknown): object | undefined {
  if (result instanceof Response) return result;
  if (isRefusal(result)) throw errorOf(call, result);
  const hasAnswer = call.output !== undefined || call.file !== undefined;
  if (result === false || (hasAnswer && result === undefined)) throw new DomainError('request/not-found');
  return hasAnswer ? toJson(result as object) : undefined;
}

function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false;
}

function errorOf({ refuses = {}, method, path }: AnyCall, refusal: Refusal): DomainError {
  const code = refuses[refusal.reason] ?? codeOf(refusal.reason);
  if (code === undefined) throw new Error(`${method} ${path} has no code for “${refusal.reason}”`);
  if (typeof code === 'function') return code(refusal);
  return 'change' in refusal
    ? new ChangedMeanwhile(code as ConstructorParameters<typeof ChangedMeanwhile>[0], refusal.change)
    : new DomainError(code, refusal.message);
}

function codeOf(reason: string): ErrorCode | undefined {
  if (reason === 'not-found') return 'request/not-found';
  return reason in errorStatus ? (reason as ErrorCode) : undefined;
}

/** Without `ok`, and with null for the cursor of the last page. */
function toJson(result: object): object {
  const isOutcome = 'ok' in result && result.ok === true;
  if (!isOutcome && !('nextCursor' in result)) return result;
  const { ok: _ok, ...rest } = result as { ok?: true };
  return 'nextCursor' in rest ? { ...rest, nextCursor: rest.nextCursor ?? null } : rest;
}
