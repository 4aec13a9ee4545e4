import type { RouterContextProvider } from 'react-router';
import { canAdminister } from '#domain/admin/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { requestContext, siteContext } from '../context.ts';
import { orNotFound } from '../route-errors.ts';

/**
 * For the loaders of Admin's pages.
 * @throws a 404 for everybody but operators
 */
export function adminViewer(context: Readonly<RouterContextProvider>): { site: Site; viewer: User } {
  const { viewer } = context.get(requestContext);
  const admin = orNotFound(viewer.kind === 'user' && canAdminister(viewer) ? viewer : undefined);
  return { site: context.get(siteContext), viewer: admin };
}
