import Ban from 'lucide-react/icons/ban';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { clearLeftLists } from '#web/catalogue/list-memory.ts';
import { answerOf, api } from '../api.ts';
import { useSignInPrompt } from '../identity/sign-in-prompt.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';

type BlockButtonProps = { user: { id: string; username: string }; isBlocked: boolean };

/** Button on a public profile. Blocking is one-sided: the blocked user is not notified. */
export function BlockButton({ user, isBlocked }: BlockButtonProps) {
  const { revalidate } = useRevalidator();
  const askToSignIn = useSignInPrompt();
  const { busy, setBlocked } = useBlock(revalidate);
  return (
    <Button
      variant="outline"
      size="lg"
      busy={busy === undefined ? undefined : 'Saving…'}
      aria-label={`${isBlocked ? 'Unblock' : 'Block'} ${user.username}`}
      onClick={() =>
        askToSignIn({
          to: `${isBlocked ? 'unblock' : 'block'} ${user.username}`,
          act: () => void setBlocked(user, !isBlocked),
        })
      }
    >
      <Icon of={Ban} size={18} />
      {isBlocked ? 'Unblock' : 'Block'}
    </Button>
  );
}

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
    const done = isBlocked ? `You blocked ${username}` : `You unblocked ${username}`;
    showToast({ text: answer.ok ? done : answer.message });
  }

  return { busy, setBlocked };
}
