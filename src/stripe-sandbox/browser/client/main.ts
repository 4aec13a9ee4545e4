import type { StripeConstructor } from '@stripe/stripe-js';
import { createStripe } from './stripe.ts';

/** Where the release of Stripe.js is named that `@stripe/stripe-js` expects; it warns of any other. */
const version = 'endive';

// `loadStripe` uses what it finds here, and loads nothing from Stripe.
window.Stripe = Object.assign((key: string) => createStripe(key), { version }) as unknown as StripeConstructor;
