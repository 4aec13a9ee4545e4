import type { Me } from '#domain/identity/accounts.ts';
import type { Period } from '#domain/membership/rules.ts';
import { callEach } from '#player/listeners.ts';
import { type Entry, createAfterLogIn } from './after-log-in.ts';
import { landingOf } from './landing.ts';
import type { ModalName, Prompt } from './modals/modal-state.ts';
import { createModalStore } from './modals/modal-store.ts';
import { type LogInResponse, type SessionCalls, createSession } from './session.ts';
import type { TabMemory } from './tab-memory.ts';

/** A pressed action that needs an account. */
export type Ask = Prompt & {
  /** The action itself; runs after the log-in, and at once for users. */
  act?: (() => void) | undefined;
};

/**
 * A pressed action that needs a subscription or, for the modal `age`, an adult; `name`: title of the pressed audio.
 */
export type SubscribeRequest = { name?: string | undefined; act?: (() => void) | undefined; modal?: 'age' };

type AuthFlowOptions = {
  calls: SessionCalls;
  /** User id that the first page was rendered for. */
  pageUserId?: string | undefined;
  paidLink: TabMemory;
  /** Longest wait in milliseconds for the page of the logged-in user. */
  pageWait?: number;
};

export type AuthFlow = ReturnType<typeof createAuthFlow>;

/** Modals that only make sense for a logged-in user. */
const userModals: readonly ModalName[] = ['username', 'payment', 'welcome'];
/** Modals that are over once somebody is logged in. */
const visitorModals: readonly (ModalName | undefined)[] = ['sign-in-prompt', 'log-in', 'sign-up'];

