import { data } from 'react-router';
import { metaOf } from '../../page-meta.ts';

export function loader() {
  throw data(null, { status: 404 });
}

export const meta = metaOf(undefined);

export default function NotFound() {
  return null;
}
