/** The part of `BroadcastChannel` that is used; it never gives a message to the one who sent it. */
export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;

export const tabChannelName = 'sotto-player';

const STARTED = 'started';

/** The tab where play was pressed last plays: each one says so, and the others pause. */
export function linkTabs(channel: TabChannel | undefined, onStartedElsewhere: () => void) {
  const listener = (event: MessageEvent) => {
    if (event.data === STARTED) onStartedElsewhere();
  };
  channel?.addEventListener('message', listener);
  return {
    tellStarted: () => channel?.postMessage(STARTED),
    unlink: () => channel?.removeEventListener('message', listener),
  };
}
