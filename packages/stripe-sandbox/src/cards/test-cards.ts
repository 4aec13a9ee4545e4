/** Decline reasons with Stripe's messages (https://docs.stripe.com/testing, https://docs.stripe.com/declines/codes). */
export type Decline = { code: string; declineCode?: string; param?: string; message: string };

export const declines = {
  generic: { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
  insufficientFunds: {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired: { code: 'expired_card', declineCode: 'expired_card', param: 'exp_month', message: 'Your card has expired.' },
  incorrectCvc: {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    param: 'cvc',
    message: "Your card's security code is incorrect.",
  },
  processing: {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  authenticationRequired: {
    code: 'authentication_required',
    declineCode: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
} satisfies Record<string, Decline>;

export type DeclineName = keyof typeof declines;

export type CardBehaviour = {
  /** Refused on attaching and on every charge. */
  declinesAlways?: DeclineName;
  /** Can be attached, but refused on every charge. */
  declinesCharges?: DeclineName;
  /** 3-D Secure: required until the card is set up, or on each charge. */
  asks?: 'once' | 'always';
  /** The charge succeeds, and its holder disputes it at once. */
  disputes?: true;
};

export type TestCard = { number: string; outcome: string; behaviour: CardBehaviour };

/** Listed in the "test cards only" form and used by tests. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'Succeeds', behaviour: {} },
  { number: '4000002500003155', outcome: 'Asks for 3-D Secure once', behaviour: { asks: 'once' } },
  { number: '4000002760003184', outcome: 'Asks for 3-D Secure each time', behaviour: { asks: 'always' } },
  {
    number: '4000008260003178',
    outcome: 'Asks for 3-D Secure, then insufficient funds',
    behaviour: { asks: 'always', declinesCharges: 'insufficientFunds' },
  },
  { number: '4000000000000002', outcome: 'Declined', behaviour: { declinesAlways: 'generic' } },
  { number: '4000000000009995', outcome: 'Insufficient funds', behaviour: { declinesAlways: 'insufficientFunds' } },
  { number: '4000000000000069', outcome: 'Expired', behaviour: { declinesAlways: 'expired' } },
  { number: '4000000000000127', outcome: 'Wrong security code', behaviour: { declinesAlways: 'incorrectCvc' } },
  { number: '4000000000000119', outcome: 'Processing error', behaviour: { declinesAlways: 'processing' } },
  { number: '4000000000000341', outcome: 'Is accepted, then fails', behaviour: { declinesCharges: 'generic' } },
  { number: '4000000000000259', outcome: 'Succeeds, then is disputed', behaviour: { disputes: true } },
  { number: '5555555555554444', outcome: 'Succeeds (Mastercard)', behaviour: {} },
  { number: '378282246310005', outcome: 'Succeeds (American Express)', behaviour: {} },
];

/** Names of payment methods for test cards, so that tests need not send numbers. */
export const testPaymentMethods: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
};

/** By the digits in which test numbers name the issuer's country (https://docs.stripe.com/testing#international-cards). */
const countries: Readonly<Record<string, string>> = {
  246: 'FI',
  250: 'FR',
  276: 'DE',
  372: 'IE',
  756: 'CH',
  826: 'GB',
};

/** Succeed, and are of those countries. */
const foreignCards = [
  '4000002460000001',
  '4000002500000003',
  '4000002760000016',
  '4000003720000005',
  '4000007560000009',
  '4000008260000000',
];

export function countryOf(number: string): string {
  return (number.startsWith('400000') ? countries[number.slice(6, 9)] : undefined) ?? 'US';
}

/** Undefined for other numbers, which may be real cards: the sandbox accepts only test cards. */
export function behaviourOf(number: string): CardBehaviour | undefined {
  if (foreignCards.includes(number)) return {};
  return testCards.find((card) => card.number === number)?.behaviour;
}
