import Search from 'lucide-react/icons/search';
import { useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { track } from '../insight/track.ts';
import { useSession } from '../identity/session-provider.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Logo } from '../ui/logo.tsx';
import { onPlainPress } from '../ui/plain-press.ts';
import { useClosedByKey } from '../ui/use-closed-by-key.ts';
import { AccountMenu } from './account-menu.tsx';
import { navigation } from './navigation.ts';
import { usePageHandle } from './page-handle.ts';
import { SearchForm } from './search-form.tsx';
import type { ShellSite } from './shell.tsx';
import { SiteMenu } from './site-menu.tsx';
import { useScrolled } from './use-scrolled.ts';
import { WaysIn } from './ways-in.tsx';

const looks = { clear: 'hd--clear', glass: 'hd--glass', solid: '' };

export function Header({ site }: { site: ShellSite }) {
  const { header, userHeader, UserRow } = usePageHandle();
  const { key } = useLocation();
  const { user } = useSession();
  const look = (user === null ? undefined : userHeader) ?? header ?? 'solid';
  const isScrolled = useScrolled();
  const [isSearching, setIsSearching] = useClosedByKey(key);
  const searchToggle = useRef<HTMLButtonElement>(null);

  function leaveSearch(): void {
    setIsSearching(false);
    searchToggle.current?.focus();
  }

  return (
    <header
      className={classNames(
        'hd',
        looks[look],
        (isScrolled || isSearching) && 'is-scrolled',
        isSearching && 'is-searching',
      )}
      // What it lies over is dark in either theme.
      data-theme={look === 'clear' && !isScrolled && !isSearching ? 'dark' : undefined}
    >
      <div className="wrap">
        <div className="hd__bar">
          <Link className="logo" to="/" aria-label={`${site.siteName}, home`}>
            <Logo siteName={site.siteName} />
          </Link>
          <nav className="nav" aria-label="Main">
            {navigation.map(({ label, to, event }) => (
              <NavLink key={to} to={to} onClick={() => track(event)}>
                {label}
              </NavLink>
            ))}
          </nav>
          <span className="hd__sp" />
          <SearchForm place="bar" />
          <IconButton
            label="Search"
            icon={Search}
            iconSize={24}
            className="m-only"
            aria-expanded={isSearching}
            data-site-search="toggle"
            ref={searchToggle}
            render={<Link to="/search" />}
            onClick={onPlainPress(() => setIsSearching(!isSearching))}
          />
          {user === null ? <WaysIn /> : <AccountMenu user={user} appLinks={site.appLinks} />}
          <SiteMenu site={site} />
        </div>
        {isSearching ? (
          <div className="hd__row2 md:hidden">
            <SearchForm place="row" onLeave={leaveSearch} />
          </div>
        ) : (
          UserRow &&
          user !== null && (
            <div className="hd__row2">
              <UserRow />
            </div>
          )
        )}
      </div>
    </header>
  );
}
