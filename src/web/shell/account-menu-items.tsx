import { Trans } from '@lingui/react/macro';
import AudioLines from 'lucide-react/icons/audio-lines';
import LogOut from 'lucide-react/icons/log-out';
import Settings2 from 'lucide-react/icons/settings-2';
import Smartphone from 'lucide-react/icons/smartphone';
import UserRound from 'lucide-react/icons/user-round';
import { href, Link } from 'react-router';
import { leave } from '../identity/leave.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useRootData } from '../root-data.ts';
import { MenuItem, MenuLink, MenuSeparator } from '../ui/layers/menu-items.tsx';

export function AccountMenuItems() {
  const { logOut, openModal } = useSession();
  const { viewer, user } = useRootData() ?? {};
  const hasStudio = viewer?.kind === 'user' && viewer.voiceRoles !== undefined;
  return (
    <>
      <MenuLink icon={UserRound} render={<Link to="/account" />}>
        <Trans>Account</Trans>
      </MenuLink>
      {hasStudio && (
        <MenuLink icon={AudioLines} render={<Link to={href('/studio')} />}>
          <Trans>Studio</Trans>
        </MenuLink>
      )}
      {(user?.isAdmin || user?.isModerator) && (
        <MenuLink icon={Settings2} render={<Link to={href('/admin')} />}>
          <Trans>Admin</Trans>
        </MenuLink>
      )}
      <MenuItem icon={Smartphone} onSelect={() => openModal('app')}>
        <Trans>Download our app</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void leave(logOut)}>
        <Trans>Log out</Trans>
      </MenuItem>
    </>
  );
}
