import type { Period } from '#domain/membership/rules.ts';
import type { SocialProvider } from './provider.ts';

export type ModalName =
  | 'sign-in-prompt'
  | 'log-in'
  | 'sign-up'
  | 'username'
  | 'reset'
  | 'social-error'
  | 'welcome'
  | 'subscribe'
  | 'payment';

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
  subscriptionPeriod: Period;
  isSubscriptionPeriodSelected: boolean;
  /** What the subscribe banner was opened for: the title of a locked audio. */
  subscribeName: string | undefined;
  /** A card was taken on this page. */
  isPaymentAdded: boolean;
  /** Came by an advertisement and is not logged in yet; outlasts the closing that a log-in brings (product.md, "Paid link"). */
  isTroughPaidlink: boolean;
  hasSocialError: boolean;
  socialErrorProvider: SocialProvider | undefined;
  socialErrorMessage: string | undefined;
};

export type ModalAction =
  | { type: 'opened'; modal: ModalName }
  | { type: 'asked'; prompt: Prompt }
  | { type: 'subscribe-asked'; name: string | undefined }
  | { type: 'closed' }
  | { type: 'period-chosen'; period: Period }
  | { type: 'payment-added' }
  | { type: 'social-failed'; provider: SocialProvider; message: string }
  | { type: 'paid-link'; isTroughPaidlink: boolean }
  /** Logged out: nothing of the one before stays. */
  | { type: 'reset' };

export const noModal: ModalState = {
  modal: undefined,
  prompt: undefined,
  subscriptionPeriod: 'year',
  isSubscriptionPeriodSelected: false,
  subscribeName: undefined,
  isPaymentAdded: false,
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
    // The banner begins with the year, whatever was chosen before.
    case 'subscribe-asked':
      return {
        ...state,
        ...noSocialError,
        modal: 'subscribe',
        subscribeName: action.name,
        subscriptionPeriod: 'year',
        isSubscriptionPeriodSelected: false,
      };
    // Spec §4: closing any modal resets all of them, the social error, and the period.
    case 'closed':
      return { ...noModal, isTroughPaidlink: state.isTroughPaidlink, isPaymentAdded: state.isPaymentAdded };
    case 'period-chosen':
      return { ...state, subscriptionPeriod: action.period, isSubscriptionPeriodSelected: true };
    case 'payment-added':
      return { ...noModal, isTroughPaidlink: state.isTroughPaidlink, isPaymentAdded: true };
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
