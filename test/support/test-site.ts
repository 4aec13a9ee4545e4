import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Db } from '#domain/kernel/db.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { Operator } from '#domain/editorial/info-pages.ts';
import type { SharedReads } from '#domain/kernel/shared-reads.ts';
import type { AddJobs, Mail, MailMessage, Push } from '#domain/gateways.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import type { CardPaymentSettings } from '#domain/membership/shapes.ts';
import { openSite } from '#domain/site.ts';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openDiskIncomingFiles } from '#gateways/disk-incoming-files.ts';
import { openTestIdentity, testOrigin, testSecret } from './identity.ts';
import { mailInto } from './servers/mail-box.ts';
import { openPlainPayments } from './payments/plain-payments.ts';

export const testPayments: CardPaymentSettings = {
  form: 'card',
  provider: 'stripe',
  publishableKey: 'pk_test_plain',
  scriptSrc: null,
  isSandbox: false,
};

/** The domain on a test's database, without HTTP. */
export async function openTestSite(
  db: Db,
  provider?: IdentityProvider,
  payments: PaymentProvider = openPlainPayments().provider,
  mails: MailMessage[] = [],
  {
    adminSecondFactor = 'optional',
    shared,
    push,
    mail = mailInto(mails),
    operator,
    addJobs,
  }: {
    adminSecondFactor?: 'required' | 'optional';
    shared?: SharedReads;
    push?: Push;
    mail?: Mail;
    operator?: Operator;
    addJobs?: AddJobs;
  } = {},
) {
  const blobsDir = await mkdtemp(join(tmpdir(), 'sotto-test-site-'));
  afterAll(() => rm(blobsDir, { recursive: true, force: true }));
  const blobs = openDiskBlobs({ dir: join(blobsDir, 'blobs') });
  return openSite({
    db,
    facts: {
      name: 'Sotto',
      url: testOrigin,
      appLinks: { ios: undefined, android: undefined },
      identity: { provider: 'built-in', social: [], isLocal: true },
      payments: testPayments,
      cardPayments: testPayments,
      paymentTitles: ['Stripe'],
      testCards: [],
      transportKey: undefined,
      ...(operator && { operator }),
    },
    identityProvider: provider ?? (await openTestIdentity({ db })).provider,
    payments,
    mail,
    blobs,
    incoming: openDiskIncomingFiles({ dir: join(blobsDir, 'uploads'), blobs }),
    covers: openCovers(),
    secret: testSecret,
    adminSecondFactor,
    ...(shared && { shared }),
    push,
    ...(addJobs && { addJobs }),
  });
}
