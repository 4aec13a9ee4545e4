import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import { createEntrance } from './entrance.ts';
import type { TabMemory } from './entrance.ts';

const ada = { id: 'ada', username: 'ada' } as Me;
const unnamed = { id: 'ada', username: null } as Me;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function fakeMemory(): TabMemory {
  let isKept = false;
  return { keep: () => (isKept = true), isKept: () => isKept, forget: () => (isKept = false) };
}

function start(user: Me = ada) {
  const onNothingToDo = vi.fn();
  const entrance = createEntrance({
    calls: {
      logIn: async (idToken) =>
        idToken === 'refused'
          ? { ok: false, code: 'auth/user-disabled', message: 'No', status: 403 }
          : { ok: true, data: { token: 't', user, isNewAccount: user.username === null } },
      exchange: async () => ({ ok: true, data: { user } }),
      logOut: async () => undefined,
      signOutOfProvider: async () => undefined,
    },
    paidLink: fakeMemory(),
    onNothingToDo,
  });
  entrance.tellUser(null);
  return { entrance, onNothingToDo, shown: () => entrance.modals.getState().modal };
}

/** Lets what waits for nothing but promises go on. */
function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(0);
}

test('what a visitor pressed happens once the page is theirs', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.ask({ to: 'hear “Bright Star”', act });
  expect(entrance.modals.getState().prompt).toEqual({ to: 'hear “Bright Star”' });
  entrance.goTo('log-in');
  const loggingIn = entrance.logIn('id-token', 'log-in');
  await settle();
  expect(act).not.toHaveBeenCalled();
  expect(shown()).toBe('log-in');
  entrance.tellUser(ada);
  await expect(loggingIn).resolves.toBeUndefined();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
  expect(shown()).toBeUndefined();
});

test('a page that does not come is not waited for for ever', async () => {
  const { entrance, shown } = start();
  entrance.openModal('log-in');
  const loggingIn = entrance.logIn('id-token', 'log-in');
  await vi.advanceTimersByTimeAsync(4000);
  await loggingIn;
  await settle();
  expect(shown()).toBeUndefined();
});

test('what was pressed is forgotten when the modal is closed', async () => {
  const { entrance } = start();
  const act = vi.fn();
  entrance.ask({ to: 'hear “Bright Star”', act });
  entrance.close();
  entrance.openModal('log-in');
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'log-in');
  await settle();
  expect(act).not.toHaveBeenCalled();
});

test('who is in is not asked: it happens at once, or the site says that it cannot', () => {
  const { entrance, onNothingToDo, shown } = start();
  const act = vi.fn();
  entrance.tellUser(ada);
  entrance.ask({ to: 'hear “Bright Star”', act });
  expect(act).toHaveBeenCalledTimes(1);
  entrance.ask({ to: 'see your Queue' });
  expect(onNothingToDo).toHaveBeenCalledTimes(1);
  expect(shown()).toBeUndefined();
});

test('a refused log-in is told and leaves the modal where it is', async () => {
  const { entrance, shown } = start();
  entrance.openModal('log-in');
  await expect(entrance.logIn('refused', 'log-in')).resolves.toMatchObject({ code: 'auth/user-disabled' });
  expect(shown()).toBe('log-in');
});

test('after sign-up comes the welcome, and then what was pressed', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.ask({ to: 'hear “Bright Star”', act });
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('welcome');
  expect(act).not.toHaveBeenCalled();
  entrance.close();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
});

test('a new social account chooses a username first; the chosen period reaches the payment', async () => {
  const { entrance, shown } = start(unnamed);
  const payment = vi.fn();
  entrance.afterLogIn.add('payment', ({ period, kind }) => payment(period, kind));
  entrance.modals.dispatch({ type: 'period-chosen', period: 'month' });
  entrance.modals.dispatch({ type: 'opened', modal: 'log-in' });
  entrance.tellUser(unnamed);
  await entrance.logIn('id-token', 'log-in');
  await settle();
  expect(shown()).toBe('username');
  expect(payment).not.toHaveBeenCalled();
  entrance.tellUser(ada);
  await entrance.named(ada);
  await settle();
  expect(payment).toHaveBeenCalledWith('month', 'sign-up');
  expect(shown()).toBe('welcome');
});

