import type { StripeConstructor } from '@stripe/stripe-js';
import { createStripe } from './stripe.ts';

/** The release of Stripe.js that `@stripe/stripe-js` expects; it warns about any other. */
const version = 'endive';

// `loadStripe` uses an existing `window.Stripe` instead of loading from Stripe.
window.Stripe = Object.assign((key: string) => createStripe(key), { version }) as unknown as StripeConstructor;
