import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { answerOf, api } from '#web/api.ts';
import { clearLeftLists } from '#web/catalogue/lists/list-memory.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { usePlayerCommands } from '../listening/player-provider.tsx';

export const historyPath = '/v1/api/history/me/items';

/**
 * Removes audios from the history: from the list at once, from the account when the toast with Undo closes or the page
 * is left.
 *
 * @param onRemoved called when the account has forgotten the audio
 */
export function useHistoryRemoval(onRemoved: (id: string) => void): {
  removed: ReadonlySet<string>;
  remove: (audio: { id: string; title: string }) => void;
} {
  const showToast = useToast();
  const { clearResumePositions } = usePlayerCommands();
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  /** Not sent yet, each with its open toast. */
  const [pending] = useState(() => new Map<string, AbortController>());

  function restore(id: string): void {
    setRemoved((ids) => new Set([...ids].filter((other) => other !== id)));
  }

  async function send(id: string): Promise<void> {
    const toast = pending.get(id);
    if (!pending.delete(id)) return;
    toast?.abort();
    // On leaving the page, which no longer handles `onRemoved`.
    clearLeftLists(historyPath);
    const answer = await answerOf(
      api.history.me.items[':id'].$delete({ param: { id } }, { init: { keepalive: true } }),
    );
    if (answer.ok) {
      clearResumePositions(id);
      return onRemoved(id);
    }
    restore(id);
    showToast({ text: t`It could not be removed. Please try again.` });
  }

  const [sendAll] = useState(() => () => [...pending.keys()].forEach((id) => void send(id)));
  useEffect(() => {
    // Before the next page loads, which may be this one again; phones fire `pagehide` only.
    const stop = new AbortController();
    for (const way of ['beforeunload', 'pagehide']) window.addEventListener(way, sendAll, stop);
    return () => {
      stop.abort();
      sendAll();
    };
  }, [sendAll]);

  return {
    removed,
    remove({ id, title }) {
      const toast = new AbortController();
      setRemoved((ids) => new Set([...ids, id]));
      pending.set(id, toast);
      showToast({
        text: t`Removed “${title}” from your history`,
        kind: 'history',
        several: (count) => t`Removed ${plural(count, { one: '# audio', other: '# audios' })} from your history`,
        action: {
          label: t`Undo`,
          onPress() {
            if (pending.delete(id)) restore(id);
          },
        },
        onClosed: () => void send(id),
        until: toast.signal,
      });
    },
  };
}
