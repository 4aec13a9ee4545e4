import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { BrowserPaymentSettings } from '#domain/membership/rules.ts';

let loading: Promise<Stripe> | undefined;

/** The provider's own script, once. Only for a form that is shown: nothing is asked of anybody before. Rejects where it cannot be fetched; the next call tries again. */
export function loadPaymentScript(settings: BrowserPaymentSettings): Promise<Stripe> {
  loading ??= load(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load({ publishableKey, scriptSrc }: BrowserPaymentSettings): Promise<Stripe> {
  // A sandbox defines what the provider's script would; `loadStripe` then takes that.
  if (scriptSrc !== null) await addScript(scriptSrc);
  const stripe = await loadStripe(publishableKey);
  if (stripe === null) throw new Error('The payment script has nothing to run in');
  return stripe;
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('The payment script could not be fetched'));
    });
    document.head.append(script);
  });
}
