import { href } from 'react-router';
import { readPageRequest } from '../../workshop/page-request.ts';
import { OrSessionEnd } from '../../workshop/session-end.tsx';
import { WorkshopError } from '../../workshop/workshop-error.tsx';
import { WorkshopPages } from '../../workshop/workshop-pages.tsx';
import type { Route } from './+types/pages';

export function loader({ context }: Route.LoaderArgs) {
  return readPageRequest(context);
}

/** With each page, so that the number belongs to its request. */
export function shouldRevalidate() {
  return true;
}

export default function StudioPages() {
  return <WorkshopPages />;
}

export function ErrorBoundary({ loaderData, params }: Route.ErrorBoundaryProps) {
  return (
    <OrSessionEnd>
      <WorkshopError request={loaderData} home={href('/studio/:voice', { voice: params.voice })} />
    </OrSessionEnd>
  );
}
