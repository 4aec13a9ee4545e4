import { t } from '@lingui/core/macro';
import { type ReactNode, createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { callEach } from '#player/listeners.ts';
import { loggedOutEvent } from '../logged-out.ts';
import { configureApi } from '../api.ts';
import { PromptsContext } from './prompts.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import type { Notice } from '../ui/layers/notice.ts';
import { accountDraft } from './modals/account-draft.ts';
import { AccountModalHost } from './modals/account-modal-host.tsx';
import type { Step, StepName } from './after-log-in.ts';
import { type AuthFlow, createAuthFlow } from './auth-flow.ts';
import type { AccountSite, LoadModals } from './modals/modal-props.ts';
import { sessionCalls } from './session-calls.ts';
import { tabMemory } from './tab-memory.ts';

/** Spec §9: after a log-in by a paid link, the steps start after this delay. */
const paidLinkDelay = 500;

export type Session = Pick<AuthFlow, 'openModal'> &
  Pick<AuthFlow['session'], 'beforeLogOut' | 'adopt' | 'ended'> & {
    logOut(): Promise<void>;
    /** User that the page was rendered for; null for visitors. */
    user: Me | null;
    /** Preloads the modals’ code; call it when the pointer or focus reaches a button that opens one. */
    preloadModals(): void;
    /** Adds a step after log-in or sign-up. @returns removes it */
    addStep(name: StepName, step: Step): () => void;
  };

const SessionContext = createContext<Session | undefined>(undefined);

type SessionProviderProps = AccountSite & {
  /** User that the page was rendered for. */
  user: Me | null;
  transportKey: string | null;
  /** Must be a stable function. */
  loadModals: LoadModals;
  children: ReactNode;
};

/** Provides the logged-in user, the modals, and the steps after a log-in. */
export function SessionProvider({ user, transportKey, loadModals, children, ...site }: SessionProviderProps) {
  const { revalidate } = useRevalidator();
  const { search } = useLocation();
  const navigate = useNavigate();
  const showToast = useToast();
  const [authFlow] = useState(() => openAuthFlow(site.identity, transportKey, user?.id, showToast));
  const { session, modals, afterLogIn, paidLink } = authFlow;
  const [isSettled, setIsSettled] = useState(false);

  const reload = useEffectEvent((change: 'in' | 'out') => {
    if (change === 'in' || window.dispatchEvent(new Event(loggedOutEvent, { cancelable: true }))) void revalidate();
  });
  useEffect(() => {
    const stop = [session.subscribe((change) => reload(change)), session.followTabs()];
    return () => callEach(stop);
  }, [session]);
  const userId = user?.id;
  useEffect(() => accountDraft.clear(), [userId]);
  useEffect(() => void session.agreeWith(userId).then(() => setIsSettled(true)), [session, userId]);

  // Effects of children run first, so the player already has the user.
  useEffect(() => authFlow.setUser(user), [authFlow, user]);
  useEffect(() => {
    if (isSettled) authFlow.askForUsername();
  }, [authFlow, isSettled, user]);
  useEffect(() => {
    if (isSettled && user === null) authFlow.arrive(search, isNewVisit());
  }, [authFlow, isSettled, user, search]);

  const wasIn = useRef(user !== null);
  useEffect(() => {
    // The menu with the log-out button is gone, and the focus with it.
    if (wasIn.current && user === null && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    wasIn.current = user !== null;
  }, [user]);

  const goHome = useEffectEvent(() => navigate('/'));
  useEffect(
    () =>
      afterLogIn.add('paid-link', async ({ isTroughPaidlink }) => {
        if (!isTroughPaidlink) return;
        paidLink.clear();
        modals.dispatch({ type: 'paid-link', isTroughPaidlink: false });
        await goHome();
        await new Promise((resolve) => setTimeout(resolve, paidLinkDelay));
      }),
    [afterLogIn, modals, paidLink],
  );

  const shared = useMemo(
    () => ({
      user,
      openModal: authFlow.openModal,
      // A failure shows when a modal is opened.
      preloadModals: () => void loadModals().catch(() => undefined),
      logOut: async () => {
        if (await session.logOut()) return;
        showToast({ text: t`The site could not be reached. You are logged out on this device.` });
      },
      beforeLogOut: session.beforeLogOut,
      adopt: session.adopt,
      ended: session.ended,
      addStep: afterLogIn.add,
    }),
    [user, authFlow, session, afterLogIn, loadModals, showToast],
  );

  return (
    <SessionContext value={shared}>
      <PromptsContext value={authFlow}>{children}</PromptsContext>
      <AccountModalHost authFlow={authFlow} user={user} site={site} loadModals={loadModals} />
    </SessionContext>
  );
}

function isNewVisit(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'navigate';
}

function openAuthFlow(
  identity: BrowserIdentitySettings,
  transportKey: string | null,
  pageUserId: string | undefined,
  showToast: (notice: Notice) => void,
) {
  const authFlow = createAuthFlow({
    calls: sessionCalls(identity),
    pageUserId,
    paidLink: tabMemory('sotto.paid-link'),
  });
  // Not on the server: no calls are made there, and module state would be shared by all requests.
  if (typeof document !== 'undefined') {
    const { getToken, untilToken, ended } = authFlow.session;
    const onSessionEnded = () => {
      let isSaidByPage = false;
      // After the page's own listener, which cancels it to say so itself.
      const note = (event: Event) => (isSaidByPage = event.defaultPrevented);
      window.addEventListener(loggedOutEvent, note);
      ended();
      window.removeEventListener(loggedOutEvent, note);
      if (!isSaidByPage) showToast({ text: t`You are logged out. Log in to continue.` });
    };
    configureApi({ getToken, untilToken, onSessionEnded, transportKey });
  }
  return authFlow;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}
