import { toHex } from '#formats/hex.ts';
import { useState } from 'react';
import type { AdminPayment } from '#domain/admin/money/subscriptions.ts';
import { formatMoney } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { centsOf, toTyped } from './cents.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import type { useCall } from '../use-call.ts';

type RefundDialogProps = { payment: AdminPayment; money: ReturnType<typeof useCall>; onClose: () => void };

/** Refunds all or a part; suggests what is left. Open while rendered. */
export function RefundDialog({ payment, money, onClose }: RefundDialogProps) {
  const { id, number, amountPaid, currency } = payment;
  // Value when the dialog opened: a refund by another operator since is a conflict.
  const [seen] = useState(payment.refunded + payment.waiting);
  const [key] = useState(newKey);
  const left = amountPaid - seen;
  const [typed, setTyped] = useState(toTyped(left));
  const amount = centsOf(typed);
  const isRight = amount !== undefined && amount > 0 && amount <= left;
  return (
    <ReasonDialog
      title={`Refund ${number === null ? 'a payment' : `invoice ${number}`}`}
      consequences={`Refunded to the card that was charged. ${formatMoney(left, currency)} of ${formatMoney(amountPaid, currency)} can be refunded. The subscription continues.`}
      verb={isRight ? `Refund ${formatMoney(amount, currency)}` : 'Refund'}
      isBusy={money.isBusy}
      isReady={isRight}
      onClose={onClose}
      onConfirm={async (reason) => {
        if (!isRight) return;
        const json = { key, amount, seen, reason };
        const done = await money.call(
          'act',
          () => answerOf(api.admin.payments[':id'].refund.$post({ param: { id }, json })),
          { done: `${formatMoney(amount, currency)} refunded` },
        );
        if (done !== undefined) onClose();
      }}
    >
      <Field
        label={`Amount in ${currency.toUpperCase()}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={typed === '' || isRight ? undefined : `Enter an amount up to ${toTyped(left)}`}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

/** A random UUID (RFC 9562, version 4); `crypto.randomUUID` exists only in secure contexts. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = toHex(bytes);
  const variant = '89ab'[(bytes[8] ?? 0) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
