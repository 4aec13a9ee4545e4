import type { Viewer } from '../identity/rules.ts';

/** May hear everything (product.md, "Who may hear what"). `isSubscribed` is worked out on the server, never sent by a client. */
export function isEntitled(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.isComplete && viewer.isSubscribed;
}
