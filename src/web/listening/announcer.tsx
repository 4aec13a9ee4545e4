import { useState } from 'react';
import { useEngineState, usePlayerState } from './player-provider.tsx';

/** The player's one polite live region: which audio, whether it plays, and the connection. Never the time. */
export function Announcer() {
  const status = usePlayerState((snapshot) => snapshot.status);
  const current = usePlayerState((snapshot) => snapshot.current);
  const isReconnecting = useEngineState((engine) => engine.reconnecting);
  const [said, setSaid] = useState('');

  const state = isReconnecting
    ? 'Connection lost, trying again'
    : status === 'playing'
      ? 'Now playing'
      : status === 'paused'
        ? 'Paused'
        : undefined;
  const going = status === 'idle' ? '' : said;
  const says = state && current ? `${state}: ${current.title}, ${current.voice.name}` : going;
  // What is on its way between two states is not worth a word.
  if (says !== said) setSaid(says);
  return (
    <p className="vh" aria-live="polite">
      {says}
    </p>
  );
}
