import { DomainError } from '#domain/kernel/errors.ts';

/** @throws DomainError `request/not-found` for undefined */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('request/not-found');
  return value;
}
