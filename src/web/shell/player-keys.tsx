import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { browserClock } from '#player/clock.ts';
import { createLate } from '#player/late.ts';
import { browserNetwork } from '#player/network.ts';

const code = createLate({
  load: async () => (await import('./key-commands.tsx')).KeyCommands,
  clock: browserClock,
  network: browserNetwork,
});

/** The player's shortcuts. Their code loads after the page, because phones have no keys. Renders nothing. */
export function PlayerKeys() {
  const [Commands, setCommands] = useState<ComponentType>();
  useEffect(() => code.use((loaded) => setCommands(() => loaded)), []);
  return Commands && <Commands />;
}
