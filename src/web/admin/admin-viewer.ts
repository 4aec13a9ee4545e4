import { href, redirect } from 'react-router';
import type { RouterContextProvider } from 'react-router';
import { canAdminister, isOperator } from '#domain/admin/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { requestContext, siteContext } from '../context.ts';
import { orNotFound } from '../route-errors.ts';

/**
 * For the loaders of Admin's pages.
 * @throws a 404 for everybody but operators; leads those to the second factor whose session has not passed it
 */
export function adminViewer(context: Readonly<RouterContextProvider>): { site: Site; viewer: User } {
  const { viewer } = context.get(requestContext);
  const operator = orNotFound(viewer.kind === 'user' && isOperator(viewer) ? viewer : undefined);
  if (!canAdminister(operator)) throw redirect(href('/admin/second-factor'));
  return { site: context.get(siteContext), viewer: operator };
}
