import { useRevalidator } from 'react-router';
import type { TestName } from '#domain/admin/operations.ts';
import type { Answer } from '../../api.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { useAdminAct } from '../second-factor/step-up.tsx';

/** Calls of System: each shows its result and reloads the page. */
export function useSystemAct() {
  const act = useAdminAct();
  const showToast = useToast();
  const { revalidate } = useRevalidator();

  async function run<Data>(call: () => Promise<Answer<Data>>, describe: (data: Data) => string): Promise<void> {
    const answer = await act(call);
    if (answer === undefined) return;
    showToast({ text: answer.ok ? describe(answer.data) : answer.message });
    await revalidate();
  }

  return {
    run,
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
