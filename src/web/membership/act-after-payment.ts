import { useEffect } from 'react';
import { useSession } from '../identity/session-provider.tsx';

/** The action that was pressed before a payment that is due, such as Play; outlives the window that asked for it. */
let waiting: (() => void) | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

export function waitForPayment(act: (() => void) | undefined): void {
  waiting = act;
}

/** For the page that takes the payment: runs the waiting action once the user has access. Leaving the page drops it. */
export function useActAfterPayment(): void {
  const isSubscribed = useSession().user?.isSubscribed === true;
  useEffect(() => {
    clearTimeout(leaving);
    return () => {
      // Late, because strict mode unmounts and mounts again at once.
      leaving = setTimeout(() => waitForPayment(undefined));
    };
  }, []);
  useEffect(() => {
    const act = waiting;
    if (!isSubscribed || act === undefined) return;
    waiting = undefined;
    // After the effects of this render, which tell the player of the access.
    queueMicrotask(act);
  }, [isSubscribed]);
}
