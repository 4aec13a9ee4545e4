import { toDecimalText } from '#formats/currency-decimals.ts';
import { administratorsOnly } from '../admin/administrators-only.ts';
import { nameOf, subjectOf } from '../admin/money/payout-changes.ts';
import { recordByOperator } from '../admin/record.ts';
import type { Actor } from '../kernel/actor.ts';
import { csvLine } from '../kernel/csv.ts';
import type { Db } from '../kernel/db.ts';
import { openPayee, readNamedPayees } from '../studio/payees/sealed-payees.ts';
import { listBalances } from './balances.ts';

const heads = [
  'Month',
  'Creator',
  'Id',
  'Amount',
  'Currency',
  'Due',
  'Payee',
  'Kind',
  'Address',
  'Country',
  'IBAN',
  'BIC',
  'Other account',
  'VAT ID',
  'Tax number',
  'Tax form',
];

/**
 * Payments that are due for a locked month, with the bank and tax data of those who get it: the one place where operators
 * read them. Logged. @returns undefined for a month that is not locked
 */
export async function exportPayees(
  { db, secret }: { db: Db; secret: string },
  actor: Actor,
  month: string,
): Promise<string | undefined> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    const balances = await listBalances(tx, actor, month);
    if (balances === undefined) return undefined;
    const due = balances.items.filter(({ state }) => state === 'due');
    const named = await readNamedPayees(tx, [...new Set(due.map(({ voice }) => voice.id))]);
    const lines = due.map(({ voice, due: amount, currency }) => {
      const one = named.get(voice.id);
      const payee = one && openPayee(secret, one);
      const account = payee?.account ?? { account: '' };
      return [
        month,
        voice.name,
        voice.id,
        toDecimalText(amount, currency),
        currency.toUpperCase(),
        balances.dueOn,
        ...(payee === undefined
          ? [null, null, null, null]
          : [payee.name, payee.kind, payee.address.replaceAll('\n', ', '), payee.country]),
        ...('iban' in account ? [account.iban, account.bic, null] : [null, null, account.account]),
        ...(payee === undefined ? [null, null, null] : [payee.vatId, payee.taxNumber, payee.taxForm]),
      ];
    });
    await recordByOperator(tx, actor, {
      action: 'payout.export-payees',
      subject: { ...subjectOf(month), name: nameOf(month) },
      after: { payments: due.length, payees: named.size },
    });
    return [heads, ...lines].map(csvLine).join('');
  });
}
