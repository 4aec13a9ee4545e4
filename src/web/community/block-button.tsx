import { t } from '@lingui/core/macro';
import Ban from 'lucide-react/icons/ban';
import { useRevalidator } from 'react-router';
import { useSignInPrompt } from '../identity/prompts.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useBlock } from './use-block.ts';

type BlockButtonProps = { user: { id: string; username: string }; isBlocked: boolean };

/** Button on a public profile. Blocking is one-sided: the blocked user is not notified. */
export function BlockButton({ user, isBlocked }: BlockButtonProps) {
  const { revalidate } = useRevalidator();
  const askToSignIn = useSignInPrompt();
  const { busy, setBlocked } = useBlock(revalidate);
  const { username } = user;
  return (
    <Button
      variant="outline"
      size="lg"
      busy={busy === undefined ? undefined : t`Saving…`}
      aria-label={isBlocked ? t`Unblock ${username}` : t`Block ${username}`}
      onClick={() =>
        askToSignIn({
          title: isBlocked ? t`Sign in to unblock ${username}` : t`Sign in to block ${username}`,
          act: () => void setBlocked(user, !isBlocked),
        })
      }
    >
      <Icon of={Ban} size={18} />
      {isBlocked ? t`Unblock` : t`Block`}
    </Button>
  );
}
