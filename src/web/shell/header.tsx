import Search from 'lucide-react/icons/search';
import type { MouseEvent, ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Logo } from '../ui/logo.tsx';
import { useClosedByKey } from '../ui/use-closed-by-key.ts';
import { navigation } from './navigation.ts';
import { usePageHandle } from './page-handle.ts';
import { SearchForm } from './search-form.tsx';
import type { ShellSite } from './shell.tsx';
import { SiteMenu } from './site-menu.tsx';
import { useScrolled } from './use-scrolled.ts';

type HeaderProps = {
  site: ShellSite;
  onLogIn: () => void;
  onGetStarted: () => void;
  /** Such as browse chips; makes the header 143 px high. */
  secondRow?: ReactNode;
};

const looks = { clear: 'hd--clear', glass: 'hd--glass', solid: '' };

export function Header({ site, onLogIn, onGetStarted, secondRow }: HeaderProps) {
  const { header: look = 'solid' } = usePageHandle();
  const { key } = useLocation();
  const isScrolled = useScrolled();
  const [isSearching, setIsSearching] = useClosedByKey(key);

  return (
    <header
      className={classNames('hd', looks[look], (isScrolled || isSearching) && 'is-scrolled')}
      // What it lies over is dark in either theme.
      data-theme={look === 'clear' && !isScrolled && !isSearching ? 'dark' : undefined}
    >
      <div className="wrap">
        <div className="hd__bar">
          <Link className="logo" to="/" aria-label={`${site.siteName}, home`}>
            <Logo siteName={site.siteName} />
          </Link>
          <nav className="nav" aria-label="Main">
            {navigation.map(({ label, to }) => (
              <NavLink key={to} to={to}>
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
            render={<Link to="/search" />}
            onClick={instead(() => setIsSearching(!isSearching))}
          />
          <Button variant="ghost" className="d-only" render={<Link to="/library" />} onClick={instead(onLogIn)}>
            Log in
          </Button>
          <Button
            variant="primary"
            className="min-h-10 px-[18px]"
            render={<Link to="/library" />}
            onClick={instead(onGetStarted)}
          >
            Get Started
          </Button>
          <SiteMenu site={site} onLogIn={onLogIn} onGetStarted={onGetStarted} />
        </div>
        {isSearching ? (
          <div className="hd__row2 md:hidden">
            <SearchForm place="row" />
          </div>
        ) : (
          secondRow && <div className="hd__row2">{secondRow}</div>
        )}
      </div>
    </header>
  );
}

/** Without script the link leads to the page that does the same; with it, and a plain press, this happens. */
function instead(act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    act();
  };
}
