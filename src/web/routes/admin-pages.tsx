import { Outlet } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { requestContext } from '#web/context.ts';
import { WorkshopError } from '#web/workshop/workshop-error.tsx';
import type { Route } from './+types/admin-pages';

/** Names the request of a page that fails, since a page learns nothing of its own headers. */
export function loader({ context }: Route.LoaderArgs) {
  adminViewer(context);
  return { requestId: context.get(requestContext).requestId, asOf: new Date().toISOString() };
}

/** With each page, so that the number is that of its request. */
export function shouldRevalidate() {
  return true;
}

export default function AdminPages() {
  return <Outlet />;
}

export function ErrorBoundary({ loaderData }: Route.ErrorBoundaryProps) {
  return <WorkshopError request={loaderData} />;
}
