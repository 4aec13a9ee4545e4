import type { ComponentType, ReactNode } from 'react';
import type { Me } from '#domain/identity/accounts.ts';
import type { BrowserIdentitySettings, SignUpSource } from '#domain/identity/rules.ts';
import type { AuthFlow } from '../auth-flow.ts';
import type { ModalState } from './modal-state.ts';

/** Site data for the modals. */
export type AccountSite = {
  siteName: string;
  appLinks: { ios?: string | undefined; android?: string | undefined };
  identity: BrowserIdentitySettings;
};

/** Props of the window around the modals. */
export type ModalWindowProps = {
  state: ModalState;
  authFlow: AuthFlow;
  user: Me | null;
  site: AccountSite;
  /** Call when the username is saved; resolves when the page shows it. */
  onNamed: (saved: Me) => Promise<void>;
  /** Call when the payment has succeeded; resolves when the page’s data includes it. */
  onSubscribed: () => Promise<void>;
};

/** Props of each modal. */
export type ModalProps = ModalWindowProps & {
  /** Names the promo code of the link that led here. */
  promoCodeNote: ReactNode;
  /** The page where the sign-up began. */
  source: SignUpSource | undefined;
};

/** Loads the window with all modals, when the first one opens. */
export type LoadModals = () => Promise<{ AccountModals: ComponentType<ModalWindowProps> }>;
