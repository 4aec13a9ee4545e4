import type { ReactNode } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { ProofForm } from '#web/admin/second-factor/proof-form.tsx';
import { RedeemForm } from '#web/membership/gift-cards/redeem-form.tsx';
import { AccountDeletion } from '#web/identity/account/account-deletion.tsx';
import { AccountEmailForm, AccountPasswordForm, AccountUsernameForm } from '#web/identity/account/account-forms.tsx';
import { NewPassword } from '#web/identity/new-password.tsx';
import { useSession } from '#web/identity/session-provider.tsx';

const leave = () => {};
const { href } = window.location;
afterEach(() => window.history.replaceState(null, '', href));

function Opener() {
  const { openModal } = useSession();
  return (['sign-up', 'log-in', 'reset'] as const).map((modal) => (
    <button key={modal} type="button" onClick={() => openModal(modal)}>
      {modal}
    </button>
  ));
}

/** Kinds and names of the fields, as password managers read them. */
const fieldsOf = (form: Element | null) =>
  [...(form?.querySelectorAll<HTMLInputElement>('input[autocomplete]') ?? [])].map(
    (field) => `${field.type} ${field.getAttribute('autocomplete')}`,
  );

test.each([
  ['sign-up', ['email username', 'text nickname', 'password new-password']],
  ['log-in', ['email username', 'password current-password']],
  ['reset', ['email username']],
] as const)('in the %s form the email is the name of the account', async (modal, fields) => {
  answerCalls({});
  mountInSite(<Opener />);
  await page.getByRole('button', { name: modal }).click();
  await expect.poll(() => fieldsOf(document.querySelector('.modal form'))).toEqual(fields);
});

/** Fields that Firefox may take for the name of an account (`LoginManager.shared.sys.mjs`); it knows not all kinds. */
const namesInFirefox = ['username', 'webauthn', 'email', 'tel', 'tel-national', 'off', 'on', '', 'nickname'];
const text = /^(?:text|email|url|tel|number|search)$/;
const kindOf = (field: HTMLInputElement) => field.getAttribute('autocomplete') ?? '';
const mayBeName = ({ id, name, className, placeholder, labels }: HTMLInputElement) =>
  [id, name, className, placeholder, labels?.[0]?.textContent].some((one) => /username/i.test(one ?? ''));

/** Chrome, Safari and 1Password take the field that says so; Firefox looks backwards from the first password. */
const managers = {
  Chrome: (fields: HTMLInputElement[]) => fields.find((field) => kindOf(field) === 'username'),
  Firefox(fields: HTMLInputElement[]) {
    const before = fields
      .slice(
        0,
        fields.findIndex(({ type }) => type === 'password'),
      )
      .filter((field) => text.test(field.type) && namesInFirefox.includes(kindOf(field)))
      .toReversed();
    return (
      before.find((field) => kindOf(field) === 'username' || mayBeName(field)) ??
      before.findLast(({ type }) => type === 'email') ??
      before[0]
    );
  },
};

const noFactor = { hasApp: false, hasPasskey: false, passkeyHost: 'localhost', hasPassword: true };
const openModal = (name: 'sign-up' | 'log-in') => async () => {
  mountInSite(<Opener />);
  await page.getByRole('button', { name }).click();
  await page.getByLabelText('Email').fill(listener.email ?? '');
  if (name === 'sign-up') await page.getByLabelText('Username').fill('nora');
};
const openForm = (form: () => ReactNode) => async () => void mountInSite(form(), { user: listener });

describe.each(Object.entries(managers))('%s keeps the password under the email', (_manager, nameFieldOf) => {
  test.each([
    ['a sign-up', openModal('sign-up')],
    ['a log-in', openModal('log-in')],
  ])('in the form of %s', slow, expectEmail);

  test.each([
    ['a change of password', openForm(() => <AccountPasswordForm email={listener.email ?? ''} leave={leave} />)],
    ['a change of email', openForm(() => <AccountEmailForm leave={leave} />)],
    ['a deletion', openForm(() => <AccountDeletion hasPassword onKept={leave} />)],
    ['a proof in Admin', openForm(() => <ProofForm factors={noFactor} onProven={leave} />)],
    [
      'a new password by the link of a mail',
      async () => {
        window.history.replaceState(null, '', `?token=t#email=${encodeURIComponent(listener.email ?? '')}`);
        mountInSite(<NewPassword />);
      },
    ],
  ])('in the form of %s', expectEmail);

  async function expectEmail(_form: string, open: () => Promise<void>): Promise<void> {
    answerCalls({ 'GET /v1/api/auth/username/nora': () => ({}) });
    await open();
    await expect.poll(() => document.querySelector('input[autocomplete$=-password]')).not.toBeNull();
    const form = document.querySelector('input[autocomplete$=-password]')?.closest('form');
    const fields = [...(form?.elements ?? [])].filter((one) => one instanceof HTMLInputElement);
    expect(nameFieldOf(fields)).toMatchObject({ type: 'email', value: listener.email });
    // One only: programs differ in which of two they take.
    expect(fields.filter((field) => kindOf(field) === 'username')).toHaveLength(1);
  }
});

test.each([
  [
    'the code of an app',
    () => <ProofForm factors={{ ...noFactor, hasApp: true }} onProven={leave} />,
    ['one-time-code'],
  ],
  ['the code of a gift card', () => <RedeemForm />, ['off']],
  ['a new username', () => <AccountUsernameForm current="nora" leave={leave} />, ['nickname']],
])('%s is nothing that belongs to the log-in', async (_name, form, kinds) => {
  answerCalls({});
  mountInSite(form(), { user: listener });
  await expect.poll(() => document.querySelector('form input')).not.toBeNull();
  const fields = [...document.querySelectorAll<HTMLInputElement>('form input')];
  expect(fields.map(kindOf)).toEqual(kinds);
});

test.each([
  ['change of password', () => <AccountPasswordForm email={listener.email ?? ''} leave={leave} />],
  ['change of email', () => <AccountEmailForm leave={leave} />],
  ['deletion', () => <AccountDeletion hasPassword onKept={leave} />],
])('the form for a %s names the account', async (_, Form) => {
  answerCalls({});
  mountInSite(<Form />, { user: listener });
  await expect.poll(() => document.querySelector('form')).not.toBeNull();
  const named = document.querySelectorAll<HTMLInputElement>('form [autocomplete=username]');
  expect([...named].map(({ value }) => value)).toEqual([listener.email]);
});
