import type { SocialProvider } from './provider.ts';

export type ModalName = 'sign-in-prompt' | 'log-in' | 'sign-up' | 'username' | 'reset' | 'social-error' | 'welcome';

export type SubscriptionPeriod = 'month' | 'year';

/** What the sign-in prompt names. */
export type Prompt = {
  /** What the visitor was about to do: `see your Library`, `keep “Bright Star”`. */
  to: string;
  /** Cover of what it is about. */
  imageUrl?: string | null | undefined;
};

/** Spec §3, "Modal state"; names are the spec's. */
export type ModalState = {
  /** One at most: a second one takes the place of the first. */
  modal: ModalName | undefined;
  prompt: Prompt | undefined;
  subscriptionPeriod: SubscriptionPeriod;
  isSubscriptionPeriodSelected: boolean;
  /** Came by an advertisement and is not logged in yet; outlasts the closing that a log-in brings (product.md, "Paid link"). */
  isTroughPaidlink: boolean;
  hasSocialError: boolean;
  socialErrorProvider: SocialProvider | undefined;
  socialErrorMessage: string | undefined;
};

export type ModalAction =
  | { type: 'opened'; modal: ModalName }
  | { type: 'asked'; prompt: Prompt }
  | { type: 'closed' }
  | { type: 'period-chosen'; period: SubscriptionPeriod }
  | { type: 'social-failed'; provider: SocialProvider; message: string }
  | { type: 'paid-link'; isTroughPaidlink: boolean }
  /** Logged out: nothing of the one before stays. */
  | { type: 'reset' };

export const noModal: ModalState = {
  modal: undefined,
  prompt: undefined,
  subscriptionPeriod: 'year',
  isSubscriptionPeriodSelected: false,
  isTroughPaidlink: false,
  hasSocialError: false,
  socialErrorProvider: undefined,
  socialErrorMessage: undefined,
};

const noSocialError = { hasSocialError: false, socialErrorProvider: undefined, socialErrorMessage: undefined };

export function changeModals(state: ModalState, action: ModalAction): ModalState {
  switch (action.type) {
    case 'opened':
      return { ...state, ...noSocialError, modal: action.modal };
    case 'asked':
      return { ...state, ...noSocialError, modal: 'sign-in-prompt', prompt: action.prompt };
    // Spec §4: closing any modal resets all of them, the social error, and the period.
    case 'closed':
      return { ...noModal, isTroughPaidlink: state.isTroughPaidlink };
    case 'period-chosen':
      return { ...state, subscriptionPeriod: action.period, isSubscriptionPeriodSelected: true };
    case 'social-failed':
      return {
        ...state,
        modal: 'social-error',
        hasSocialError: true,
        socialErrorProvider: action.provider,
        socialErrorMessage: action.message,
      };
    case 'paid-link':
      return { ...state, isTroughPaidlink: action.isTroughPaidlink };
    case 'reset':
      return noModal;
  }
}
