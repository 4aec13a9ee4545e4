import { callEach, createListeners } from '#player/listeners.ts';
import { loadScript } from '../load-chunk.ts';

type Route = { id: string; module: string };

const waiting = new Set<() => void>();
const failures = createListeners();

/**
 * Replaces React Router’s function of the same name (vite.config.ts), which reloads the document when a script fails.
 * The router would cache a rejection forever, so the promise stays pending until a retry succeeds.
 */
export async function loadRouteModule(route: Route, loaded: Record<string, unknown>): Promise<unknown> {
  for (;;) {
    if (route.id in loaded) return loaded[route.id];
    try {
      return (loaded[route.id] = await loadScript(route.module));
    } catch {
      failures.emit();
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
}

/** Retries failed scripts. @param onFailed called for each script that fails from now on @returns removes `onFailed` */
export function retryRouteModules(onFailed: () => void): () => void {
  const stop = failures.subscribe(onFailed);
  callEach(waiting);
  waiting.clear();
  return stop;
}