/** Connects the session, the modals and the steps after a log-in; no React. `setUser` passes it the page’s user. */
export function createAuthFlow({ calls, pageUserId, paidLink, pageWait = 4000 }: AuthFlowOptions) {
  const session = createSession(calls, pageUserId);
  const modals = createModalStore();
  const afterLogIn = createAfterLogIn();
  const waits = new Set<() => void>();
  let user: Me | null = null;
  let waitingAct: (() => void) | undefined;
  let isHeld = false;
  // This document has opened the banner of an advertisement.
  let hasArrived = false;
  let isLoggingIn = false;
  // User for whom this page has already opened the create-username modal.
  let askedForUsername: string | undefined;

  /** Resolves when the page shows this user in the wanted state, or after `pageWait`. */
  function untilPage(isRight: (shown: Me) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        if (user === null || !isRight(user)) return;
        stop();
      };
      const stop = () => {
        clearTimeout(timer);
        waits.delete(done);
        resolve();
      };
      const timer = setTimeout(stop, pageWait);
      waits.add(done);
      done();
    });
  }

  function enter(entry: Pick<Entry, 'kind' | 'isNewAccount'>, act = waitingAct): void {
    const { isSubscriptionPeriodSelected, subscriptionPeriod, isTroughPaidlink } = modals.getState();
    waitingAct = undefined;
    const period = isSubscriptionPeriodSelected ? subscriptionPeriod : undefined;
    void afterLogIn.run({ ...entry, period, isTroughPaidlink, act });
  }

  function entered({ id, username }: Me, kind: Entry['kind']): void {
    const isNewAccount = username === null;
    askedForUsername = id;
    enter({ kind: isNewAccount ? 'sign-up' : kind, isNewAccount });
  }

  function open(modal: ModalName): void {
    modals.dispatch({ type: 'opened', modal });
  }

  /** Closed by the visitor: drops the pressed action, but not the paid link (spec §2). */
  function close(): void {
    if (isHeld) return modals.dispatch({ type: 'leave-asked', isLeaveAsked: true });
    waitingAct = undefined;
    modals.dispatch({ type: 'closed' });
  }

  /**
   * Opens the payment modal, unless the user has a subscription; gift time is none.
   * @param act the pressed action, for `leave`
   */
  async function pay(period: Period, act: (() => void) | undefined): Promise<'done' | 'left'> {
    if (user?.subIsWeb === true) {
      modals.dispatch({ type: 'closed' });
      return 'done';
    }
    modals.dispatch({ type: 'period-chosen', period });
    waitingAct = act;
    const outcome = await modals.openAndWait('payment');
    // Another action may wait by now.
    if (waitingAct === act) waitingAct = undefined;
    return outcome;
  }

  afterLogIn.add('close-modals', () => modals.dispatch({ type: 'closed' }));
  afterLogIn.add('username', async ({ isNewAccount }) => {
    if (isNewAccount && (await modals.openAndWait('username')) === 'left') return 'stop';
  });
  afterLogIn.add('payment', async ({ period, act }) => {
    // Leaving the payment skips all later steps.
    if (period !== undefined && (await pay(period, act)) === 'left') return 'stop';
  });
  afterLogIn.add('welcome', async ({ kind }) => {
    if (kind === 'sign-up') await modals.openAndWait('welcome');
  });
  afterLogIn.add('waiting-act', ({ act }) => act?.());

  session.subscribe((change) => {
    if (change === 'in') return;
    afterLogIn.cancel();
    askedForUsername = undefined;
    const { modal } = modals.getState();
    // A visitor’s modal stays open: the end of a session is often noticed only while the next log-in is being typed.
    if (modal !== undefined && !userModals.includes(modal)) return;
    waitingAct = undefined;
    modals.dispatch({ type: 'reset' });
  });

  return {
    session,
    modals,
    afterLogIn,
    paidLink,

    /** @param shown user that the page was rendered for */
    setUser(shown: Me | null): void {
      // A log-in by another tab ends the one that is open here.
      const isByOtherTab = user === null && !isLoggingIn && session.getToken() !== undefined;
      user = shown;
      callEach([...waits]);
      if (shown !== null && isByOtherTab && visitorModals.includes(modals.getState().modal)) entered(shown, 'log-in');
    },

    /** @returns undefined after a successful log-in, otherwise the site’s refusal */
    async logIn(idToken: string, kind: Entry['kind']): Promise<Exclude<LogInResponse, { ok: true }> | undefined> {
      isLoggingIn = true;
      try {
        const answer = await session.logIn(idToken);
        if (!answer.ok) return answer;
        await untilPage(({ id }) => id === answer.user.id);
        entered(answer.user, kind);
        return undefined;
      } finally {
        isLoggingIn = false;
      }
    },

    /** The username was saved: waits for the page’s data, then closes the modal. */
    async named(saved: Me): Promise<void> {
      await untilPage(({ username }) => username === saved.username);
      modals.finish();
    },

    /** Asks a social account without a username for one, on each page load (product.md, “Register”). */
    askForUsername(): void {
      // The log-in that is in progress asks itself, and knows the chosen period.
      if (isLoggingIn || user === null || user.username !== null || askedForUsername === user.id) return;
      askedForUsername = user.id;
      enter({ kind: 'sign-up', isNewAccount: true });
    },

    /**
     * Opens the modal that a visitor’s address asks for.
     * @param isNewVisit false for a document that was reloaded, or that Back brought again
     */
    arrive(search: string, isNewVisit: boolean): void {
      // Logged in, although this page was rendered for a visitor.
      if (session.getToken() !== undefined) return;
      const { promoCode, isPaidLink } = landingOf(search);
      // Back and reload bring the same address again: a dismissed banner stays closed.
      const isNew = isPaidLink && !hasArrived && (isNewVisit || paidLink.read() === undefined);
      if (isPaidLink) {
        hasArrived = true;
        paidLink.keep('1');
      }
      if (paidLink.read() !== undefined) modals.dispatch({ type: 'paid-link', isTroughPaidlink: true });
      if (isNew) modals.dispatch({ type: 'subscribe-asked', name: undefined });
      else if (!isPaidLink && promoCode !== undefined) open('sign-up');
    },

    /** For actions that need an account: runs at once for logged-in users. */
    ask({ act, ...prompt }: Ask): void {
      if (user === null || session.isOver()) {
        waitingAct = act;
        modals.dispatch({ type: 'asked', prompt });
      } else if (user.username === null) {
        enter({ kind: 'sign-up', isNewAccount: true }, act);
      } else {
        act?.();
      }
    },

    /** Opens the subscribe banner, or asks for the age. @param act runs afterwards */
    askToSubscribe({ name, act, modal }: SubscribeRequest = {}): void {
      waitingAct = act;
      modals.dispatch({ type: 'subscribe-asked', name, modal });
    },

    /** From the prompt of a locked audio to the banner; the pressed action keeps waiting. */
    startTrial(): void {
      modals.dispatch({ type: 'subscribe-asked', name: modals.getState().prompt?.lockedTitle });
    },

    /** “Continue” in the banner: log-in first, then the payment, then the pressed action. */
    async choosePeriod(period: Period): Promise<void> {
      modals.dispatch({ type: 'period-chosen', period });
      if (user === null) return open('sign-up');
      const act = waitingAct;
      if (user.username === null) return enter({ kind: 'sign-up', isNewAccount: true }, act);
      waitingAct = undefined;
      if ((await pay(period, act)) === 'done') act?.();
    },

    /** The payment has succeeded: waits for the page’s data, then closes the modal. */
    async subscribed(): Promise<void> {
      await untilPage(({ isSubscribed }) => isSubscribed);
      modals.finish({ type: 'payment-added' });
    },

    /** Opened directly: no other action waits for it. */
    openModal(modal: Extract<ModalName, 'log-in' | 'sign-up' | 'reset' | 'app'>): void {
      waitingAct = undefined;
      open(modal);
    },

    /** Switches modals; the pressed action keeps waiting. */
    goTo: open,

    /** During a payment the window asks before it closes, because it would miss the response. */
    hold(isPaying: boolean): void {
      isHeld = isPaying;
      if (!isPaying) modals.dispatch({ type: 'leave-asked', isLeaveAsked: false });
    },

    /** Closed for a page that takes the payment. @returns the pressed action, which goes along */
    leave(): (() => void) | undefined {
      const act = waitingAct;
      waitingAct = undefined;
      modals.dispatch({ type: 'closed' });
      return act;
    },

    close,
  };
}
