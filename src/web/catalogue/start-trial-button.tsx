import { href, Link } from 'react-router';
import { useSession } from '#web/identity/session-provider.tsx';
import { useSubscribePrompt } from '#web/identity/subscribe-prompt.tsx';
import { useIsOn } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';

/** Primary action of the front page. Without JavaScript it links to a page with instructions. */
export function StartTrialButton() {
  const { user, preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  const takesAccounts = useIsOn('signUp');
  if (user !== null || !takesAccounts) return null;
  return (
    <Button
      variant="primary"
      size="lg"
      render={<Link to={href('/library')} data-keep-press />}
      onClick={onPlainPress(() => askToSubscribe())}
      onPointerEnter={preloadModals}
      onFocus={preloadModals}
    >
      Start free trial
    </Button>
  );
}
