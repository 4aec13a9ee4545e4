import type { Me } from '#domain/identity/accounts.ts';
import type { Period } from '#domain/membership/rules.ts';
import { createAfterLogIn } from './after-log-in.ts';
import type { Entry } from './after-log-in.ts';
import { landingOf } from './landing.ts';
import type { ModalName, Prompt } from './modal-state.ts';
import { createModalStore } from './modal-store.ts';
import { createSession } from './session.ts';
import type { LogInAnswer, SessionCalls } from './session.ts';

/** Something that needs an account was pressed. */
export type Ask = Prompt & {
  /** What was pressed; happens once the user is in. */
  act?: (() => void) | undefined;
};

/** Something that needs a subscription was pressed. */
type Wish = { name?: string | undefined; act?: (() => void) | undefined };

/** Where something is remembered for as long as the tab is open. */
export type TabMemory = { keep(): void; isKept(): boolean; forget(): void };

type EntranceOptions = {
  calls: SessionCalls;
  paidLink: TabMemory;
  /** Somebody who is in pressed what the site cannot do yet. */
  onNothingToDo: () => void;
  /** Milliseconds in which the pages of the one who logged in are waited for. */
  pageWait?: number;
};

export type Entrance = ReturnType<typeof createEntrance>;

/** Session, modals and what follows a log-in, joined; no React. It is told for whom the page was made. */
export function createEntrance({ calls, paidLink, onNothingToDo, pageWait = 4000 }: EntranceOptions) {
  const session = createSession(calls);
  const modals = createModalStore();
  const afterLogIn = createAfterLogIn();
  const waits = new Set<() => void>();
  let user: Me | null = null;
  let waitingAct: (() => void) | undefined;
  // Whom the create-username modal was shown to on this page already.
  let askedForUsername: string | undefined;

  /** Until the page is one of this user's, with what is asked for; or for as long as `pageWait`. */
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

  function open(modal: ModalName): void {
    modals.dispatch({ type: 'opened', modal });
  }

  /** Asks for a card, of whoever has no subscription yet. */
  async function pay(period: Period): Promise<'done' | 'left'> {
    if (user?.isSubscribed === true) {
      modals.dispatch({ type: 'closed' });
      return 'done';
    }
    modals.dispatch({ type: 'period-chosen', period });
    return modals.openAndWait('payment');
  }

  afterLogIn.add('close-modals', () => modals.dispatch({ type: 'closed' }));
  afterLogIn.add('username', async ({ isNewAccount }) => {
    if (isNewAccount && (await modals.openAndWait('username')) === 'left') return 'stop';
  });
  afterLogIn.add('payment', async ({ period }) => {
    // Whoever leaves it has nothing more to be asked.
    if (period !== undefined && (await pay(period)) === 'left') return 'stop';
  });
  afterLogIn.add('welcome', async ({ kind }) => {
    if (kind === 'sign-up') await modals.openAndWait('welcome');
  });
  afterLogIn.add('waiting-act', ({ act }) => act?.());

  session.subscribe((change) => {
    if (change === 'in') return;
    afterLogIn.cancel();
    waitingAct = undefined;
    askedForUsername = undefined;
    modals.dispatch({ type: 'reset' });
  });

  return {
    session,
    modals,
    afterLogIn,

    /** @param shown whom the page was made for */
    tellUser(shown: Me | null): void {
      user = shown;
      for (const done of waits) done();
    },

    /** @returns undefined when the user is in, else what the site refused it with */
    async logIn(idToken: string, kind: Entry['kind']): Promise<Exclude<LogInAnswer, { ok: true }> | undefined> {
      const answer = await session.logIn(idToken);
      if (!answer.ok) return answer;
      const { isNewAccount } = answer;
      askedForUsername = answer.user.id;
      await untilPage(({ id }) => id === answer.user.id);
      enter({ kind: isNewAccount ? 'sign-up' : kind, isNewAccount });
      return undefined;
    },

    /** The create-username modal has done its work; the pages follow. */
    async named(saved: Me): Promise<void> {
      await untilPage(({ username }) => username === saved.username);
      modals.finish();
    },

    /** A social account without a username is asked for one on each load (product.md, "Register"). */
    askForUsername(): void {
      if (user === null || user.username !== null || askedForUsername === user.id) return;
      askedForUsername = user.id;
      enter({ kind: 'sign-up', isNewAccount: true });
    },

    /** What the address asks for, of whoever is not logged in. */
    arrive(search: string): void {
      // Logged in, though this page does not show it.
      if (session.getToken() !== undefined) return;
      const { promoCode, isPaidLink } = landingOf(search);
      if (isPaidLink) paidLink.keep();
      if (paidLink.isKept()) modals.dispatch({ type: 'paid-link', isTroughPaidlink: true });
      if (isPaidLink) modals.dispatch({ type: 'subscribe-asked', name: undefined });
      else if (promoCode !== undefined) open('sign-up');
    },

    /** For whatever needs an account: who has one goes on at once. */
    ask({ act, ...prompt }: Ask): void {
      if (user === null) {
        waitingAct = act;
        modals.dispatch({ type: 'asked', prompt });
      } else if (user.username === null) {
        enter({ kind: 'sign-up', isNewAccount: true }, act);
      } else {
        (act ?? onNothingToDo)();
      }
    },

    /** Opens the subscribe banner. @param wish what it is for: happens once it can be heard */
    askToSubscribe({ name, act }: Wish = {}): void {
      waitingAct = act;
      modals.dispatch({ type: 'subscribe-asked', name });
    },

    /** "Continue" of the banner: an account first, then the payment, then what was pressed. */
    async choosePeriod(period: Period): Promise<void> {
      modals.dispatch({ type: 'period-chosen', period });
      if (user === null) return open('sign-up');
      const act = waitingAct;
      if (user.username === null) return enter({ kind: 'sign-up', isNewAccount: true }, act);
      waitingAct = undefined;
      if ((await pay(period)) === 'done') act?.();
    },

    /** The payment is through; the pages follow. */
    async subscribed(): Promise<void> {
      await untilPage(({ isSubscribed }) => isSubscribed);
      modals.finish({ type: 'payment-added' });
    },

    /** Pressed for its own sake: nothing else waits for it. */
    openModal(modal: Extract<ModalName, 'log-in' | 'sign-up' | 'reset'>): void {
      waitingAct = undefined;
      open(modal);
    },

    /** From one modal to another; what was pressed still waits. */
    goTo: open,

    /** By the one who is asked: with it goes all that was to follow, a paid link too. */
    close(): void {
      waitingAct = undefined;
      paidLink.forget();
      modals.dispatch({ type: 'paid-link', isTroughPaidlink: false });
      modals.dispatch({ type: 'closed' });
    },
  };
}
