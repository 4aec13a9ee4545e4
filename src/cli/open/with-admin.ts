import { openUsers } from '#domain/admin/people/open-people.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { Db } from '#domain/kernel/db.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { withoutCharges } from '#domain/membership/changes.ts';
import { openPrivacy } from '#domain/privacy/open-privacy.ts';
import { userSql } from '#domain/site.ts';
import { createLog } from '#start/log.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { openIdentityProvider } from '#start/open-identity-provider.ts';
import { openIncomingFiles } from '#start/open-incoming-files.ts';
import { readSecret } from '#start/site-secret.ts';
import type { CommandContext } from '../command.ts';
import { CommandError } from '../command.ts';
import { withMembership } from './with-membership.ts';

type AdminTools = { db: Db; provider: IdentityProvider; users: ReturnType<typeof openUsers> };

/** Runs with the acts of Admin on accounts, whether the site is running or not. */
export async function withAdmin<Result>(
  context: CommandContext,
  act: (tools: AdminTools) => Promise<Result>,
): Promise<Result> {
  const config = context.readConfig();
  return withMembership(context, async (membership) => {
    const { db, mail, site } = membership;
    const identity = await openIdentityProvider({ config, db, log: createLog('silent'), siteName: () => site.name });
    const incoming = await openIncomingFiles(config, await openBlobs(config));
    try {
      const users = openUsers({
        db,
        membership,
        mail,
        site,
        identity: {
          db,
          provider: identity.provider,
          secret: await readSecret(config),
          siteName: site.name,
          siteUrl: config.siteUrl,
          adminSecondFactor: config.adminSecondFactor,
          userSql,
          privacy: openPrivacy({ db, incoming }),
          withoutCharges: (userId, erase, isWanted) => withoutCharges(membership, userId, erase, isWanted),
        },
      });
      return await act({ db, provider: identity.provider, users });
    } finally {
      await identity.close();
    }
  });
}

/** @throws CommandError with the text of the refusal */
export function orRefuse<Outcome extends { ok: true } | { ok: false; reason: ErrorCode }>(
  outcome: Outcome,
): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new CommandError(errorSentences[outcome.reason]);
  return outcome as Extract<Outcome, { ok: true }>;
}
