import type { AdminPayment } from '#domain/admin/money/subscriptions.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { invoiceStatusNames } from '#domain/membership/rules.ts';
import { Button } from '../../ui/button.tsx';
import { tableRoles } from '#web/workshop/lists/table-roles.ts';

type PaymentTableProps = { payments: AdminPayment[]; onRefund: (payment: AdminPayment) => void };

const refundStates = { done: 'refunded', asked: 'waits for the payment provider', refused: 'refund refused' };

/** Invoices of a subscription with their refunds, newest first. */
export function PaymentTable({ payments, onRefund }: PaymentTableProps) {
  if (payments.length === 0) return <p className="text-muted">No payments yet.</p>;
  return (
    <table className="tbl tbl--cards" {...tableRoles.table}>
      <caption className="sr-only">Payments, newest first</caption>
      <thead {...tableRoles.group}>
        <tr {...tableRoles.row}>
          <th {...tableRoles.head}>Invoice</th>
          <th {...tableRoles.head} className="r">
            Paid
          </th>
          <th {...tableRoles.head} className="r">
            Refunded
          </th>
          <th {...tableRoles.head} className="s">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody {...tableRoles.group}>
        {payments.map((payment) => {
          const { id, number, invoiceId, status, currency, total, amountPaid, refunded, waiting, period, isDisputed } =
            payment;
          const name = number ?? invoiceId;
          return (
            <tr {...tableRoles.row} key={id}>
              <td {...tableRoles.cell} className="w2">
                <div className="cell">
                  <div>
                    <b className="wrap-anywhere">{name}</b>
                    <small className="tabular-nums">
                      {formatDate(period.start)} – {formatDate(period.end)}
                    </small>
                    {isDisputed && <small>Disputed by the cardholder</small>}
                    {payment.refunds.map((refund) => (
                      <small key={refund.id} className="tabular-nums">
                        {formatMoney(refund.amount, currency)} {refundStates[refund.state]} on {formatDate(refund.at)}:{' '}
                        {refund.reason ?? 'made at the provider'}
                      </small>
                    ))}
                  </div>
                </div>
              </td>
              <td {...tableRoles.cell} className="r tabular-nums" data-l="Paid">
                {status === 'paid'
                  ? formatMoney(amountPaid, currency)
                  : `${invoiceStatusNames[status]}, ${formatMoney(total, currency)}`}
              </td>
              <td {...tableRoles.cell} className="r tabular-nums" data-l="Refunded">
                {refunded + waiting === 0 ? 'Nothing' : formatMoney(refunded + waiting, currency)}
              </td>
              <td {...tableRoles.cell} className="s w2">
                {status === 'paid' && !isDisputed && refunded + waiting < amountPaid && (
                  <Button variant="ghost" size="sm" aria-label={`Refund ${name}`} onClick={() => onRefund(payment)}>
                    Refund
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
