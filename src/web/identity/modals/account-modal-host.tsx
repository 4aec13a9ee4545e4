import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { useLateLayer } from '../../ui/layers/use-late-layer.ts';
import type { AuthFlow } from '../auth-flow.ts';
import { landingOf } from '../landing.ts';
import type { AccountSite, LoadModals } from './modal-props.ts';
import { promoCodeMemory } from '../tab-memory.ts';

type AccountModalHostProps = { authFlow: AuthFlow; user: Me | null; site: AccountSite; loadModals: LoadModals };

/** Loads and shows the modals of log-in and payment. */
export function AccountModalHost({ authFlow, user, site, loadModals }: AccountModalHostProps) {
  const { modals } = authFlow;
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const state = useSyncExternalStore(modals.subscribe, modals.getState, modals.getState);
  const { modal, isPaymentAdded } = state;
  const loaded = useLateLayer(loadModals, modal !== undefined, () => authFlow.close());
  usePromoCodeOfAddress(modal === 'payment');
  useEffect(() => {
    if (isPaymentAdded) showToast({ text: t`Thank you. You now have unlimited access.`, kind: 'subscription' });
  }, [isPaymentAdded, showToast]);

  return (
    loaded && (
      <loaded.AccountModals
        state={state}
        authFlow={authFlow}
        user={user}
        site={site}
        onNamed={(saved) => {
          void revalidate();
          return authFlow.named(saved);
        }}
        onSubscribed={() => {
          void revalidate();
          return authFlow.subscribed();
        }}
      />
    )
  );
}

/** Keeps a link’s promo code until the payment modal closes, which removes it from the address too (spec §2). */
function usePromoCodeOfAddress(isPaying: boolean): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const { promoCode } = landingOf(search);
    if (promoCode !== undefined) promoCodeMemory.keep(promoCode);
  }, [search]);
  const leave = useEffectEvent(() => {
    promoCodeMemory.clear();
    const query = withoutPromoCode(search);
    if (query !== search) void navigate({ pathname, search: query, hash }, { replace: true, preventScrollReset: true });
  });
  useEffect(() => (isPaying ? () => leave() : undefined), [isPaying]);
}

function withoutPromoCode(search: string): string {
  const query = new URLSearchParams(search);
  if (!query.has('promoCode')) return search;
  query.delete('promoCode');
  return query.size === 0 ? '' : `?${query}`;
}
