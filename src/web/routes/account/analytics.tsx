import { t } from '@lingui/core/macro';
import { requestContext, siteContext } from '../../context.ts';
import { ConsentChoice } from '../../analytics/consent-choice.tsx';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/analytics';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { facts, analytics } = context.get(siteContext);
  return { consent: await analytics.findConsent(viewer.id), isForwarding: facts.isForwarding ?? false };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Analytics`,
    description: t`Whether usage data is linked to your account.`,
    index: 'no',
  });

export default function Analytics({ loaderData }: Route.ComponentProps) {
  return loaderData && <ConsentChoice {...loaderData} />;
}
