import MenuIcon from 'lucide-react/icons/menu';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/layers/menu.tsx';
import type { ShellSite } from './shell-site.ts';

type SiteMenuProps = { site: Pick<ShellSite, 'theme' | 'discreet'> };

const loadItems = () => import('./site-menu-items.tsx');

/** Menu behind the three-line button. Without JavaScript, the footer has the same links. */
export function SiteMenu({ site }: SiteMenuProps) {
  const { key } = useLocation();
  const { preloadModals } = useSession();
  const [theme, setTheme] = useState(site.theme);
  const [isDiscreet, setIsDiscreet] = useState(site.discreet);
  const [saved, setSaved] = useState(site.discreet);
  // Changed on another device, or by a log-in.
  if (saved !== site.discreet) {
    setSaved(site.discreet);
    setIsDiscreet(site.discreet);
  }
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={
        <IconButton
          label="Menu"
          icon={MenuIcon}
          iconSize={24}
          className="noscript:hidden"
          onPointerEnter={preloadModals}
        />
      }
    >
      {(items) => (
        <items.SiteMenuItems theme={theme} setTheme={setTheme} isDiscreet={isDiscreet} setIsDiscreet={setIsDiscreet} />
      )}
    </Menu>
  );
}
