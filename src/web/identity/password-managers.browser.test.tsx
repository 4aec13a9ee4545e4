import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { AccountDeletion } from './account-deletion.tsx';
import { AccountEmailForm } from './account-email-form.tsx';
import { AccountPasswordForm } from './account-password-form.tsx';
import { useSession } from './session-provider.tsx';

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

const leave = () => {};

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
