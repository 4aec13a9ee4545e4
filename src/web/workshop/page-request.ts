import type { RouterContextProvider } from 'react-router';
import { requestContext } from '../context.ts';

/** Names the request of a page; `asOf` is its time (ISO 8601). */
export type PageRequest = { requestId: string; asOf: string };

/** For the loader of a layout: a page that fails shows its request, since browsers hide a document's own headers. */
export function readPageRequest(context: Readonly<RouterContextProvider>): PageRequest {
  return { requestId: context.get(requestContext).requestId, asOf: new Date().toISOString() };
}
