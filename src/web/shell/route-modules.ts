import { loadScript } from '../load-chunk.ts';

type Route = { id: string; module: string };

const waiting = new Set<() => void>();
const listeners = new Set<() => void>();

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
      for (const listener of listeners) listener();
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
}

/** Retries failed scripts. @param onFailed called for each script that fails from now on @returns removes `onFailed` */
export function retryRouteModules(onFailed: () => void): () => void {
  listeners.add(onFailed);
  for (const again of waiting) again();
  waiting.clear();
  return () => listeners.delete(onFailed);
}
