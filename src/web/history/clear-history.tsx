import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmForm } from '#web/ui/confirm-form.tsx';
import { Dialog } from '#web/ui/layers/dialog.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { usePlayerCommands } from '../listening/player-provider.tsx';

/** Clears the whole listening history, after a confirmation. */
export function ClearHistory() {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { clearResumePositions } = usePlayerCommands();
  const [isAsking, setIsAsking] = useState(false);

  async function clear(): Promise<string | undefined> {
    const answer = await answerOf(api.history.me.$delete({}));
    if (!answer.ok) return answer.message;
    clearResumePositions();
    setIsAsking(false);
    showToast({ text: t`Your listening history is cleared` });
    await revalidate();
    return undefined;
  }

  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setIsAsking(true)}>
        {t`Clear all`}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Clear your listening history`}
        description={t`Your listening history and saved positions are deleted on all your devices. This cannot be undone.`}
      >
        <ConfirmForm act={t`Clear history`} busy={t`Clearing…`} onConfirm={clear} onKeep={() => setIsAsking(false)} />
      </Dialog>
    </>
  );
}
