import LogOut from 'lucide-react/icons/log-out';
import Smartphone from 'lucide-react/icons/smartphone';
import UserRound from 'lucide-react/icons/user-round';
import { Link } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { MenuItem, MenuLink, MenuSeparator } from '../ui/menu-items.tsx';

export function AccountMenuItems() {
  const { logOut, openModal } = useSession();
  return (
    <>
      <MenuLink icon={UserRound} render={<Link to="/account" />}>
        Account
      </MenuLink>
      <MenuItem icon={Smartphone} onSelect={() => openModal('app')}>
        Download our app
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void logOut()}>
        Log out
      </MenuItem>
    </>
  );
}
