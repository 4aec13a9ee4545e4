import { href, redirect } from 'react-router';
import type { RouterContextProvider } from 'react-router';
import { canAdminister, isOperator } from '#domain/admin/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { requestContext, siteContext } from '../context.ts';
import { orNotFound } from '../route-errors.ts';
import { adminAddress } from './admin-address.ts';

/**
 * For the loaders of Admin's pages.
 * @throws a 404 for everybody but operators; leads those to the second factor whose session has not passed it
 * @param wanted address that is opened after the second factor
 */
export function adminViewer(context: Readonly<RouterContextProvider>, wanted?: string): { site: Site; viewer: User } {
  const { viewer } = context.get(requestContext);
  const operator = orNotFound(viewer.kind === 'user' && isOperator(viewer) ? viewer : undefined);
  if (!canAdminister(operator)) throw redirect(secondFactorFor(wanted));
  return { site: context.get(siteContext), viewer: operator };
}

function secondFactorFor(wanted: string | undefined): string {
  const to = adminAddress(wanted);
  return to === href('/admin')
    ? href('/admin/second-factor')
    : `${href('/admin/second-factor')}?${new URLSearchParams({ to })}`;
}
