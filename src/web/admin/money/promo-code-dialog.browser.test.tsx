import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { PromoCodeForm } from '#domain/admin/forms.ts';
import { mount } from '#test/support/components/mount.tsx';
import { PromoCodeDialog } from './promo-code-dialog.tsx';

const start: PromoCodeForm = { code: 'SPRING20', percentOff: 20, duration: 'once', isFirstTimeOnly: false };
const change = { by: 'petra', at: '2026-11-02T22:00:00.000Z' };

test('a code that another operator changed meanwhile shows who, and both versions to choose between', async () => {
  const onSave = vi.fn<(form: PromoCodeForm) => Promise<unknown>>();
  const theirs: PromoCodeForm = { ...start, percentOff: 30, maxRedemptions: 50 };
  const open = (conflict?: { change: typeof change; theirs: PromoCodeForm | undefined }) => (
    <PromoCodeDialog start={start} currency="usd" conflict={conflict} onSave={onSave} onClose={() => {}} />
  );
  mount(open({ change, theirs }));
  await expect.element(page.getByText(/^petra changed this meanwhile, \d+ Nov 2026/)).toBeVisible();
  const versions = () =>
    [...document.querySelectorAll('[data-field]')].map((field) => field.textContent?.replace('Take theirs', ''));
  expect(versions()).toEqual(['Percent or amount offYours: 20Theirs: 30', 'Total usesYours: emptyTheirs: 50']);
  await page.getByRole('button', { name: 'Take theirs: Total uses' }).click();
  await expect.poll(versions).toEqual(['Percent or amount offYours: 20Theirs: 30']);
  await page.getByRole('button', { name: 'Save code' }).click();
  expect(onSave.mock.calls).toEqual([[expect.objectContaining({ percentOff: 20, maxRedemptions: 50 })]]);
});

test('each currency has an amount of its own, in its decimals, and one may be without', async () => {
  const onSave = vi.fn<(form: PromoCodeForm) => Promise<unknown>>(async () => true);
  const both: PromoCodeForm = {
    ...start,
    percentOff: undefined,
    currency: 'usd',
    amountOff: 200,
    amounts: { chf: 150, jpy: 300 },
  };
  mount(
    <PromoCodeDialog
      start={both}
      currency="usd"
      currencies={['usd', 'eur', 'jpy']}
      conflict={{ change, theirs: { ...both, amounts: { jpy: 400 } } }}
      onSave={onSave}
      onClose={() => {}}
    />,
  );
  const amount = (currency: string) => page.getByRole('textbox', { name: `Amount in ${currency}` });
  await expect.element(amount('USD')).toHaveValue('2.00');
  await expect.element(amount('JPY')).toHaveValue('300');
  await expect.element(amount('EUR')).toHaveValue('');
  expect([...document.querySelectorAll('[data-field]')].map((field) => field.textContent)).toEqual([
    'Further currenciesYours: 300 JPYTheirs: 400 JPYTake theirs',
  ]);
  await amount('USD').fill('');
  await amount('EUR').fill('1.5');
  await page.getByRole('button', { name: 'Save code' }).click();
  expect(onSave.mock.calls).toEqual([
    [expect.objectContaining({ currency: 'eur', amountOff: 150, amounts: { jpy: 300 } })],
  ]);
  await amount('JPY').fill('3.5');
  await page.getByRole('button', { name: 'Save code' }).click();
  await expect.element(amount('JPY')).toBeInvalid();
  await expect.element(amount('EUR')).toBeValid();
  expect(onSave).toHaveBeenCalledTimes(1);
});

test('a code that another operator ended meanwhile says who, and what was typed stays', async () => {
  mount(
    <PromoCodeDialog
      start={start}
      currency="usd"
      conflict={{ change, theirs: undefined }}
      onSave={async () => undefined}
      onClose={() => {}}
    />,
  );
  await expect.element(page.getByText(/^petra changed this meanwhile/)).toBeVisible();
  expect(document.querySelectorAll('[data-field]')).toHaveLength(0);
  await expect.element(page.getByLabelText('Code', { exact: true })).toHaveValue('SPRING20');
});
