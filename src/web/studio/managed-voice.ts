import type { RouterContextProvider } from 'react-router';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { requestContext, siteContext } from '../context.ts';
import { orNotFound } from '../route-errors.ts';
import { knownUser } from '../workshop/known-user.ts';

/**
 * For the loaders of the Studio's pages: the voice in the address, with the user's rights.
 * @throws a 404 for everybody else
 */
export async function managedVoice(
  context: Readonly<RouterContextProvider>,
  slug: string,
): Promise<{ site: Site; viewer: User; voice: ManagedVoice }> {
  const site = context.get(siteContext);
  const viewer = knownUser(context.get(requestContext).viewer);
  const voice = orNotFound(await site.studio.findManagedVoice(viewer, slug));
  return { site, viewer, voice };
}
