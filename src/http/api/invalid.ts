import type { Hook } from '@hono/zod-openapi';
import { errorResponse } from '../errors.ts';

/** Names the invalid field and the reason; does not repeat the input. A whole sentence is for users: it stands alone. */
// oxlint-disable-next-line typescript/no-explicit-any -- the hook is for every route, whatever it validates
export const refuseInvalid: Hook<any, any, any, any> = (result) => {
  if (result.success) return undefined;
  const issue = result.error.issues[0];
  const message = issue?.message ?? 'not as it should be';
  const field = message.endsWith('.') ? '' : issue?.path.join('.');
  return errorResponse('request/invalid', `${field ? `${field}: ` : ''}${message}`);
};
