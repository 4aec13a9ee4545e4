/** The part of `BroadcastChannel` used here; a channel never receives its own messages. */
export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;

export const tabChannelName = 'sotto-player';

const STARTED = 'started';

/**
 * Only the tab where play was pressed last plays: each tab announces its start, and the others pause.
 * @returns announces the start of this tab
 */
export function linkTabs(channel: TabChannel | undefined, onStartedElsewhere: () => void): () => void {
  channel?.addEventListener('message', (event) => {
    if (event.data === STARTED) onStartedElsewhere();
  });
  return () => channel?.postMessage(STARTED);
}
