import { t } from '@lingui/core/macro';
import { href, useLocation } from 'react-router';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { menuOf } from '../../admin/menu.ts';
import { pageMeta } from '../../page-meta.ts';
import { readPageRequest } from '../../workshop/page-request.ts';
import { OrSessionEnd } from '../../workshop/session-end.tsx';
import { WorkshopError } from '../../workshop/workshop-error.tsx';
import { WorkshopPages } from '../../workshop/workshop-pages.tsx';
import type { Route } from './+types/pages';

export function loader({ context }: Route.LoaderArgs) {
  adminViewer(context, 'desk');
  return readPageRequest(context);
}

/** With each page, so that the number belongs to its request. */
export function shouldRevalidate() {
  return true;
}

/** Pages in the menu have its names. */
export function meta(args: Route.MetaArgs) {
  const { pathname } = args.location;
  const link = menuOf(0)
    .flatMap(({ links }) => links)
    .find(({ to }) => pathname.toLowerCase() === to || (to === href('/admin/desk') && pathname.startsWith(`${to}/`)));
  const title = link === undefined || link.to === href('/admin') ? t`Admin` : link.label;
  return pageMeta(args, { title, description: t`Admin`, index: 'no' });
}

/** By its address, so that input and dialogs of one page do not appear on another of the same kind. */
export default function AdminPages() {
  return <WorkshopPages key={useLocation().pathname} />;
}

export function ErrorBoundary({ loaderData }: Route.ErrorBoundaryProps) {
  return (
    <OrSessionEnd>
      <WorkshopError request={loaderData} home={href('/admin')} />
    </OrSessionEnd>
  );
}
