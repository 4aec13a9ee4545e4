import { href } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { readPageRequest } from '#web/workshop/page-request.ts';
import { WorkshopError } from '#web/workshop/workshop-error.tsx';
import { WorkshopPages } from '#web/workshop/workshop-pages.tsx';
import type { Route } from './+types/admin-pages';

export function loader({ context }: Route.LoaderArgs) {
  adminViewer(context);
  return readPageRequest(context);
}

/** With each page, so that the number is that of its request. */
export function shouldRevalidate() {
  return true;
}

export default function AdminPages() {
  return <WorkshopPages />;
}

export function ErrorBoundary({ loaderData }: Route.ErrorBoundaryProps) {
  return <WorkshopError request={loaderData} home={href('/admin')} />;
}
