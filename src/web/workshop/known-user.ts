import { data } from 'react-router';
import type { User, Viewer } from '#domain/kernel/viewer.ts';

/** Data of the 404 that visitors get, so that an open page can tell an ended session from a missing page. */
export const visitorMark = 'visitor';

/** For the loaders of Studio and Admin. @throws a 404 for visitors */
export function knownUser(viewer: Viewer): User {
  if (viewer.kind !== 'user') throw data(visitorMark, { status: 404 });
  return viewer;
}
