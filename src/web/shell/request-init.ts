import { callLimitMs, limited } from '#player/timed-fetch.ts';

/** Replaces React Router’s function of the same name (vite.config.ts), which sets no time limit. Pages are only read. */
export async function createRequestInit({ signal }: Request): Promise<RequestInit> {
  return { signal: limited(signal, callLimitMs).signal };
}
