/** The part of `BroadcastChannel` used here; a channel never receives its own messages. */
export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;

export const tabChannelName = 'sotto-player';

const STARTED = 'started';

/** Only the tab where play was pressed last plays: each tab announces its start, and the others pause. */
export function linkTabs(channel: TabChannel | undefined, onStartedElsewhere: () => void) {
  const listener = (event: MessageEvent) => {
    if (event.data === STARTED) onStartedElsewhere();
  };
  channel?.addEventListener('message', listener);
  return {
    announceStart: () => channel?.postMessage(STARTED),
    unlink: () => channel?.removeEventListener('message', listener),
  };
}
