import MenuIcon from 'lucide-react/icons/menu';
import { useState } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator, MenuSwitch } from '../ui/menu.tsx';
import { useIsDesktop } from '../ui/use-media-query.ts';
import { keepDiscreet } from './discreet.ts';
import { navigation } from './navigation.ts';
import type { ShellSite } from './shell.tsx';
import { keepTheme, themes } from './theme.ts';

type SiteMenuProps = {
  site: Pick<ShellSite, 'appLinks' | 'theme' | 'discreet'>;
  onLogIn: () => void;
  onGetStarted: () => void;
};

/** Behind the three lines. Needs script; without, the foot of the page has the links. */
export function SiteMenu({ site, onLogIn, onGetStarted }: SiteMenuProps) {
  const { key } = useLocation();
  const { revalidate } = useRevalidator();
  const isNavigationShown = useIsDesktop();
  const [theme, setTheme] = useState(site.theme);
  const [isDiscreet, setIsDiscreet] = useState(site.discreet);
  const apps = appEntries(site.appLinks);

  return (
    <Menu closeKey={key} trigger={<IconButton label="Menu" icon={MenuIcon} iconSize={24} className="script" />}>
      {!isNavigationShown && (
        <>
          {navigation.map(({ label, to }) => (
            <MenuLink key={to} render={<Link to={to} />}>
              {label}
            </MenuLink>
          ))}
          <MenuSeparator />
        </>
      )}
      <MenuItem onSelect={onLogIn}>Sign in</MenuItem>
      <MenuItem onSelect={onGetStarted}>Sign up</MenuItem>
      {apps.map(({ label, url }) => (
        <MenuLink key={url} render={<Link to={url} rel="noopener" />}>
          {label}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={theme}
        options={themes}
        onChange={(chosen) => {
          setTheme(chosen);
          keepTheme(chosen);
          void revalidate();
        }}
      />
      <MenuSeparator />
      <MenuSwitch
        checked={isDiscreet}
        onChange={(discreet) => {
          setIsDiscreet(discreet);
          keepDiscreet(discreet);
          void revalidate();
        }}
      >
        Discreet mode
      </MenuSwitch>
    </Menu>
  );
}

/** Nothing where the site has no app. */
function appEntries({ ios, android }: ShellSite['appLinks']): { label: string; url: string }[] {
  const label = 'Download our app';
  if (ios && android) {
    return [
      { label: `${label} for iPhone`, url: ios },
      { label: `${label} for Android`, url: android },
    ];
  }
  const url = ios ?? android;
  return url ? [{ label, url }] : [];
}
