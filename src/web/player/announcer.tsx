import { useState } from 'react';
import { useEngineState, usePlayerState } from '../listening/player-provider.tsx';

/** The player's one polite live region: which audio, whether it plays, and the connection. Never the time. */
export function Announcer() {
  const status = usePlayerState((snapshot) => snapshot.status);
  const current = usePlayerState((snapshot) => snapshot.current);
  const isReconnecting = useEngineState((engine) => engine.reconnecting);
  const [announced, setAnnounced] = useState('');

  const state = status === 'playing' ? 'Now playing' : status === 'paused' ? 'Paused' : undefined;
  const going = status === 'idle' ? '' : announced;
  const playing = state && current ? `${state}: ${current.title}, ${current.voice.name}` : going;
  // Without the audio’s name: announced once per interruption, even when several audios are tried.
  const announcement = isReconnecting ? 'Connection lost, trying again' : playing;
  // Short states in between (loading) are not announced.
  if (announcement !== announced) setAnnounced(announcement);
  return (
    <p className="sr-only" aria-live="polite">
      {announcement}
    </p>
  );
}
