import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import { createAuthFlow } from './auth-flow.ts';
import type { SessionCalls } from './session.ts';
import { tabMemory } from './tab-memory.ts';

const ada = { id: 'ada', username: 'ada' } as Me;
const unnamed = { id: 'ada', username: null } as Me;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @param pageUserId user that the first page was rendered for */
function start(user: Me = ada, pageUserId?: string, calls: Partial<SessionCalls> = {}) {
  const authFlow = createAuthFlow({
    calls: {
      logIn: async (idToken) =>
        idToken === 'refused'
          ? { ok: false, code: 'auth/user-disabled', message: 'No', status: 403 }
          : { ok: true, data: { token: 't', user, isNewAccount: user.username === null } },
      exchange: async () => ({ ok: true, data: { user } }),
      restore: async () => ({ ok: false as const, code: 'x', message: 'x', status: 401 }),
      logOut: async () => ({ ok: true }),
      signOutOfProvider: async () => undefined,
      ...calls,
    },
    paidLink: tabMemory('sotto.paid-link'),
    pageUserId,
  });
  authFlow.setUser(null);
  return { authFlow, shown: () => authFlow.modals.getState().modal };
}

/** Runs pending promises. */
function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(0);
}

test('a visitor’s pressed action runs once the page is loaded for the user', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  expect(authFlow.modals.getState().prompt).toEqual({ title: 'Sign in to hear “Bright Star”' });
  authFlow.goTo('log-in');
  const loggingIn = authFlow.logIn('id-token', 'log-in');
  await settle();
  expect(act).not.toHaveBeenCalled();
  expect(shown()).toBe('log-in');
  authFlow.setUser(ada);
  await expect(loggingIn).resolves.toBeUndefined();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
  expect(shown()).toBeUndefined();
});

test('a log-in in another tab ends the one that is open here, and the pressed action runs', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  authFlow.goTo('log-in');
  await authFlow.session.logIn('id-token');
  authFlow.setUser(ada);
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 1]);
  // A window that is not about logging in stays.
  authFlow.setUser(null);
  authFlow.openModal('app');
  authFlow.setUser(ada);
  await settle();
  expect(shown()).toBe('app');
});

test('the wait for the user’s page times out', async () => {
  const { authFlow, shown } = start();
  authFlow.openModal('log-in');
  const loggingIn = authFlow.logIn('id-token', 'log-in');
  await vi.advanceTimersByTimeAsync(4000);
  await loggingIn;
  await settle();
  expect(shown()).toBeUndefined();
});

test('the pressed action is dropped when the modal is closed', async () => {
  const { authFlow } = start();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  authFlow.close();
  authFlow.openModal('log-in');
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'log-in');
  await settle();
  expect(act).not.toHaveBeenCalled();
});

test('logged-in users see no prompt: the action runs at once', () => {
  const { authFlow, shown } = start(ada, 'ada');
  const act = vi.fn();
  authFlow.setUser(ada);
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  expect(act).toHaveBeenCalledTimes(1);
  expect(shown()).toBeUndefined();
});

test('an action pressed after the end of the session waits for a log-in, while the page still shows the user', async () => {
  const { authFlow, shown } = start();
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'log-in');
  authFlow.session.ended();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to comment on “Bright Star”', act });
  expect([shown(), act.mock.calls]).toEqual(['sign-in-prompt', []]);
  authFlow.setUser(null);
  const loggingIn = authFlow.logIn('id-token', 'log-in');
  authFlow.setUser(ada);
  await loggingIn;
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
});

test('a refused log-in is reported and leaves the modal open', async () => {
  const { authFlow, shown } = start();
  authFlow.openModal('log-in');
  await expect(authFlow.logIn('refused', 'log-in')).resolves.toMatchObject({ code: 'auth/user-disabled' });
  expect(shown()).toBe('log-in');
});

test('after sign-up comes the welcome modal, then the pressed action', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('welcome');
  expect(act).not.toHaveBeenCalled();
  authFlow.close();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
});

