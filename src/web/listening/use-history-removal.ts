import { useEffect, useState } from 'react';
import { answerOf, api } from '#web/api.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useForgetPlaces } from './player-provider.tsx';

/** As long as the toast with its Undo is there, and a little. */
const undoMs = 6000;

/**
 * Takes audios out of the history. Each is gone from the list at once and from the account once Undo is gone, or when
 * the page is left.
 */
export function useHistoryRemoval(): {
  removed: ReadonlySet<string>;
  remove: (audio: { id: string; title: string }) => void;
} {
  const showToast = useToast();
  const forgetPlaces = useForgetPlaces();
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
    if (answer.ok) return forgetPlaces(id);
    putBack(id);
    showToast({ text: 'It could not be removed. Please try again.' });
  }

  const [sendAll] = useState(() => () => [...pending.keys()].forEach((id) => void send(id)));
  useEffect(() => {
    // Before the next page is asked for, which may be this one again; a phone only says that it is hidden.
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

/** The site takes changing calls as JSON only. */
const asJson = { 'content-type': 'application/json' };
