import { t } from '@lingui/core/macro';
import Banknote from 'lucide-react/icons/banknote';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { lastPool, maxTermDays } from '#domain/admin/rules.ts';
import type { Balance, Balances } from '#domain/earnings/balances.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { useCall } from '../use-call.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { saveFile } from '#web/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { Form } from '#web/workshop/form.tsx';
import { RowName, Table } from '#web/workshop/lists/table.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { amountOf, toTyped } from './typed-amount.ts';

/** Sums that are due to creators up to a locked month, and payments. */
export function BalancesPane({ month, balances, currency }: { month: string; balances: Balances; currency: string }) {
  const { items, minimums, minimumRevision, dueOn, termDays, termRevision } = balances;
  const [paying, setPaying] = useState<Balance>();
  return (
    <section className="mt-7" aria-labelledby="payments">
      <div className="workshop-section__head">
        <h2 id="payments">{t`Payments`}</h2>
        <p>
          {t`What is due to each creator, with what was carried over. The money itself is sent elsewhere.`}
          {dueOn !== null && <> {t`Due on ${{ day: formatDate(dueOn) }}.`}</>}
        </p>
        {items.some(({ state }) => state === 'due') && <PayeesDownload month={month} />}
      </div>
      {items.length === 0 ? (
        <EmptyState
          title={t`Nothing is due`}
          text={t`Creators with an amount in this month or before are listed here.`}
        />
      ) : (
        <div className="pane pane--flush">
          <Table
            caption={t`Payments`}
            rows={items}
            keyOf={({ voice, currency: code }) => `${voice.id} ${code}`}
            columns={[
              {
                head: t`Creator`,
                isBare: true,
                isWide: true,
                cell: ({ voice }) => (
                  <RowName picture={<Cover imageUrl={voice.imageUrl} shape="circle" size={36} />} name={voice.name} />
                ),
              },
              {
                head: t`Due`,
                kind: 'number',
                cell: ({ due, payment, currency: code }) => formatMoney(payment?.amount ?? due, code),
              },
              { head: t`State`, cell: (row) => <BalanceMark balance={row} /> },
              { head: t`Payee`, cell: ({ payeeSince }) => <PayeeMark since={payeeSince} /> },
              {
                head: t`Payment`,
                kind: 'actions',
                cell: (row) =>
                  row.state === 'due' && (
                    <Button
                      size="sm"
                      aria-label={t`Mark as paid: ${{ name: row.voice.name }}`}
                      onClick={() => setPaying(row)}
                    >
                      {t`Mark as paid`}
                    </Button>
                  ),
              },
            ]}
          />
        </div>
      )}
      <MinimumForm
        key={`${currency} ${minimumRevision}`}
        currency={currency}
        minimum={minimums[currency] ?? 0}
        revision={minimumRevision}
      />
      <TermForm key={`term ${termRevision}`} days={termDays} revision={termRevision} />
      {paying !== undefined && <PayDialog month={month} balance={paying} onClose={() => setPaying(undefined)} />}
    </section>
  );
}

function BalanceMark({ balance: { state, payment } }: { balance: Balance }) {
  if (payment !== null)
    return (
      <span className="inline-flex flex-wrap items-center gap-2">
        <StateMark icon={Check} tone="ok">
          {t({ message: 'Paid', context: 'month' })} <LocalTime at={payment.paidAt} style="date" />
        </StateMark>
        <span className="text-13 text-muted wrap-anywhere">{payment.reference}</span>
      </span>
    );
  if (state === 'due') return <StateMark icon={Banknote} tone="accent" text={t`Due`} />;
  return <StateMark icon={Clock} text={state === 'carried' ? t`Carried over` : t`Nothing is due`} />;
}

function PayeeMark({ since }: { since: Date | string | null }) {
  return since === null ? (
    <StateMark icon={CircleAlert} tone="bad" text={t({ message: 'Missing', context: 'payee' })} />
  ) : (
    <StateMark icon={Check} tone="ok">
      {t({ message: 'Entered', context: 'payee' })} <LocalTime at={since} style="date" />
    </StateMark>
  );
}

/** The file for the bank, with the data of those who are paid. */
function PayeesDownload({ month }: { month: string }) {
  const { call, isBusy } = useCall();

  async function load(): Promise<Answer<Blob>> {
    const file = await api.admin.payouts[':month'].payees.$get({ param: { month } });
    if (file.ok) return { ok: true, data: await file.blob() };
    const refused = await answerOf(Promise.resolve(file));
    return refused.ok ? { ok: true, data: new Blob() } : refused;
  }

  async function download(): Promise<void> {
    const answer = await call('payees', load, { done: t`Downloaded. The log says so.` });
    if (answer !== undefined) saveFile(answer.data, `payees-${month}.csv`);
  }

  return (
    <Button size="sm" busy={isBusy ? t`Working…` : undefined} onClick={() => void download()}>
      <Icon of={Download} size={16} />
      {t`Payments with bank data (CSV)`}
    </Button>
  );
}

