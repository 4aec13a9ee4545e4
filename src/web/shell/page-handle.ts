import type { ComponentType } from 'react';
import { useMatches } from 'react-router';

/** Settings of a route for the shell: `export const handle: PageHandle = { header: 'clear' };` */
export type PageHandle = {
  /**
   * `clear` lies over the top of the page (a hero), `glass` is translucent above it; both become solid on scroll.
   * Default: solid.
   */
  header?: HeaderVariant;
  /** Overrides `header` for logged-in users, when their page starts differently. */
  userHeader?: HeaderVariant;
  /** Second row of the header, for logged-in users. */
  UserRow?: ComponentType;
  /**
   * `own`: the layout has its own navigation and `<main>`, so no header and footer. `plain`: for people who came for this
   * page alone, the header is the logo. Both have no player until something has played.
   */
  frame?: 'own' | 'plain';
};

type HeaderVariant = 'clear' | 'glass' | 'solid';

/** Handle of the innermost route that has one. */
export function usePageHandle(): PageHandle {
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  return handles.findLast((handle) => handle !== undefined) ?? {};
}
