import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { language } from '#i18n';
import { useClientValue } from '../ui/use-client-value.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { LanguageLinks } from './language-links.tsx';
import { PageFade } from './page-fade.tsx';
import type { ShellSite } from './shell-site.ts';

const loadOffer = () => import('./language-offer.tsx');

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
  const wantsAnother = useClientValue(() => !navigator.language.startsWith(language()), false);
  const offer = useLoaded(loadOffer, wantsAnother);
  return (
    <>
      <SkipLink />
      {!site.standalone && notice}
      {!site.standalone && offer && <offer.LanguageOffer />}
      {!site.standalone && (header === undefined ? <Header site={site} /> : header)}
      {hasMain ? <div>{children}</div> : <PageFade>{children}</PageFade>}
      <FocusHeading />
      {!hasMain && (
        <>
          <Footer siteName={site.siteName} own={site.look?.footer} extent={site.standalone ? 'minimal' : 'full'} />
          {/* In the browser, React leaves out what is in it, so that no code is needed for it. */}
          <noscript>{import.meta.env.SSR && <LanguageLinks />}</noscript>
        </>
      )}
      {!site.standalone && player}
    </>
  );
}

/** First focusable element: skips the header to `<main id="main">`. */
function SkipLink() {
  return (
    <a
      className="fixed -top-30 start-4 z-99 rounded-cover bg-inverse px-4 py-2.5 text-inverse-text focus:top-4 print:hidden"
      href="#main"
    >
      <Trans>Skip to content</Trans>
    </a>
  );
}

/**
 * After a navigation, moves the focus to the page’s heading, so that screen readers announce it; after an in-page link,
 * to its target, so that Tab continues there. Not on the first page, and not when only the query changed.
 */
function FocusHeading() {
  const { pathname, hash, key } = useLocation();
  const shown = useRef({ pathname, key });
  useEffect(() => {
    const from = shown.current;
    shown.current = { pathname, key };
    if (from.key === key || (from.pathname === pathname && hash === '')) return;
    const main = document.getElementById('main');
    const place = hash === '' ? main?.querySelector<HTMLElement>('h1') : document.getElementById(hash.slice(1));
    const target = place ?? main;
    if (target === null) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash, key]);
  return null;
}