test('a new social account chooses a username first; the chosen period reaches the payment', async () => {
  const { authFlow, shown } = start(unnamed);
  const payment = vi.fn();
  authFlow.afterLogIn.add('payment', ({ period, kind }) => payment(period, kind));
  authFlow.modals.dispatch({ type: 'period-chosen', period: 'month' });
  authFlow.modals.dispatch({ type: 'opened', modal: 'log-in' });
  authFlow.setUser(unnamed);
  await authFlow.logIn('id-token', 'log-in');
  await settle();
  expect(shown()).toBe('username');
  expect(payment).not.toHaveBeenCalled();
  authFlow.setUser(ada);
  await authFlow.named(ada);
  await settle();
  expect(payment).toHaveBeenCalledWith('month', 'sign-up');
  expect(shown()).toBe('welcome');
});

test('a visitor who chose a period signs up, pays, is welcomed, and the pressed action runs', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.askToSubscribe({ name: 'Bright Star', act });
  expect(authFlow.modals.getState()).toMatchObject({ modal: 'subscribe', subscribeName: 'Bright Star' });
  await authFlow.choosePeriod('month');
  expect(shown()).toBe('sign-up');
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'sign-up');
  await settle();
  expect(authFlow.modals.getState()).toMatchObject({ modal: 'payment', subscriptionPeriod: 'month' });
  const done = authFlow.subscribed();
  await settle();
  expect(shown()).toBe('payment');
  authFlow.setUser({ ...ada, isSubscribed: true });
  await done;
  await settle();
  expect(authFlow.modals.getState()).toMatchObject({ modal: 'welcome', isPaymentAdded: true });
  authFlow.close();
  await settle();
  expect(act).toHaveBeenCalledTimes(1);
});

test('a user goes from the banner to the payment; leaving the payment ends the steps', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.setUser(ada);
  authFlow.askToSubscribe({ act });
  void authFlow.choosePeriod('year');
  expect(shown()).toBe('payment');
  authFlow.close();
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 0]);

  authFlow.askToSubscribe({ act });
  void authFlow.choosePeriod('year');
  authFlow.setUser({ ...ada, isSubscribed: true });
  await authFlow.subscribed();
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 1]);
});

test('leaving for the page that takes a late payment takes the pressed action along, after a log-in too', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.setUser(ada);
  authFlow.askToSubscribe({ act });
  expect([authFlow.leave(), shown()]).toEqual([act, undefined]);
  expect(authFlow.leave()).toBeUndefined();

  authFlow.setUser(null);
  authFlow.askToSubscribe({ act });
  await authFlow.choosePeriod('year');
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'log-in');
  await settle();
  expect([shown(), authFlow.leave()]).toEqual(['payment', act]);
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 0]);
});

test('subscribers are not asked for a card', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.setUser({ ...ada, isSubscribed: true, subIsWeb: true });
  authFlow.askToSubscribe({ act });
  await authFlow.choosePeriod('year');
  expect([shown(), act.mock.calls.length]).toEqual([undefined, 1]);
});

test('listeners with gift time, who have no subscription yet, are asked for a card', async () => {
  const { authFlow, shown } = start();
  authFlow.setUser({ ...ada, isSubscribed: true, subIsWeb: false });
  authFlow.askToSubscribe({});
  void authFlow.choosePeriod('year');
  expect(shown()).toBe('payment');
});

test('leaving the payment after a log-in skips all later steps', async () => {
  const { authFlow, shown } = start();
  authFlow.askToSubscribe();
  await authFlow.choosePeriod('year');
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('payment');
  authFlow.close();
  await settle();
  expect(shown()).toBeUndefined();
});

test('dismissing the username ends the steps; it is asked once per page, and before actions that need it', async () => {
  const { authFlow, shown } = start(unnamed, 'ada');
  const act = vi.fn();
  authFlow.setUser(unnamed);
  authFlow.askForUsername();
  await settle();
  expect(shown()).toBe('username');
  authFlow.close();
  await settle();
  expect(shown()).toBeUndefined();
  authFlow.askForUsername();
  await settle();
  expect(shown()).toBeUndefined();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  await settle();
  expect(shown()).toBe('username');
  expect(act).not.toHaveBeenCalled();
});

