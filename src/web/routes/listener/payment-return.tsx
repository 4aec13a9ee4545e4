import { t } from '@lingui/core/macro';
import { requestContext, siteContext } from '../../context.ts';
import { ownPath } from '#formats/own-path.ts';
import { splitPrefix } from '#formats/languages.ts';
import { latePart } from '../../late-part.tsx';
import { PaymentReturn } from '../../membership/redirect/payment-return.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/payment-return';
import '../../styles/age.css';

const LatePlayButton = latePart(async () => (await import('../../listening/play-button.tsx')).PlayButton);

/** A payment provider leads back to this page. Its address says nothing that is believed: the order's state is. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { membership, catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const query = new URL(request.url).searchParams;
  if (viewer.kind === 'visitor') return null;
  const reference = query.get('order') ?? '';
  const isAsking = query.has('check');
  const checkout = orNotFound(await membership.findCheckout(viewer.id, reference, { isAsking }));
  const to = splitPrefix(ownPath(checkout.returnTo)).path;
  const [, slug] = /^\/audio\/([^/?]+)/.exec(to) ?? [];
  return {
    checkout,
    to,
    now: Date.now(),
    hasLeft: query.get('outcome') === 'closed',
    audio: slug === undefined ? undefined : await catalogue.findSharedAudio(slug),
    subscription: checkout.state === 'paid' ? await membership.findSubscription(viewer.id) : undefined,
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Payment`, description: t`How your payment stands.`, index: 'no' });

export default function PaymentReturnPage({ loaderData }: Route.ComponentProps) {
  if (loaderData === null)
    return (
      <div className="wrap">
        <PaymentReturn shown={null} />
      </div>
    );
  const { audio, ...shown } = loaderData;
  const title = audio?.title ?? '';
  const play = audio && (
    <LatePlayButton audios={[audio]} index={0} source="audio_details" variant="primary" label={t`Play “${title}”`} />
  );
  return (
    <div className="wrap">
      <PaymentReturn shown={{ ...shown, audio: audio && { title, play } }} />
    </div>
  );
}
