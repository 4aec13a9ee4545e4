import { t } from '@lingui/core/macro';
import { requestContext, siteContext } from '../../context.ts';
import { latePart } from '../../late-part.tsx';
import { stateWords } from '../../membership/keeping/state-words.ts';
import { SubscriptionSection } from '../../membership/subscription-section.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useRootData } from '../../root-data.ts';
import type { Route } from './+types/subscription';
import '../../styles/membership.css';

const AccountInvoices = latePart(async () => (await import('../../membership/invoices/payments.tsx')).Payments);

const AtProvider = latePart(async () => (await import('../../membership/redirect/at-provider.tsx')).AtProvider);

const PauseActs = latePart(async () => (await import('../../membership/keeping/pause-acts.tsx')).PauseActs);

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { membership } = context.get(siteContext);
  const [subscription, invoices, former] = await Promise.all([
    membership.findSubscription(viewer.id),
    membership.listInvoices(viewer.id, { limit: invoicesShown }),
    membership.findFormerProvider(viewer.id),
  ]);
  const canSubscribe = subscription.state === 'none' || subscription.state === 'ended';
  // In the invoices, because the code of their part loads late.
  const words = stateWords(subscription, Date.now());
  return { subscription, invoices: { ...invoices, former, canSubscribe }, words };
}

const invoicesShown = 3;

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Subscription`,
    description: t`Your plan, your card and your invoices.`,
    index: 'no',
  });

export default function AccountSubscription({ loaderData }: Route.ComponentProps) {
  const root = useRootData();
  if (loaderData === null) return null;
  const { subscription, invoices, words } = loaderData;
  return (
    <>
      <SubscriptionSection
        AtProvider={AtProvider}
        PauseActs={PauseActs}
        siteName={root?.siteName ?? ''}
        subscription={subscription}
        words={words}
      />
      <AccountInvoices page={invoices} />
    </>
  );
}
