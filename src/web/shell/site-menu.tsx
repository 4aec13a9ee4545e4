import { t } from '@lingui/core/macro';
import MenuIcon from 'lucide-react/icons/menu';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { preferenceNames } from '#domain/identity/preference-rules.ts';
import { useSession } from '../identity/session-provider.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/layers/menu.tsx';
import type { ShellSite } from './shell-site.ts';

type SiteMenuProps = { site: Pick<ShellSite, 'theme' | 'preferences'> };

const loadItems = () => import('./site-menu-items.tsx');

/** Menu behind the three-line button. Without JavaScript, the footer has the same links. */
export function SiteMenu({ site }: SiteMenuProps) {
  const { key } = useLocation();
  const { preloadModals } = useSession();
  const [theme, setTheme] = useState(site.theme);
  const [preferences, setPreferences] = useState(site.preferences);
  const [saved, setSaved] = useState(site.preferences);
  if (saved !== site.preferences) {
    setSaved(site.preferences);
    // Changed on another device, or by a log-in.
    if (preferenceNames.some((name) => saved[name] !== site.preferences[name])) setPreferences(site.preferences);
  }
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={
        <IconButton
          label={t`Menu`}
          icon={MenuIcon}
          iconSize={24}
          className="noscript:hidden"
          onPointerEnter={preloadModals}
        />
      }
    >
      {(items) => <items.SiteMenuItems {...{ theme, setTheme, preferences, setPreferences }} />}
    </Menu>
  );
}
