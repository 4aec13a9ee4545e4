import { createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { configureApi } from '../api.ts';
import { forgetPromoCode, keepPromoCode } from './promo-code-memory.ts';
import { SubscribePromptProvider } from '../shell/subscribe-prompt.tsx';
import { SignInPromptProvider } from '../shell/sign-in-prompt.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Notice } from '../ui/toast.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { Step, StepName } from './after-log-in.ts';
import { createEntrance } from './entrance.ts';
import type { Entrance } from './entrance.ts';
import { landingOf } from './landing.ts';
import { paidLinkMemory } from './paid-link-memory.ts';
import { sessionCalls } from './session-calls.ts';

/** Spec §9: after a log-in by a paid link, what follows comes so much later. */
const paidLinkDelay = 500;

export type Session = Pick<Entrance, 'openModal'> &
  Pick<Entrance['session'], 'logOut' | 'beforeLogOut' | 'adopt' | 'ended'> & {
    /** As the page was made for; null for visitors. */
    user: Me | null;
    /** Fetches what the modals are made of; for when a button that opens one is reached for. */
    preloadModals(): void;
    /** Adds what is to happen after a log-in or sign-up. @returns takes it away again */
    addStep(name: StepName, step: Step): () => void;
  };

const SessionContext = createContext<Session | undefined>(undefined);

const loadModals = () => import('./account-modals.tsx');

/** What the modals need to know of the site. */
export type AccountSite = {
  siteName: string;
  appLinks: { ios?: string | undefined; android?: string | undefined };
  identity: BrowserIdentitySettings;
};

type SessionProviderProps = AccountSite & {
  /** Whom the page was made for. */
  user: Me | null;
  transportKey: string | null;
  children: ReactNode;
};

/** Who is logged in, all that leads there, and what follows it. */
export function SessionProvider({ user, transportKey, children, ...site }: SessionProviderProps) {
  const { revalidate } = useRevalidator();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const showToast = useToast();
  const [{ entrance, paidLink }] = useState(() => openEntrance(site.identity, transportKey, showToast));
  const { session, modals, afterLogIn } = entrance;
  const state = useSyncExternalStore(modals.subscribe, modals.getState, modals.getState);
  const [isSettled, setIsSettled] = useState(false);
  const [isNear, setIsNear] = useState(false);
  const loaded = useLoaded(loadModals, state.modal !== undefined || isNear, () => {
    if (state.modal === undefined) return;
    entrance.close();
    showToast({ text: 'No internet connection' });
  });

  const reload = useEffectEvent(() => void revalidate());
  const agree = useEffectEvent(() => session.agreeWith(user?.id));
  useEffect(() => {
    const stop = [session.subscribe(() => reload()), session.followTabs()];
    void agree().then(() => setIsSettled(true));
    return () => stop.forEach((end) => end());
  }, [session]);

  // Effects of the children come first: the player knows the user by now.
  useEffect(() => entrance.tellUser(user), [entrance, user]);
  useEffect(() => {
    if (isSettled) entrance.askForUsername();
  }, [entrance, isSettled, user]);
  useEffect(() => {
    if (isSettled && user === null) entrance.arrive(search);
  }, [entrance, isSettled, user, search]);

  useEffect(() => {
    const { promoCode } = landingOf(search);
    if (promoCode !== undefined) keepPromoCode(promoCode);
  }, [search]);
  const isPaying = state.modal === 'payment';
  const leavePromoCode = useEffectEvent(() => {
    forgetPromoCode();
    const query = withoutPromoCode(search);
    if (query !== search) void navigate({ pathname, search: query, hash }, { replace: true, preventScrollReset: true });
  });
  useEffect(() => (isPaying ? () => leavePromoCode() : undefined), [isPaying]);
  const { isPaymentAdded } = state;
  useEffect(() => {
    if (isPaymentAdded) showToast({ text: 'Thank you. Everything is open to you now.' });
  }, [isPaymentAdded, showToast]);

  const wasIn = useRef(user !== null);
  useEffect(() => {
    // The menu in which log-out was pressed is gone, and the focus with it.
    if (wasIn.current && user === null && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    wasIn.current = user !== null;
  }, [user]);

  const goHome = useEffectEvent(() => navigate('/'));
  useEffect(
    () =>
      afterLogIn.add('paid-link', async ({ isTroughPaidlink }) => {
        if (!isTroughPaidlink) return;
        paidLink.forget();
        modals.dispatch({ type: 'paid-link', isTroughPaidlink: false });
        await goHome();
        await new Promise((resolve) => setTimeout(resolve, paidLinkDelay));
      }),
    [afterLogIn, modals, paidLink],
  );

  const shared = useMemo(
    () => ({
      user,
      openModal: entrance.openModal,
      preloadModals: () => setIsNear(true),
      logOut: session.logOut,
      beforeLogOut: session.beforeLogOut,
      adopt: session.adopt,
      ended: session.ended,
      addStep: afterLogIn.add,
    }),
    [user, entrance, session, afterLogIn],
  );

  return (
    <SessionContext value={shared}>
      <SignInPromptProvider ask={entrance.ask}>
        <SubscribePromptProvider ask={entrance.askToSubscribe}>{children}</SubscribePromptProvider>
      </SignInPromptProvider>
      {loaded && (
        <loaded.AccountModals
          state={state}
          entrance={entrance}
          user={user}
          site={site}
          onNamed={(saved) => {
            void revalidate();
            return entrance.named(saved);
          }}
          onSubscribed={() => {
            void revalidate();
            return entrance.subscribed();
          }}
        />
      )}
    </SessionContext>
  );
}

function openEntrance(
  identity: BrowserIdentitySettings,
  transportKey: string | null,
  showToast: (notice: Notice) => void,
) {
  const paidLink = paidLinkMemory();
  const entrance = createEntrance({
    calls: sessionCalls(identity),
    paidLink,
    onNothingToDo: () => showToast({ text: 'This is not available yet' }),
  });
  // On the server nobody calls, and what is set there would be everybody's.
  if (typeof document !== 'undefined') {
    const { getToken, ended } = entrance.session;
    configureApi({ getToken, onSessionEnded: ended, transportKey });
  }
  return { entrance, paidLink };
}

/** Spec §2: the payment modal takes the code's query away when it closes. */
function withoutPromoCode(search: string): string {
  const query = new URLSearchParams(search);
  if (!query.has('promoCode')) return search;
  query.delete('promoCode');
  return query.size === 0 ? '' : `?${query}`;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}
