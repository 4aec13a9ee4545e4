import { DomainError } from '#domain/kernel/errors.ts';
import type { ProviderName } from '#domain/membership/capabilities.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { stripeCapabilities } from '#gateways/stripe/stripe-payments.ts';

/** A provider that is off: every call fails, as at an account that was closed overnight. */
export function openSilentProvider(name: ProviderName = 'stripe'): { provider: PaymentProvider; calls: string[] } {
  const calls: string[] = [];
  const facts: Record<string, unknown> = { name, capabilities: stripeCapabilities, checkouts: undefined, received: '' };
  const provider = new Proxy(facts, {
    get: (own, key: string) =>
      key in own || key === 'then' || key === 'testClock'
        ? own[key]
        : async () => {
            calls.push(key);
            throw new DomainError('payment/unavailable');
          },
  });
  return { provider: provider as unknown as PaymentProvider, calls };
}
