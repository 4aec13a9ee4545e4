import type { Db } from '#domain/db.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import { openSite } from '#domain/site.ts';
import { openTestIdentity, testOrigin } from './identity.ts';

/** All the site can do, on a test's database, without HTTP. */
export async function openTestSite(db: Db, provider?: IdentityProvider) {
  return openSite({
    db,
    facts: {
      name: 'Sotto',
      url: testOrigin,
      appLinks: { ios: undefined, android: undefined },
      identity: { provider: 'built-in', google: false, facebook: false },
      transportKey: undefined,
    },
    identityProvider: provider ?? (await openTestIdentity({ db })).provider,
    secret: 'a secret that is only for tests',
  });
}
