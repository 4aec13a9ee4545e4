import type { ComponentType } from 'react';
import { useMatches } from 'react-router';

/** What a route module says to the shell: `export const handle: PageHandle = { header: 'clear' };` */
export type PageHandle = {
  /**
   * `clear` lies over the top of the page (a hero), `glass` stands above it and lets its glow through; both turn solid
   * once scrolled. Solid when nothing is said.
   */
  header?: HeaderLook;
  /** For who is logged in, where the page begins with something else for them. */
  userHeader?: HeaderLook;
  /** A second row of the header, for who is logged in. */
  UserRow?: ComponentType;
};

type HeaderLook = 'clear' | 'glass' | 'solid';

/** Of the innermost route that says anything. */
export function usePageHandle(): PageHandle {
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  return handles.findLast((handle) => handle !== undefined) ?? {};
}
