import { expect, test } from 'vitest';
import { type ModalAction, type ModalState, changeModals, noModal } from './modal-state.ts';

function after(...actions: ModalAction[]): ModalState {
  return actions.reduce(changeModals, noModal);
}

test('the period defaults to a year', () => {
  expect(noModal).toMatchObject({ subscriptionPeriod: 'year', isSubscriptionPeriodSelected: false });
  expect(after({ type: 'period-chosen', period: 'month' })).toMatchObject({
    subscriptionPeriod: 'month',
    isSubscriptionPeriodSelected: true,
  });
});

test('a second modal replaces the first, and keeps the chosen period', () => {
  const state = after(
    { type: 'period-chosen', period: 'month' },
    { type: 'opened', modal: 'sign-up' },
    { type: 'opened', modal: 'log-in' },
  );
  expect(state).toMatchObject({ modal: 'log-in', subscriptionPeriod: 'month', isSubscriptionPeriodSelected: true });
});

test('closing resets all modals, clears the social error and the period, and keeps the paid link', () => {
  const state = after(
    { type: 'paid-link', isTroughPaidlink: true },
    { type: 'period-chosen', period: 'month' },
    { type: 'social-failed', provider: 'google', message: 'No' },
    { type: 'closed' },
  );
  expect(state).toEqual({ ...noModal, isTroughPaidlink: true });
});

test('the subscribe banner starts with the year, and names the locked audio', () => {
  const state = after({ type: 'period-chosen', period: 'month' }, { type: 'subscribe-asked', name: 'Bright Star' });
  expect(state).toEqual({ ...noModal, modal: 'subscribe', subscribeName: 'Bright Star' });
});

test('an added payment closes everything and is remembered until the log-out', () => {
  const paid = after(
    { type: 'period-chosen', period: 'month' },
    { type: 'opened', modal: 'payment' },
    { type: 'payment-added' },
  );
  expect(paid).toEqual({ ...noModal, isPaymentAdded: true });
  expect(changeModals(paid, { type: 'closed' }).isPaymentAdded).toBe(true);
  expect(changeModals(paid, { type: 'reset' }).isPaymentAdded).toBe(false);
});

test('a social failure shows its modal with the provider; switching modals clears it', () => {
  const failed = after(
    { type: 'opened', modal: 'log-in' },
    { type: 'social-failed', provider: 'facebook', message: 'No' },
  );
  expect(failed).toMatchObject({
    modal: 'social-error',
    hasSocialError: true,
    socialErrorProvider: 'facebook',
    socialErrorMessage: 'No',
  });
  expect(changeModals(failed, { type: 'opened', modal: 'log-in' })).toEqual({ ...noModal, modal: 'log-in' });
});

test('logging out resets everything', () => {
  expect(after({ type: 'paid-link', isTroughPaidlink: true }, { type: 'reset' })).toEqual(noModal);
});

test('the sign-in prompt names the pressed item', () => {
  const prompt = { title: 'Sign in to see your Library' };
  expect(after({ type: 'asked', prompt })).toMatchObject({ modal: 'sign-in-prompt', prompt });
});
