import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/layers/dialog.tsx';
import { Note } from '#web/ui/note.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { usePlayerCommands } from '../listening/player-provider.tsx';

/** Clears the whole listening history, after a confirmation. */
export function ClearHistory() {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { clearResumePositions } = usePlayerCommands();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function clear(): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    const answer = await answerOf(api.history.me.$delete({}));
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer.message);
    clearResumePositions();
    setIsAsking(false);
    showToast({ text: 'Your listening history is cleared' });
    await revalidate();
  }

  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setIsAsking(true)}>
        Clear all
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Clear your listening history"
        description="Your listening history and saved positions are deleted on all your devices. This cannot be undone."
      >
        <div className="form">
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <div className="flex flex-wrap gap-2">
            <Button
              className="btn--danger"
              variant="outline"
              busy={isBusy ? 'Clearing…' : undefined}
              onClick={() => void clear()}
            >
              Clear history
            </Button>
            <Button variant="ghost" onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
