import { type Config, isLoopback } from '#config';
import { type ProviderName, providerTitles } from '#domain/membership/capabilities.ts';
import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { webhookPathOf } from '#http/webhooks.ts';
import { openHosted } from '#start/open-hosted-payments.ts';
import { openConfiguredStripe } from '#start/open-payments.ts';
import { type Report, reportOn } from './report.ts';

export type PaymentGateways = { hosted: HostedProvider[]; stripe: PaymentProvider | undefined };

/**
 * Whether each payment provider with keys answers with them, and the address at which it has to tell what happened. The
 * form of the keys is checked with the settings. A call that changes nothing is made, within its time limit; neither keys
 * nor addresses with them are reported.
 */
export async function checkPayments(
  config: Config,
  report: Report,
  { hosted, stripe }: PaymentGateways = { hosted: openHosted(config), stripe: openConfiguredStripe(config) },
): Promise<void> {
  const asked: { name: ProviderName; ask: () => Promise<unknown> }[] = hosted.map(({ name, check }) => ({
    name,
    ask: check,
  }));
  if (stripe !== undefined) asked.unshift({ name: 'stripe', ask: () => stripe.findPromoCode('DOCTOR') });
  await Promise.all(
    asked.map(async ({ name, ask }) => {
      const part = reportOn(providerTitles[name], report);
      const address = `${config.siteUrl}${webhookPathOf(name)}`;
      const reason = await ask().then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      );
      if (reason !== undefined)
        return part.fail(
          /*i18n*/ {
            id: 'doctor.payments.refused',
            message: 'it does not answer with the keys of the settings ({reason})',
            values: { reason },
          },
        );
      if (isLoopback(new URL(config.siteUrl).hostname))
        return part.warn(
          /*i18n*/ {
            id: 'doctor.payments.loopback',
            message: 'it answers, and cannot tell this site what happened: SITE_URL is an address of this machine',
          },
        );
      part.ok(
        /*i18n*/ {
          id: 'doctor.payments',
          message: 'it answers; it has to tell what happened at {address}, which is entered there',
          values: { address },
        },
      );
    }),
  );
}

/** Gateways put neither keys nor addresses into their reasons. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return (cause as Error).message.slice(0, 200);
}