test('the period that was chosen goes along with a new social account, whose page asks for a username at once', async () => {
  const { authFlow, shown } = start(unnamed);
  authFlow.askToSubscribe();
  await authFlow.choosePeriod('month');
  const loggingIn = authFlow.logIn('id-token', 'sign-up');
  await settle();
  // The page’s effects run together.
  authFlow.setUser(unnamed);
  authFlow.askForUsername();
  await loggingIn;
  await settle();
  expect(shown()).toBe('username');
  authFlow.setUser(ada);
  await authFlow.named(ada);
  await settle();
  expect(authFlow.modals.getState()).toMatchObject({ modal: 'payment', subscriptionPeriod: 'month' });
});

test('a promo code opens the sign-up for visitors', async () => {
  const { authFlow, shown } = start();
  authFlow.arrive('?promoCode=SPRING', false);
  expect(shown()).toBe('sign-up');
  authFlow.close();
  await authFlow.session.logIn('id-token');
  authFlow.arrive('?promoCode=SPRING', false);
  expect(shown()).toBeUndefined();
});

test('a paid link opens its banner once, and continues after a log-in even if the banner was dismissed', async () => {
  const { authFlow, shown } = start();
  const followed = vi.fn();
  authFlow.afterLogIn.add('paid-link', ({ isTroughPaidlink }) => followed(isTroughPaidlink));
  authFlow.arrive('?utm_source=instagram', false);
  expect(shown()).toBe('subscribe');
  authFlow.goTo('log-in');
  authFlow.arrive('', false);
  expect(authFlow.modals.getState().isTroughPaidlink).toBe(true);
  authFlow.close();
  authFlow.arrive('', false);
  expect(shown()).toBeUndefined();
  // Back, or a reload.
  authFlow.arrive('?utm_source=instagram', false);
  expect(shown()).toBeUndefined();
  authFlow.openModal('log-in');
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'log-in');
  await settle();
  expect(followed).toHaveBeenCalledExactlyOnceWith(true);
});

test('during a payment the window asks before it closes', () => {
  const { authFlow, shown } = start();
  const isAsked = () => authFlow.modals.getState().isLeaveAsked;
  authFlow.goTo('payment');
  authFlow.hold(true);
  authFlow.close();
  expect([shown(), isAsked()]).toEqual(['payment', true]);
  authFlow.modals.dispatch({ type: 'leave-asked', isLeaveAsked: false });
  expect([shown(), isAsked()]).toEqual(['payment', false]);
  authFlow.close();
  // The answer has come.
  authFlow.hold(false);
  expect([shown(), isAsked()]).toEqual(['payment', false]);
  authFlow.hold(true);
  authFlow.close();
  // “Leave”.
  authFlow.hold(false);
  authFlow.close();
  expect([shown(), isAsked()]).toEqual([undefined, false]);
});

test('logging out closes every modal and cancels the remaining steps', async () => {
  const { authFlow, shown } = start();
  const act = vi.fn();
  authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'sign-up');
  await settle();
  expect(shown()).toBe('welcome');
  await authFlow.session.logOut();
  await settle();
  expect(shown()).toBeUndefined();
  expect(act).not.toHaveBeenCalled();
});

test.each([
  ['a visitor’s page', null],
  ['a page that still shows the user', ada],
])('on %s, a log-in that is being typed survives the end of the last session', async (_page, shownUser) => {
  vi.stubGlobal('document', {});
  const kept = JSON.stringify({ token: 'dead', lastUpdated: 1, userId: 'ada' });
  vi.stubGlobal('localStorage', { getItem: () => kept, setItem: () => {}, removeItem: () => {} });
  const exchange = async () => ({ ok: false as const, code: 'auth/login-required', message: 'x', status: 401 });
  const { authFlow, shown } = start(ada, undefined, { exchange });
  authFlow.setUser(shownUser);
  const act = vi.fn();
  if (shownUser === null) authFlow.ask({ title: 'Sign in to hear “Bright Star”', act });
  authFlow.goTo('log-in');
  await authFlow.session.agreeWith(undefined);
  expect([authFlow.session.getToken(), shown()]).toEqual([undefined, 'log-in']);
  authFlow.setUser(ada);
  await authFlow.logIn('id-token', 'log-in');
  await settle();
  expect([shown(), act.mock.calls.length]).toEqual([undefined, shownUser === null ? 1 : 0]);
});
