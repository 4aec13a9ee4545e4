import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { PageLook } from '#domain/look/open-look.ts';
import { href, Link, useLocation } from 'react-router';
import { languageFacts } from '#i18n';
import { logEvent } from '../analytics/log-event.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useIsOn } from '../root-data.ts';
import { Menu } from '../ui/layers/menu.tsx';
import { navigation } from './navigation.ts';

/** Terms and privacy open in a new tab (spec §2), and so do links to other sites. */
function FooterLink({ to, children }: { to: string; children: string }) {
  const isOwnTab = /^\/(?!(terms|privacy)$)/.test(to);
  return (
    <Link to={to} {...(!isOwnTab && { target: '_blank', rel: 'noopener' })}>
      {children}
    </Link>
  );
}

const loadLanguages = () => import('./language-choice.tsx');

/** Without JavaScript there are links below the footer. */
function FooterLanguages() {
  const { key } = useLocation();
  const name = languageFacts().name;
  return (
    <Menu
      closeKey={key}
      load={loadLanguages}
      trigger={
        <button
          type="button"
          className="-mx-2 min-h-11 px-2 hover:text-text noscript:hidden"
          aria-label={t`Language: ${name}`}
        >
          {name}
        </button>
      }
    >
      {(items) => <items.LanguageChoice />}
    </Menu>
  );
}

/** @param extent `minimal` shows only the bottom line (standalone page) */
export function Footer({
  siteName,
  own,
  extent,
}: {
  siteName: string;
  /** The operator's footer; absent: the default one. */
  own: PageLook['footer'];
  extent: 'full' | 'minimal';
}) {
  const { user } = useSession();
  const [hasBlog, sellsGiftCards] = [useIsOn('blog'), useIsOn('giftCards')];
  const [year] = useState(() => new Date().getUTCFullYear());
  return (
    <footer className="border-t border-line text-13 text-muted [&_a]:inline-flex [&_a]:min-h-6 [&_a]:items-center [&_a]:hover:text-text">
      <div className="wrap flex min-h-22 flex-wrap items-center gap-6 max-md:flex-col max-md:items-start max-md:gap-3 max-md:py-7">
        <span suppressHydrationWarning>
          © {year} {siteName}. {own?.line ?? t`For listeners aged 18 and over.`}
        </span>
        {extent === 'full' && (
          <nav className="flex flex-wrap gap-5 md:ms-auto md:gap-6" aria-label={t`Footer`}>
            <span className="hidden noscript:flex flex-wrap gap-[inherit]">
              {navigation.map(({ label, to, event }) => (
                <Link key={to} to={to} onClick={() => logEvent(event)}>
                  {label()}
                </Link>
              ))}
              {user && (
                <Link to={href('/account')}>
                  <Trans>Account</Trans>
                </Link>
              )}
            </span>
            {own?.groups?.map(({ title, links }, index) => (
              <span key={index} className="flex flex-wrap items-center gap-[inherit]">
                {title !== null && <b className="text-soft">{title}</b>}
                {links.map(({ label, to }) => (
                  <FooterLink key={to + label} to={to}>
                    {label}
                  </FooterLink>
                ))}
              </span>
            )) ?? (
              <>
                {hasBlog && (
                  <Link to="/blog">
                    <Trans>Blog</Trans>
                  </Link>
                )}
                {sellsGiftCards && (
                  <Link to={href('/gift-card')}>
                    <Trans>Gift cards</Trans>
                  </Link>
                )}
                <FooterLink to="/terms">{t`Terms of Service`}</FooterLink>
                <FooterLink to="/privacy">{t`Privacy Policy`}</FooterLink>
              </>
            )}
            <Link to="/report">{t`Report`}</Link>
          </nav>
        )}
        <FooterLanguages />
      </div>
    </footer>
  );
}
