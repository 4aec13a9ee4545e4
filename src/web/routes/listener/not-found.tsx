import { data } from 'react-router';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/not-found';

export function loader() {
  throw data(null, { status: 404 });
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, undefined);
}

export default function NotFound() {
  return null;
}
