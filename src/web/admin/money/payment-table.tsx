import type { AdminPayment } from '#domain/admin/money/subscriptions.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { invoiceStatusNames } from '#domain/membership/rules.ts';
import { RowActions, RowName, Table } from '#web/workshop/lists/table.tsx';

type PaymentTableProps = { payments: AdminPayment[]; onRefund: (payment: AdminPayment) => void };

const refundStates = { done: 'refunded', asked: 'waits for the payment provider', refused: 'refund refused' };

/** Invoices of a subscription with their refunds, newest first. */
export function PaymentTable({ payments, onRefund }: PaymentTableProps) {
  if (payments.length === 0) return <p className="text-muted">No payments yet.</p>;
  return (
    <Table
      caption="Payments, newest first"
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Invoice',
          kind: 'name',
          isWide: true,
          cell: (payment) => (
            <RowName name={nameOf(payment)}>
              <PaymentNotes payment={payment} />
            </RowName>
          ),
        },
        {
          head: 'Paid',
          kind: 'number',
          cell: ({ status, amountPaid, total, currency }) =>
            status === 'paid'
              ? formatMoney(amountPaid, currency)
              : `${invoiceStatusNames[status]}, ${formatMoney(total, currency)}`,
        },
        {
          head: 'Refunded',
          kind: 'number',
          cell: ({ refunded, waiting, currency }) =>
            refunded + waiting === 0 ? 'Nothing' : formatMoney(refunded + waiting, currency),
        },
        {
          head: 'Actions',
          kind: 'actions',
          isWide: true,
          cell: (payment) =>
            isRefundable(payment) && (
              <RowActions of={nameOf(payment)} actions={[['Refund', () => onRefund(payment)]]} />
            ),
        },
      ]}
    />
  );
}

const nameOf = ({ number, invoiceId }: AdminPayment) => number ?? invoiceId;

function isRefundable({ status, isDisputed, refunded, waiting, amountPaid }: AdminPayment): boolean {
  return status === 'paid' && !isDisputed && refunded + waiting < amountPaid;
}

function PaymentNotes({ payment: { period, isDisputed, refunds, currency } }: { payment: AdminPayment }) {
  return (
    <>
      <small className="tabular-nums">
        {formatDate(period.start)} – {formatDate(period.end)}
      </small>
      {isDisputed && <small>Disputed by the cardholder</small>}
      {refunds.map((refund) => (
        <small key={refund.id} className="tabular-nums">
          {formatMoney(refund.amount, currency)} {refundStates[refund.state]} on {formatDate(refund.at)}:{' '}
          {refund.reason ?? 'made at the provider'}
        </small>
      ))}
    </>
  );
}
