import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Search from 'lucide-react/icons/search';
import { useRef, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { useIsOn } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Logo } from '../ui/images/logo.tsx';
import { onPlainPress } from '../ui/plain-press.ts';
import { useClosedByKey } from '../ui/layers/use-closed-by-key.ts';
import { AccountMenu } from './account-menu.tsx';
import { MainNav } from './main-nav.tsx';
import { usePageHandle } from './page-handle.ts';
import { SearchForm } from './search-form.tsx';
import type { ShellSite } from './shell-site.ts';
import { SiteMenu } from './site-menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const loadBell = () => import('../notifications/news-bell.tsx');

const row = 'flex h-[63px] items-start pt-[9px] max-md:-me-2.5';

const variants = { clear: 'header--clear', glass: 'header--glass', solid: '' };

export function Header({ site }: { site: ShellSite }) {
  const { header, userHeader, UserRow, frame } = usePageHandle();
  const { siteName } = site;
  const { key } = useLocation();
  const { user } = useSession();
  const bell = useLoaded(loadBell, user !== null);
  const variant = (user === null ? undefined : userHeader) ?? header ?? 'solid';
  const isScrolled = useScrolled();
  const [isSearching, setIsSearching] = useClosedByKey(key);
  const searchToggle = useRef<HTMLButtonElement>(null);

  function leaveSearch(): void {
    setIsSearching(false);
    searchToggle.current?.focus();
  }

  return (
    <header
      className={classNames('header group/header', variants[variant])}
      data-scrolled={isScrolled || isSearching || undefined}
      data-site-header
      data-searching={isSearching || undefined}
      // The picture below the header is dark in both themes.
      data-theme={variant === 'clear' && !isScrolled && !isSearching ? 'dark' : undefined}
    >
      <div className="wrap">
        <div className="flex h-(--header) items-center gap-0.5 md:gap-2">
          <Link className="logo" to="/" aria-label={t`${siteName}, home`}>
            <Logo siteName={siteName} />
          </Link>
          {frame !== 'plain' && (
            <>
              <MainNav />
              <span className="flex-1" />
              <SearchForm place="bar" />
              <IconButton
                label={t`Search`}
                icon={Search}
                iconSize={24}
                className="md:hidden"
                aria-expanded={isSearching}
                data-site-search="toggle"
                ref={searchToggle}
                render={<Link to="/search" />}
                onClick={onPlainPress(() => setIsSearching(!isSearching))}
              />
              {user && bell && <bell.NewsBell userId={user.id} />}
              {user === null ? <VisitorButtons /> : <AccountMenu user={user} />}
              <SiteMenu site={site} />
            </>
          )}
        </div>
        {isSearching ? (
          <div className={`${row} md:hidden`} data-header-row>
            <SearchForm place="row" onLeave={leaveSearch} />
          </div>
        ) : (
          UserRow &&
          user !== null && (
            <div className={`${row} max-md:overflow-hidden`} data-header-row>
              <UserRow />
            </div>
          )
        )}
      </div>
    </header>
  );
}

const look = 'max-md:min-h-10 max-md:text-14 max-md:whitespace-nowrap';

/** The header's log-in and sign-up buttons for visitors: links for those without JavaScript. */
function VisitorButtons() {
  const { openModal, preloadModals } = useSession();
  const takesAccounts = useIsOn('signUp');
  const near = { onPointerEnter: preloadModals, onFocus: preloadModals };
  return (
    <>
      <Button
        variant="ghost"
        className={`${look} max-md:px-2 max-[24.3125rem]:hidden`}
        render={<Link to="/library" data-keep-press />}
        onClick={onPlainPress(() => openModal('log-in'))}
        {...near}
      >
        <Trans>Log in</Trans>
      </Button>
      {takesAccounts && (
        <Button
          variant="primary"
          className={`${look} min-h-10 px-3 md:px-4.5`}
          render={<Link to="/library" data-keep-press />}
          onClick={onPlainPress(() => openModal('sign-up'))}
          {...near}
        >
          <Trans>Get Started</Trans>
        </Button>
      )}
    </>
  );
}

// React calls this in every render of the page, where reading the position would force a layout.
let isScrolled = false;

/** Whether the page is scrolled down. */
function useScrolled(): boolean {
  return useSyncExternalStore(
    onScroll,
    () => isScrolled,
    () => false,
  );
}

function onScroll(changed: () => void): () => void {
  const read = () => {
    isScrolled = window.scrollY > 8;
    changed();
  };
  read();
  window.addEventListener('scroll', read, { passive: true });
  return () => window.removeEventListener('scroll', read);
}
