import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { CardPaymentSettings } from '#domain/membership/shapes.ts';
import { language } from '#i18n';
import { browserLimits, inTime } from '#player/browser-limits.ts';

let loading: Promise<Stripe> | undefined;

/**
 * Loads the provider’s script once, and only when a form with card fields is shown, for privacy. Rejects when the load
 * fails; the next call retries.
 */
export function loadPaymentScript(settings: CardPaymentSettings): Promise<Stripe> {
  loading ??= load(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load({ publishableKey, scriptSrc }: CardPaymentSettings): Promise<Stripe> {
  // A sandbox’s script defines the same global, which `loadStripe` then uses.
  if (scriptSrc !== null) await inTime(addScript(scriptSrc), browserLimits.asset);
  const stripe = await inTime(loadStripe(publishableKey, { locale: language() }), browserLimits.asset).catch(
    (error: unknown) => {
      // Ends the library's own wait, which the next call would share.
      const script = [...document.scripts].find(({ src }) => src.startsWith('https://js.stripe.com/'));
      script?.dispatchEvent(new Event('error'));
      throw error;
    },
  );
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
