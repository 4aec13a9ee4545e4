import type { ReactElement } from 'react';
import { useLocation } from 'react-router';
import { Menu } from '#web/ui/layers/menu.tsx';

const loadItems = () => import('./player-menu-items.tsx');

/** Speed, stopping, keys, and the controls that do not fit. @param props.trigger a button, which opens it */
export function PlayerSettings({ trigger, place }: { trigger: ReactElement; place: 'bar' | 'expanded' }) {
  const { key } = useLocation();
  return (
    <Menu closeKey={key} load={loadItems} trigger={trigger}>
      {(items) => <items.PlayerMenuItems place={place} />}
    </Menu>
  );
}
