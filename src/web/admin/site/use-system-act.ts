import type { TestName } from '#domain/admin/operations.ts';
import type { Answer } from '../../api.ts';
import { answerOf, api } from '../../api.ts';
import { useCall } from '../use-call.ts';

/** Calls of System: each shows its result and reloads the page. */
export function useSystemAct() {
  const { busy, call } = useCall();

  async function run<Data>(send: () => Promise<Answer<Data>>, done?: (data: Data) => string, key = 'act') {
    await call(key, send, { done });
  }

  return {
    run,
    isChecking: busy === 'check',
    /** Runs the site's checks now; the page shows their result. */
    checkAgain: () => void run(() => answerOf(api.admin.system.checks.$get()), undefined, 'check'),
    tryOut: (name: TestName) =>
      run(
        () => answerOf(api.admin.system.tests[':name'].$post({ param: { name } })),
        ({ isOk, message }) => (isOk ? message : `It failed: ${message}`),
      ),
    rebuildSearch: () =>
      run(
        () => answerOf(api.admin.system.search.rebuild.$post()),
        () => 'The index is being rebuilt',
      ),
  };
}
