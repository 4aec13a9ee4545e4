import type { Period } from '#domain/membership/rules.ts';
import type { SocialProvider } from '#domain/identity/social-rules.ts';

export type ModalName =
  | 'age'
  | 'sign-in-prompt'
  | 'log-in'
  | 'sign-up'
  | 'username'
  | 'reset'
  | 'social-error'
  | 'welcome'
  | 'app'
  | 'install'
  | 'install-iphone'
  | 'subscribe'
  | 'payment';

/** Content of the sign-in prompt. */
export type Prompt = {
  /** “Sign in to see your Library”. */
  title: string;
  /** Cover of the item. */
  imageUrl?: string | null | undefined;
  /** Title of an audio that needs a subscription, not only an account. */
  lockedTitle?: string | undefined;
};

/** Spec §3, "Modal state"; names are the spec's. */
export type ModalState = {
  /** At most one: a second one replaces the first. */
  modal: ModalName | undefined;
  prompt: Prompt | undefined;
  subscriptionPeriod: Period;
  isSubscriptionPeriodSelected: boolean;
  /** Title of the audio that opened the subscribe banner, or the question for the age. */
  subscribeName: string | undefined;
  /** The listener wants to close the window while a payment is being made. */
  isLeaveAsked: boolean;
  /** A payment was made on this page. */
  isPaymentAdded: boolean;
  /**
   * Arrived by an advertisement and not logged in yet; survives the closing of the modals after a log-in (product.md,
   * “Paid link”).
   */
  isTroughPaidlink: boolean;
  hasSocialError: boolean;
  socialErrorProvider: SocialProvider | undefined;
  socialErrorMessage: string | undefined;
};

export type ModalAction =
  | { type: 'opened'; modal: ModalName }
  | { type: 'asked'; prompt: Prompt }
  | { type: 'subscribe-asked'; name: string | undefined; modal?: 'age' | undefined }
  | { type: 'closed' }
  | { type: 'period-chosen'; period: Period }
  | { type: 'leave-asked'; isLeaveAsked: boolean }
  | { type: 'payment-added' }
  | { type: 'social-failed'; provider: SocialProvider; message: string }
  | { type: 'paid-link'; isTroughPaidlink: boolean }
  /** Log-out: clears all of the previous user’s state. */
  | { type: 'reset' };

export const noModal: ModalState = {
  modal: undefined,
  prompt: undefined,
  subscriptionPeriod: 'year',
  isSubscriptionPeriodSelected: false,
  subscribeName: undefined,
  isLeaveAsked: false,
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
      return { ...state, ...noSocialError, isLeaveAsked: false, modal: action.modal };
    case 'asked':
      return { ...state, ...noSocialError, modal: 'sign-in-prompt', prompt: action.prompt };
    // The banner starts with the year, even if another period was chosen before.
    case 'subscribe-asked':
      return {
        ...state,
        ...noSocialError,
        modal: action.modal ?? 'subscribe',
        subscribeName: action.name,
        subscriptionPeriod: 'year',
        isSubscriptionPeriodSelected: false,
      };
    // Spec §4: closing any modal resets all of them, the social error, and the period.
    case 'closed':
      return { ...noModal, isTroughPaidlink: state.isTroughPaidlink, isPaymentAdded: state.isPaymentAdded };
    case 'period-chosen':
      return { ...state, subscriptionPeriod: action.period, isSubscriptionPeriodSelected: true };
    case 'leave-asked':
      return { ...state, isLeaveAsked: action.isLeaveAsked };
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
