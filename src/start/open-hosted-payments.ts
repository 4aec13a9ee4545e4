import type { Config } from '#config';
import type { Db } from '#domain/kernel/db.ts';
import { providerTitles } from '#domain/membership/capabilities.ts';
import { openHostedPayments } from '#domain/membership/hosted/hosted-payments.ts';
import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import type { RedirectPaymentSettings } from '#domain/membership/shapes.ts';
import { openBtcpay } from '#gateways/btcpay/btcpay.ts';
import { openCcbill } from '#gateways/ccbill/ccbill.ts';
import { openVerotel } from '#gateways/verotel/verotel.ts';
import type { Logger } from 'pino';
import { type PaymentStandIns, openPaymentStandIns } from 'payment-stand-ins';

type Options = { config: Config; db: Db; databaseUrl: string; log: Logger; siteName: () => string };

/**
 * The configured providers with pages of their own, in the order in which they would be the main one, and what plays
 * those that `PAYMENT_STAND_INS` names.
 */
export async function openHostedProviders(options: Options): Promise<{
  opened: { provider: PaymentProvider; browser: RedirectPaymentSettings }[];
  standIns: PaymentStandIns | undefined;
}> {
  const { config, db, databaseUrl, log, siteName } = options;
  const { siteUrl, paymentStatement, paymentStandIns: played } = config;
  const back = (outcome: string) => `${siteUrl}/subscribe/return?order=%%reference%%&outcome=${outcome}`;
  const ccbillUrls = { approved: back('paid'), denied: back('closed') };
  const standIns =
    played.length === 0
      ? undefined
      : await openPaymentStandIns({ databaseUrl, siteUrl, log, ccbillUrls, isMounted: true });
  const opened = [
    ...openHosted(config),
    ...(standIns === undefined ? [] : played.map((name) => openStandIn(standIns, name))),
  ];
  return {
    standIns,
    opened: opened.map((hosted) => ({
      provider: openHostedPayments({ db, provider: hosted, siteUrl, siteName }),
      browser: {
        form: 'redirect',
        provider: hosted.name,
        title: providerTitles[hosted.name],
        statementName: paymentStatement ?? null,
        sellsInOwnName: hosted.capabilities.sellsInOwnName,
        isPrepaid: hosted.capabilities.prepaid,
        isStandIn: played.includes(hosted.name),
      },
    })),
  };
}

/** Those with keys, without stand-ins. */
export function openHosted({
  verotel,
  ccbill,
  btcpay,
}: Pick<Config, 'verotel' | 'ccbill' | 'btcpay'>): HostedProvider[] {
  const opened = [verotel && openVerotel(verotel), ccbill && openCcbill(ccbill), btcpay && openBtcpay(btcpay)];
  return opened.filter((one) => one !== undefined);
}

/** Talks to the stand-ins over HTTP, as to the provider. */
export function openStandIn(
  { credentials, url, publicUrl }: PaymentStandIns,
  name: HostedProvider['name'],
  now?: () => Date,
): HostedProvider {
  switch (name) {
    case 'verotel':
      return openVerotel({ ...credentials.verotel, baseUrl: publicUrl, askUrl: url, supportUrl: publicUrl, now });
    case 'ccbill':
      return openCcbill({
        ...credentials.ccbill,
        formUrl: publicUrl,
        dataLinkUrl: url,
        supportUrl: publicUrl,
        networks: ['127.0.0.0/8', '::1/128'],
        now,
      });
    case 'btcpay':
      return openBtcpay({ ...credentials.btcpay, baseUrl: url, now });
  }
}
