import { type RouterContextProvider, href, redirect } from 'react-router';
import { type AdminPart, isOperator, mayUse } from '#domain/admin/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { requestContext, siteContext } from '../context.ts';
import { orNotFound } from '../route-errors.ts';
import { knownUser } from '../workshop/known-user.ts';
import { adminAddress } from './admin-address.ts';

/**
 * For the loaders of Admin's pages.
 * @param part whose roles may open the page
 * @throws a 404 for everybody else; redirects sessions without the second factor to it
 */
export function adminViewer(
  context: Readonly<RouterContextProvider>,
  part: AdminPart = 'everything',
): { site: Site; viewer: User } {
  const user = knownUser(context.get(requestContext).viewer);
  const operator = orNotFound(isOperator(user) ? user : undefined);
  if (operator.adminStep !== undefined) throw redirect(secondFactorFor(undefined));
  return { site: context.get(siteContext), viewer: orNotFound(mayUse(operator, part) ? operator : undefined) };
}

/**
 * For a middleware, which knows the address to open after the second factor. The loaders throw the 404: from a
 * middleware it would also drop the root's data, and with it the player.
 */
export function askSecondFactor(context: Readonly<RouterContextProvider>, wanted: string): void {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'user' && viewer.adminStep !== undefined) throw redirect(secondFactorFor(wanted));
}

function secondFactorFor(wanted: string | undefined): string {
  const to = adminAddress(wanted);
  return to === href('/admin')
    ? href('/admin/second-factor')
    : `${href('/admin/second-factor')}?${new URLSearchParams({ to })}`;
}
