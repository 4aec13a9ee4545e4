import ChevronDown from 'lucide-react/icons/chevron-down';
import LogOut from 'lucide-react/icons/log-out';
import Smartphone from 'lucide-react/icons/smartphone';
import UserRound from 'lucide-react/icons/user-round';
import { Link, useLocation } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { useSession } from '../identity/session-provider.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/menu.tsx';
import { appEntries } from './app-entries.ts';
import type { ShellSite } from './shell.tsx';

/** Of whoever is logged in. */
export function AccountMenu({ user, appLinks }: { user: Me; appLinks: ShellSite['appLinks'] }) {
  const { key } = useLocation();
  const { logOut } = useSession();
  const apps = appEntries(appLinks);
  return (
    <Menu
      closeKey={key}
      trigger={
        <button type="button" className="hd__av script" aria-label="Account menu">
          <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
          <Icon of={ChevronDown} size={18} className="d-only" />
        </button>
      }
      header={
        <>
          <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
          <p className="trunc grow font-semibold">{user.username ?? user.email}</p>
        </>
      }
    >
      <MenuLink icon={UserRound} render={<Link to="/account" />}>
        Account
      </MenuLink>
      {apps.map(({ label, url }) => (
        <MenuLink key={url} icon={Smartphone} render={<Link to={url} target="_blank" rel="noopener" />}>
          {label}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void logOut()}>
        Log out
      </MenuItem>
    </Menu>
  );
}
