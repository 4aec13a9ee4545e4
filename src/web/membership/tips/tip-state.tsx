import { t } from '@lingui/core/macro';
import { href, Link, useRevalidator } from 'react-router';
import type { TipState } from '#domain/membership/tips/rules.ts';
import type { Tip } from '#domain/membership/tips/shapes.ts';
import { formatMoney } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Plain } from '../plain.ts';

type TipStateProps = {
  tip: Plain<Tip>;
  /** Null: the creator has no page any more. */
  slug: string | null;
  /** The creator’s own words; empty: none. */
  thanks: string;
  hasInvoice: boolean;
};

/** How a tip stands, for whoever has given it. */
export function TipStateView({ tip, slug, thanks, hasInvoice }: TipStateProps) {
  const { revalidate, state: loading } = useRevalidator();
  const { voiceName: name, state } = tip;
  const amount = formatMoney(tip.amount, tip.currency);
  const words: Record<TipState, { title: string; text: string }> = {
    waiting: {
      title: t`Waiting for the payment`,
      text: t`Your tip of ${amount} to ${name} is not paid yet.`,
    },
    paid: { title: t`Thank you`, text: t`Your tip of ${amount} went to ${name}.` },
    disputed: { title: t`Thank you`, text: t`Your tip of ${amount} went to ${name}.` },
    refunded: { title: t`Refunded`, text: t`Your tip of ${amount} to ${name} was refunded.` },
  };
  const isWaiting = state === 'waiting';
  return (
    <>
      <EmptyState of="page" {...words[state]}>
        {isWaiting && (
          <Button
            variant="primary"
            busy={loading === 'loading' ? t`Looking…` : undefined}
            onClick={() => void revalidate()}
          >
            {t`Check again`}
          </Button>
        )}
        {slug !== null && (
          <Button variant={isWaiting ? 'ghost' : 'primary'} render={<Link to={href('/creators/:slug', { slug })} />}>
            {t`Back to ${name}`}
          </Button>
        )}
      </EmptyState>
      {state === 'paid' && thanks !== '' && (
        <blockquote className="mx-auto mt-6 max-w-[60ch] text-center text-soft wrap-anywhere" dir="auto">
          {thanks}
        </blockquote>
      )}
      {hasInvoice && (
        <p className="mt-6 text-center text-14">
          <Link className="link" to={`?tip=${tip.id}&invoice`}>
            {t`Invoice`}
          </Link>
        </p>
      )}
    </>
  );
}
