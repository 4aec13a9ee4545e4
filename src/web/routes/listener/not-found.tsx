import { data, href, redirect } from 'react-router';
import { siteContext } from '../../context.ts';
import { metaOf } from '../../page-meta.ts';
import type { Route } from './+types/not-found';

/** A page of a former host may be an audio now. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const slug = await context.get(siteContext).catalogue.findOldPath(new URL(request.url).pathname);
  if (slug !== undefined) throw redirect(href('/audio/:slug', { slug }), 301);
  throw data(null, { status: 404 });
}

export const meta = metaOf(undefined);

export default function NotFound() {
  return null;
}
