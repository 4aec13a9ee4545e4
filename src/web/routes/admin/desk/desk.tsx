import { t } from '@lingui/core/macro';
import { NavLink, Outlet, href } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { deskTabs } from '#web/admin/desk/desk-tabs.ts';
import { Waiting } from '#web/workshop/side-navigation.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/desk';

export function loader({ context }: Route.LoaderArgs) {
  const { site } = adminViewer(context, 'desk');
  return site.admin.desk.countWaiting();
}

/** Notices and what else moderators decide, with a tab for each. */
export default function AdminDesk({ loaderData: waiting }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead title={t`Desk`} />
      <nav className="subnav" aria-label={t`Desk`}>
        {deskTabs().map(({ to, label, waits }) => (
          <NavLink key={to} to={to} end={to === href('/admin/desk')}>
            {label}
            {waits !== undefined && waiting[waits] > 0 && <Waiting count={waiting[waits]} />}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
