import { href, redirect } from 'react-router';
import type { Route } from './+types/reports';

/** Reports were a page of their own before the desk. */
export function loader({ url }: Route.LoaderArgs) {
  const isDecided = url.searchParams.get('show') === 'decided';
  throw redirect(
    isDecided ? `${href('/admin/desk/decided')}?of=comments` : `${href('/admin/desk/notices')}${url.search}`,
    301,
  );
}
