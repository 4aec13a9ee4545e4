import { href, useLocation } from 'react-router';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { ListAge } from '../../admin/list-age.tsx';
import { readPageRequest } from '../../workshop/page-request.ts';
import { OrSessionEnd } from '../../workshop/session-end.tsx';
import { WorkshopError } from '../../workshop/workshop-error.tsx';
import { WorkshopPages } from '../../workshop/workshop-pages.tsx';
import type { Route } from './+types/pages';

export function loader({ context }: Route.LoaderArgs) {
  adminViewer(context);
  return readPageRequest(context);
}

/** With each page, so that the number belongs to its request. */
export function shouldRevalidate() {
  return true;
}

/** Pages with lists that others change meanwhile. */
const lists = [
  href('/admin/reports'),
  href('/admin/audios'),
  href('/admin/voices'),
  href('/admin/series'),
  href('/admin/playlists'),
  href('/admin/tags'),
  href('/admin/articles'),
  href('/admin/users'),
  href('/admin/promo-codes'),
  href('/admin/gift-cards'),
  href('/admin/subscriptions'),
  href('/admin/webhook-events'),
  href('/admin/log'),
];

export default function AdminPages({ loaderData: { asOf } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  return (
    <>
      <WorkshopPages />
      {lists.some((list) => list === pathname) && <ListAge asOf={asOf} />}
    </>
  );
}

export function ErrorBoundary({ loaderData }: Route.ErrorBoundaryProps) {
  return (
    <OrSessionEnd>
      <WorkshopError request={loaderData} home={href('/admin')} />
    </OrSessionEnd>
  );
}
