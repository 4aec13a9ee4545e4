import MenuIcon from 'lucide-react/icons/menu';
import { useState } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator, MenuSwitch } from '../ui/menu.tsx';
import { useIsDesktop } from '../ui/use-media-query.ts';
import { track } from '../insight/track.ts';
import { useSession } from '../identity/session-provider.tsx';
import { appEntries } from './app-entries.ts';
import { keepDiscreet } from './discreet.ts';
import { navigation } from './navigation.ts';
import type { ShellSite } from './shell.tsx';
import { keepTheme, themes } from './theme.ts';

type SiteMenuProps = { site: Pick<ShellSite, 'appLinks' | 'theme' | 'discreet'> };

/** Behind the three lines. Needs script; without, the foot of the page has the links. */
export function SiteMenu({ site }: SiteMenuProps) {
  const { key } = useLocation();
  const { revalidate } = useRevalidator();
  // What was chosen shows at once; without a connection, asking for the page anew would lose it.
  const refresh = () => navigator.onLine && void revalidate();
  const { user, openModal, preloadModals } = useSession();
  const isNavigationShown = useIsDesktop();
  const [theme, setTheme] = useState(site.theme);
  const [isDiscreet, setIsDiscreet] = useState(site.discreet);

  return (
    <Menu
      closeKey={key}
      trigger={
        <IconButton label="Menu" icon={MenuIcon} iconSize={24} className="script" onPointerEnter={preloadModals} />
      }
    >
      {!isNavigationShown && (
        <>
          {navigation.map(({ label, to, event }) => (
            <MenuLink key={to} render={<Link to={to} onClick={() => track(event)} />}>
              {label}
            </MenuLink>
          ))}
          <MenuSeparator />
        </>
      )}
      {user === null && (
        <>
          <MenuItem onSelect={() => openModal('log-in')}>Sign in</MenuItem>
          <MenuItem onSelect={() => openModal('sign-up')}>Sign up</MenuItem>
          {appEntries(site.appLinks).map(({ label, url }) => (
            <MenuLink key={url} render={<Link to={url} target="_blank" rel="noopener" />}>
              {label}
            </MenuLink>
          ))}
          <MenuSeparator />
        </>
      )}
      <MenuChoice
        label="Theme"
        value={theme}
        options={themes}
        onChange={(chosen) => {
          setTheme(chosen);
          keepTheme(chosen);
          refresh();
        }}
      />
      <MenuSeparator />
      <MenuSwitch
        checked={isDiscreet}
        onChange={(discreet) => {
          setIsDiscreet(discreet);
          keepDiscreet(discreet);
          refresh();
        }}
      >
        Discreet mode
      </MenuSwitch>
    </Menu>
  );
}
