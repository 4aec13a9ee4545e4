import { type ComponentType, lazy } from 'react';
import { browserClock } from '#player/clock.ts';
import { createLazy } from '#player/lazy.ts';
import { browserNetwork } from '#player/network.ts';

/**
 * Components whose code is not part of the first load, for a `Suspense` whose HTML the server has written. A failed load
 * is retried, because React would keep it.
 * @param load the module that exports them
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as React has it
export function lazyParts<Parts extends Record<string, ComponentType<any>>>(load: () => Promise<Parts>) {
  const code = createLazy({ load, clock: browserClock, network: browserNetwork });
  return <Name extends keyof Parts>(name: Name) =>
    lazy(() => new Promise<{ default: Parts[Name] }>((resolve) => code.use((all) => resolve({ default: all[name] }))));
}
