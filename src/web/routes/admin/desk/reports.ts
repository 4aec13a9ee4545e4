import { href, redirect } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import type { Route } from './+types/reports';

/** Reports were a page of their own before the desk. */
export function loader({ context, url }: Route.LoaderArgs) {
  adminViewer(context, 'desk');
  const isDecided = url.searchParams.get('show') === 'decided';
  throw redirect(
    isDecided ? `${href('/admin/desk/decided')}?of=comments` : `${href('/admin/desk/notices')}${url.search}`,
    301,
  );
}
