import type { ReactNode } from 'react';
import { FocusHeading } from './focus-heading.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageFade } from './page-fade.tsx';
import type { ShellSite } from './shell-site.ts';
import { SkipLink } from './skip-link.tsx';

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