test('a visitor who chose a period makes an account, pays, is welcomed, and what was pressed happens', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.askToSubscribe({ name: 'Bright Star', act });
  expect(entrance.modals.getState()).toMatchObject({ modal: 'subscribe', subscribeName: 'Bright Star' });
  await entrance.choosePeriod('month');
  expect(shown()).toBe('sign-up');
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'sign-up');
  await settle();
  expect(entrance.modals.getState()).toMatchObject({ modal: 'payment', subscriptionPeriod: 'month' });
  const done = entrance.subscribed();
  await settle();
  expect(shown()).toBe('payment');
  entrance.tellUser({ ...ada, isSubscribed: true });
  await done;
  await settle();
  expect(entrance.modals.getState()).toMatchObject({ modal: 'welcome', isPaymentAdded: true });
  entrance.close();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
});

test('who is in goes from the banner to the payment; who leaves it is asked nothing more', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.tellUser(ada);
  entrance.askToSubscribe({ act });
  void entrance.choosePeriod('year');
  expect(shown()).toBe('payment');
  entrance.close();
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 0]);

  entrance.askToSubscribe({ act });
  void entrance.choosePeriod('year');
  entrance.tellUser({ ...ada, isSubscribed: true });
  await entrance.subscribed();
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 1]);
});

test('who is subscribed already is not asked for a card', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.tellUser({ ...ada, isSubscribed: true });
  entrance.askToSubscribe({ act });
  await entrance.choosePeriod('year');
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 1]);
});

test('a payment that is left after a log-in is followed by nothing', async () => {
  const { entrance, shown } = start();
  entrance.askToSubscribe();
  await entrance.choosePeriod('year');
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('payment');
  entrance.close();
  await settle();
  expect(shown()).toBeUndefined();
});

test('dismissing the username ends what follows; it is asked for once a page, and before whatever needs it', async () => {
  const { entrance, shown } = start(unnamed);
  const act = vi.fn();
  entrance.tellUser(unnamed);
  entrance.askForUsername();
  await settle();
  expect(shown()).toBe('username');
  entrance.close();
  await settle();
  expect(shown()).toBeUndefined();
  entrance.askForUsername();
  await settle();
  expect(shown()).toBeUndefined();
  entrance.ask({ to: 'hear “Bright Star”', act });
  await settle();
  expect(shown()).toBe('username');
  expect(act).not.toHaveBeenCalled();
});

test('a promo code opens the sign-up for whoever is not logged in', async () => {
  const { entrance, shown } = start();
  entrance.arrive('?promoCode=SPRING');
  expect(shown()).toBe('sign-up');
  entrance.close();
  await entrance.session.logIn('id-token');
  entrance.arrive('?promoCode=SPRING');
  expect(shown()).toBeUndefined();
});

test('a paid link opens a modal and is remembered from page to page until it is dismissed', async () => {
  const { entrance, shown } = start();
  const followed = vi.fn();
  entrance.afterLogIn.add('paid-link', ({ isTroughPaidlink }) => followed(isTroughPaidlink));
  entrance.arrive('?utm_source=instagram');
  expect(shown()).toBe('subscribe');
  entrance.goTo('log-in');
  entrance.arrive('');
  expect(entrance.modals.getState().isTroughPaidlink).toBe(true);
  entrance.close();
  entrance.arrive('');
  expect(shown()).toBeUndefined();
  entrance.openModal('log-in');
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'log-in');
  await settle();
  expect(followed).toHaveBeenCalledExactlyOnceWith(false);
});

test('logging out closes every modal and ends what was still to come', async () => {
  const { entrance, shown } = start();
  const act = vi.fn();
  entrance.ask({ to: 'hear “Bright Star”', act });
  entrance.tellUser(ada);
  await entrance.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('welcome');
  await entrance.session.logOut();
  await settle();
  expect(shown()).toBeUndefined();
  expect(act).not.toHaveBeenCalled();
});
