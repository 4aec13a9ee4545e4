import { type ComponentType, useEffect, useRef, useState } from 'react';
import { browserClock } from '#player/clock.ts';
import { createLazy } from '#player/lazy.ts';
import { browserNetwork } from '#player/network.ts';
import type { KeyCommandsProps } from './key-commands.tsx';

const code = createLazy({
  load: async () => (await import('./key-commands.tsx')).KeyCommands,
  clock: browserClock,
  network: browserNetwork,
});

/**
 * The player's shortcuts. Their code loads after the page, because phones have no keys; keys pressed before that take
 * effect once it is there. Renders nothing.
 */
export function PlayerKeys() {
  const [Commands, setCommands] = useState<ComponentType<KeyCommandsProps>>();
  const early = useRef<KeyboardEvent[]>([]);
  useEffect(() => code.use((loaded) => setCommands(() => loaded)), []);
  useEffect(() => {
    if (Commands !== undefined) return;
    const keep = (event: KeyboardEvent) => early.current.push(event);
    window.addEventListener('keydown', keep);
    return () => window.removeEventListener('keydown', keep);
  }, [Commands]);
  return Commands && <Commands early={early} />;
}
