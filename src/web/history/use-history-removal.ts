import { useEffect, useState } from 'react';
import { answerOf, api } from '#web/api.ts';
import { actionMs } from '#web/ui/notice.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useClearResumePositions } from '../listening/player-provider.tsx';

/** Slightly longer than the toast with Undo is visible. */
const undoMs = actionMs + 1000;

/**
 * Removes audios from the history: from the list at once, from the account when the toast with Undo is gone or the page
 * is left.
 */
export function useHistoryRemoval(): {
  removed: ReadonlySet<string>;
  remove: (audio: { id: string; title: string }) => void;
} {
  const showToast = useToast();
  const clearResumePositions = useClearResumePositions();
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [pending] = useState(() => new Map<string, ReturnType<typeof setTimeout>>());

  function putBack(id: string): void {
    setRemoved((ids) => new Set([...ids].filter((other) => other !== id)));
  }

  async function send(id: string): Promise<void> {
    clearTimeout(pending.get(id));
    if (!pending.delete(id)) return;
    const answer = await answerOf(
      api.history.me.items[':id'].$delete({ param: { id } }, { headers: asJson, init: { keepalive: true } }),
    );
    if (answer.ok) return clearResumePositions(id);
    putBack(id);
    showToast({ text: 'It could not be removed. Please try again.' });
  }

  const [sendAll] = useState(() => () => [...pending.keys()].forEach((id) => void send(id)));
  useEffect(() => {
    // Before the next page loads, which may be this one again; phones fire `pagehide` only.
    const ways = ['beforeunload', 'pagehide'];
    for (const way of ways) window.addEventListener(way, sendAll);
    return () => {
      for (const way of ways) window.removeEventListener(way, sendAll);
      sendAll();
    };
  }, [sendAll]);

  return {
    removed,
    remove({ id, title }) {
      setRemoved((ids) => new Set([...ids, id]));
      pending.set(
        id,
        setTimeout(() => void send(id), undoMs),
      );
      showToast({
        text: `Removed “${title}” from your history`,
        action: {
          label: 'Undo',
          onPress() {
            clearTimeout(pending.get(id));
            if (pending.delete(id)) putBack(id);
          },
        },
      });
    },
  };
}

/** The API accepts JSON only for calls that change something. */
const asJson = { 'content-type': 'application/json' };
