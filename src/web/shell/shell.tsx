import type { ReactNode } from 'react';
import type { PageLook } from '#domain/look/open-look.ts';
import { FocusHeading } from './focus-heading.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageFade } from './page-fade.tsx';
import { SkipLink } from './skip-link.tsx';
import type { Theme } from './theme.ts';

/** Site data and display preferences for the shell, from the root loader. */
export type ShellSite = {
  siteName: string;
  theme: Theme;
  discreet: boolean;
  /** Page without header and player, and with the footer’s bottom line only. */
  standalone: boolean;
  look?: PageLook;
};

type ShellProps = {
  site: ShellSite;
  /** Notice above every page. */
  notice?: ReactNode;
  /** Replaces the site’s header: the queue’s. Null: none. */
  header?: ReactNode;
  /** The page brings its own `<main>`, and has no footer. */
  hasMain: boolean;
  /** Stays mounted across navigations. */
  player?: ReactNode;
  /** The page, or the queue in its place. */
  children: ReactNode;
};

/** Layout around every page. Needs a SessionProvider around it. */
export function Shell({ site, notice, header, hasMain, player, children }: ShellProps) {
  return (
    <>
      <SkipLink />
      {!site.standalone && notice}
      {!site.standalone && (header === undefined ? <Header site={site} /> : header)}
      {hasMain ? <div>{children}</div> : <PageFade>{children}</PageFade>}
      <FocusHeading />
      {!hasMain && (
        <Footer siteName={site.siteName} own={site.look?.footer} extent={site.standalone ? 'minimal' : 'full'} />
      )}
      {!site.standalone && player}
    </>
  );
}
