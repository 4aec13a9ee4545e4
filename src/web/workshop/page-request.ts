import type { RouterContextProvider } from 'react-router';
import { requestContext } from '../context.ts';

/** Id of a page's request; `asOf` is its time (ISO 8601). */
export type PageRequest = { requestId: string; asOf: string };

/**
 * For the loader of a layout: a failed page shows its request id, because scripts cannot read the document's own
 * headers.
 */
export function readPageRequest(context: Readonly<RouterContextProvider>): PageRequest {
  return { requestId: context.get(requestContext).requestId, asOf: new Date().toISOString() };
}
