import { t } from '@lingui/core/macro';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useLocation } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { useSession } from '../identity/session-provider.tsx';
import { Avatar } from '../ui/images/avatar.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Menu } from '../ui/layers/menu.tsx';

const loadItems = () => import('./account-menu-items.tsx');

export function AccountMenu({ user }: { user: Me }) {
  const { key } = useLocation();
  const { preloadModals } = useSession();
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded-full p-0.5 hover:bg-raised noscript:hidden data-popup-open:bg-raised md:py-1 md:pe-2 md:ps-1"
          data-account-menu
          aria-label={t`Account menu`}
          onPointerEnter={preloadModals}
        >
          <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
          <Icon of={ChevronDown} size={18} className="max-md:hidden" />
        </button>
      }
      header={
        <>
          <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
          <p className="min-w-0 flex-1 truncate font-semibold">{user.username ?? user.email}</p>
        </>
      }
    >
      {(items) => <items.AccountMenuItems />}
    </Menu>
  );
}
