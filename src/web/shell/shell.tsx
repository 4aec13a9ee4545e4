import type { ReactNode } from 'react';
import { FocusHeading } from './focus-heading.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageFade } from './page-fade.tsx';
import { SkipLink } from './skip-link.tsx';
import type { Theme } from './theme.ts';

/** What the shell must know of the site and of how it is to be shown; the root loader says it. */
export type ShellSite = {
  siteName: string;
  appLinks: { ios?: string | undefined; android?: string | undefined };
  theme: Theme;
  discreet: boolean;
  /** The page alone: no header, no player, the foot's line only. */
  standalone: boolean;
};

type ShellProps = {
  site: ShellSite;
  /** What concerns every page, above them all. */
  notice?: ReactNode;
  /** In place of the site's own header: the queue's. */
  header?: ReactNode;
  /** Stays mounted whatever page is shown. */
  player?: ReactNode;
  /** The page, or what stands in its place. */
  children: ReactNode;
};

/** Everything around a page. Needs a SessionProvider around it. */
export function Shell({ site, notice, header, player, children }: ShellProps) {
  return (
    <>
      <SkipLink />
      {!site.standalone && notice}
      {!site.standalone && (header ?? <Header site={site} />)}
      <PageFade>{children}</PageFade>
      <FocusHeading />
      <Footer siteName={site.siteName} extent={site.standalone ? 'minimal' : 'full'} />
      {!site.standalone && player}
    </>
  );
}
