import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, redirect } from 'react-router';
import { requestContext, siteContext } from '../../context.ts';
import { latePart } from '../../late-part.tsx';
import { CardFormWait } from '../../membership/card-form-wait.tsx';
import { TipStateView } from '../../membership/tips/tip-state.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import type { Route } from './+types/tip';
import '../../styles/membership.css';

const loadForm = () => import('../../membership/tips/tip-form.tsx');
const DocumentsPage = latePart(
  async () => (await import('../../membership/single-payments/single-documents.tsx')).SingleDocuments,
);

/** The form; with `?tip`, how that tip stands: its giver has just paid, and may have lost the answer. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue, membership } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const { searchParams, search } = new URL(request.url);
  const tipId = searchParams.get('tip');
  const voice = await catalogue.findVoice(params.slug);
  if (viewer.kind === 'user' && tipId !== null) {
    const tip = orNotFound(await membership.refreshTip(viewer.id, tipId));
    const invoices = await membership.findTipInvoices(viewer.id, tip.id);
    return {
      given: {
        tip,
        slug: voice?.slug ?? null,
        thanks: await membership.findTipThanks(tip.voiceId),
        hasInvoice: invoices !== undefined,
      },
      invoices: searchParams.has('invoice') ? invoices : undefined,
      voice: undefined,
    };
  }
  const { id, slug, name, imageURL, takesTips } = orNotFound(voice);
  if (slug !== params.slug) throw redirect(href('/tip/:slug', { slug }) + search, 301);
  const offer = orNotFound(takesTips ? membership.findTipOffer() : undefined);
  return { voice: { id, slug, name, imageURL }, offer };
}

export function meta(args: Route.MetaArgs) {
  const { loaderData } = args;
  const name = loaderData?.voice?.name ?? loaderData?.given?.tip.voiceName ?? '';
  return pageMeta(args, loaderData && { title: t`Tip ${name}`, description: t`A tip to ${name}.`, index: 'no' });
}

export default function TipPage({ loaderData }: Route.ComponentProps) {
  const form = useLoaded(loadForm, true);
  if (loaderData.voice === undefined) {
    const { given, invoices } = loaderData;
    if (invoices !== undefined)
      return <DocumentsPage back={{ to: `?tip=${given.tip.id}`, label: t`Your tip` }} documents={invoices} />;
    return (
      <div className="wrap">
        <TipStateView {...given} />
      </div>
    );
  }
  const { voice, offer } = loaderData;
  const { name } = voice;
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[560px] pt-8">
        <h1 className="text-60 wrap-anywhere" tabIndex={-1}>
          <Trans>Tip {name}</Trans>
        </h1>
        <p className="mt-3 text-soft">
          <Trans>A payment of your choice, once. It unlocks nothing: it is your thanks.</Trans>
        </p>
        <noscript>
          <p className="mt-3 text-soft">
            <Trans>Paying a tip needs JavaScript.</Trans>
          </p>
        </noscript>
        <div className={`noscript:hidden ${form ? '' : 'min-h-svh'}`}>
          {form ? <form.TipForm voice={voice} offer={offer} /> : <CardFormWait />}
        </div>
      </div>
    </div>
  );
}