function PayDialog({ month, balance, onClose }: { month: string; balance: Balance; onClose: () => void }) {
  const { voice, currency, due, payeeSince } = balance;
  const { call } = useCall();
  const [reference, setReference] = useState('');
  const [withoutPayee, setWithoutPayee] = useState(false);
  const amount = formatMoney(due, currency);
  const { name } = voice;
  return (
    <FormDialog
      title={t`${name} was paid ${amount}`}
      description={t`The creator sees the date and the reference. This cannot be undone; a correction in a later month can make up for it.`}
      verb={t`Mark as paid`}
      isReady={reference.trim() !== '' && (payeeSince !== null || withoutPayee)}
      onClose={onClose}
      onSubmit={() =>
        call(
          'act',
          () =>
            api.admin.payouts[':month'].payments.$post({
              param: { month },
              json: {
                voiceId: voice.id,
                currency,
                amount: due,
                reference: reference.trim(),
                ...(withoutPayee && { withoutPayee }),
              },
            }),
          { done: t`${name} is marked as paid` },
        )
      }
    >
      <Field
        label={t`Reference of the payment`}
        autoComplete="off"
        maxLength={120}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      {payeeSince === null && (
        <CheckBox checked={withoutPayee} onChange={({ target }) => setWithoutPayee(target.checked)}>
          {t`The payee is missing. Our own books say who got it.`}
        </CheckBox>
      )}
    </FormDialog>
  );
}

function MinimumForm({ currency, minimum, revision }: { currency: string; minimum: number; revision: number }) {
  const { call, isBusy } = useCall();
  const [typed, setTyped] = useState(toTyped(minimum, currency));
  const cents = amountOf(typed, currency);
  const isRight = cents !== undefined && cents <= lastPool;
  return (
    <Form
      className="mt-4 flex flex-wrap items-end gap-3"
      onSubmit={() => {
        if (!isRight || isBusy) return;
        const json = { currency, minimum: cents, revision };
        void call('act', () => api.admin.payouts.minimum.$put({ json }), { done: t`Saved` });
      }}
    >
      <Field
        label={t`Smallest payment in ${{ currency: currency.toUpperCase() }}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={isRight ? undefined : t`Enter an amount such as ${{ example: toTyped(5000, currency) }}`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" disabled={!isRight || cents === minimum} busy={isBusy ? t`Working…` : undefined}>
        {t`Save`}
      </Button>
    </Form>
  );
}

/** Days from the lock of a month until it is paid. */
function TermForm({ days, revision }: { days: number; revision: number }) {
  const { call, isBusy } = useCall();
  const [typed, setTyped] = useState(String(days));
  const wanted = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : undefined;
  const isRight = wanted !== undefined && wanted <= maxTermDays;
  return (
    <Form
      className="mt-4 flex flex-wrap items-end gap-3"
      onSubmit={() => {
        if (!isRight || isBusy) return;
        void call('act', () => api.admin.payouts.term.$put({ json: { days: wanted, revision } }), {
          done: t`Saved, for months that are locked from now on`,
        });
      }}
    >
      <Field
        label={t`Days from the lock to the payment`}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isRight ? undefined : t`Enter a number of days up to ${{ max: formatCount(maxTermDays) }}`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" disabled={!isRight || wanted === days} busy={isBusy ? t`Working…` : undefined}>
        {t`Save`}
      </Button>
    </Form>
  );
}

type Correction = { id: string; voice: string; currency: string; amount: number; reason: string };

/** Corrections in an open month: of what is wrong in a locked one. */
export function CorrectionsPane({
  month,
  currency,
  creators,
  corrections,
}: {
  month: string;
  currency: string;
  creators: { name: string; slug: string }[];
  corrections: Correction[];
}) {
  const { call, isBusy } = useCall();
  const [voice, setVoice] = useState('');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const isNegative = /^[-−]/.test(typed.trim());
  const cents = amountOf(typed.trim().replace(/^[-−]/, ''), currency);
  const isRight = cents !== undefined && cents > 0 && cents <= lastPool;

  async function add(): Promise<void> {
    if (!isRight || voice.trim() === '' || reason.trim() === '' || isBusy) return;
    const json = { voice: voice.trim(), currency, amount: isNegative ? -cents : cents, reason: reason.trim() };
    const added = await call('act', () => api.admin.payouts[':month'].corrections.$post({ param: { month }, json }), {
      done: t`The correction counts in this month`,
    });
    if (added === undefined) return;
    setVoice('');
    setTyped('');
    setReason('');
  }

  return (
    <Pane title={t`Corrections`} className="mt-5">
      <p className="text-13 mb-3 text-muted">
        {t`A locked month never changes. What is wrong in it is made up for here; the creator reads the reason.`}
      </p>
      {corrections.length > 0 && (
        <ul className="mb-4 grid gap-2 text-14">
          {corrections.map((one) => (
            <li key={one.id} className="flex flex-wrap justify-between gap-x-4">
              <span className="wrap-anywhere">
                <b className="font-semibold">{one.voice}</b>: {one.reason}
              </span>
              <span className="tabular-nums">{formatMoney(one.amount, one.currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <Form className="form" onSubmit={() => void add()}>
        <Field
          label={t`Creator’s address`}
          list="corrected-creators"
          autoComplete="off"
          value={voice}
          onChange={({ target }) => setVoice(target.value)}
        />
        <datalist id="corrected-creators">
          {creators.map(({ name, slug }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </datalist>
        <Field
          label={t`Amount in ${{ currency: currency.toUpperCase() }}, with a minus to take back`}
          autoComplete="off"
          value={typed}
          error={
            typed === '' || isRight ? undefined : t`Enter an amount such as ${{ example: toTyped(1250, currency) }}`
          }
          onChange={({ target }) => setTyped(target.value)}
        />
        <Field
          label={t`Reason`}
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          type="submit"
          disabled={!isRight || voice.trim() === '' || reason.trim() === ''}
          busy={isBusy ? t`Working…` : undefined}
        >
          {t`Add correction`}
        </Button>
      </Form>
    </Pane>
  );
}
