import { useSession } from '#web/identity/session-provider.tsx';
import { useSubscribePrompt } from '#web/identity/subscribe-prompt.tsx';
import { Button } from '../ui/button.tsx';

/** In place of the field, where the creator lets only subscribers comment. */
export function SubscribersWrite() {
  const { user, openModal, preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card bg-surface p-4">
      <p className="text-14 text-soft">Only subscribers can comment here.</p>
      <div className="noscript:hidden flex gap-2" onPointerEnter={preloadModals}>
        {user === null && (
          <Button variant="ghost" size="sm" onClick={() => openModal('log-in')}>
            Log in
          </Button>
        )}
        <Button size="sm" onClick={() => askToSubscribe()}>
          Subscribe
        </Button>
      </div>
    </div>
  );
}
