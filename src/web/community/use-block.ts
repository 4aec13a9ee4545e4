import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { clearLeftLists } from '#web/catalogue/lists/list-memory.ts';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';

/** Blocks or unblocks a user. @param onDone reloads the lists on the page, which have changed */
export function useBlock(onDone: () => Promise<void>) {
  const showToast = useToast();
  const [busy, setBusy] = useState<string>();

  async function setBlocked({ id, username }: { id: string; username: string }, isBlocked: boolean): Promise<void> {
    if (busy !== undefined) return;
    setBusy(id);
    const answer = await answerOf(api.user.block[':id'].$post({ param: { id }, json: { isBlocked } }));
    if (answer.ok) {
      clearLeftLists();
      await onDone();
    }
    setBusy(undefined);
    const done = isBlocked ? t`You blocked ${username}` : t`You unblocked ${username}`;
    showToast({ text: answer.ok ? done : answer.message });
  }

  return { busy, setBlocked };
}
