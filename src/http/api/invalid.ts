import type { Hook } from '@hono/zod-openapi';
import { sentenceOf } from '#domain/kernel/input-faults.ts';
import { errorResponse } from '../errors.ts';

/** Says in one sentence what is invalid, and names the field. */
// oxlint-disable-next-line typescript/no-explicit-any -- the hook is for every route, whatever it validates
export const refuseInvalid: Hook<any, any, any, any> = (result) => {
  if (result.success) return undefined;
  const issue = result.error.issues[0];
  return errorResponse('request/invalid', issue && sentenceOf(issue), undefined, { field: issue?.path.join('.') });
};
