import { t } from '@lingui/core/macro';
import { href, Link, useRevalidator } from 'react-router';
import { requestContext, siteContext } from '../../context.ts';
import { SingleDocuments } from '../../membership/single-payments/single-documents.tsx';
import { giftCardTags, giftCardWords } from '../../membership/gift-cards/gift-card-words.ts';
import { formatMoney } from '#formats/numbers.ts';
import { monthsOf } from '../../membership/wording.ts';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/gift-card-bought';
import '../../styles/membership.css';

/**
 * Asks the payment provider: the buyer has just paid, and may have lost the response. With `?invoice`, it shows that: an
 * address of its own would be in each page's first load.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  const viewerId = viewer.kind === 'user' ? viewer.id : undefined;
  const { membership } = context.get(siteContext);
  const giftCard = orNotFound(await membership.refreshGiftCard(params.id, viewerId));
  const invoices = await membership.findGiftInvoices(params.id, viewerId);
  const isInvoice = new URL(request.url).searchParams.has('invoice');
  return { giftCard, hasInvoice: invoices !== undefined, invoices: isInvoice ? invoices : undefined, now: Date.now() };
}

export function meta(args: Route.MetaArgs) {
  const page = { title: t`Your gift card`, description: t`The state of a gift card.`, index: 'no' } as const;
  return pageMeta(args, args.loaderData === undefined ? undefined : page);
}

export default function GiftCardBought({ loaderData }: Route.ComponentProps) {
  const { giftCard, hasInvoice, invoices, now } = loaderData;
  const { revalidate, state } = useRevalidator();
  const { title, text } = giftCardWords(giftCard, now);
  if (invoices !== undefined) {
    const back = { to: href('/gift-card/:id', { id: giftCard.id }), label: t`Your gift card` };
    return <SingleDocuments back={back} documents={invoices} />;
  }
  const isWaiting = giftCard.state === 'awaiting-payment';
  return (
    <div className="wrap">
      <EmptyState of="page" title={title} text={text}>
        {isWaiting && (
          <Button
            variant="primary"
            busy={state === 'loading' ? t`Looking…` : undefined}
            onClick={() => void revalidate()}
          >
            {t`Check again`}
          </Button>
        )}
        <Button variant={isWaiting ? 'ghost' : 'primary'} render={<Link to={href('/gift-card')} />}>
          {t`Give another gift card`}
        </Button>
      </EmptyState>
      <p className="tabular-nums mt-6 text-center text-14 text-muted">
        {monthsOf(giftCard.months)}, {formatMoney(giftCard.amount, giftCard.currency)}. {giftCardTags()[giftCard.state]}
        .{' '}
        {hasInvoice && (
          <Link className="ulink" to="?invoice">
            {t`Invoice`}
          </Link>
        )}
      </p>
    </div>
  );
}
