import { href, redirect } from 'react-router';
import { requestContext, siteContext } from '../../context.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/start';

/** Redirects to the user's first voice. Users without a voice see no Studio. */
export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  const [first] = viewer.kind === 'user' ? await context.get(siteContext).studio.listManagedVoices(viewer) : [];
  throw redirect(href('/studio/:voice', { voice: orNotFound(first).slug }));
}

export default function StudioStart() {
  return null;
}
