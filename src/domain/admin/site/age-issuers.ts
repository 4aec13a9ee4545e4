import { type AgeIssuers, ageIssuersSetting } from '../../age/settings.ts';
import { issuerFacts } from '../../age/wallet/certificates.ts';
import { settingChanged } from '../../identity/setting-changes.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

type Parts = { db: Db; refresh: () => Promise<void> };

/** Trusts an issuer of proofs of age. @throws DomainError `settings/changed` */
export async function addAgeIssuer(
  parts: Parts,
  actor: Actor,
  pem: string,
): Promise<{ ok: true } | { ok: false; reason: 'no-certificate' }> {
  administratorsOnly(actor);
  const facts = issuerFacts(pem);
  if (facts === undefined) return { ok: false, reason: 'no-certificate' };
  await change(parts, actor, (others) => [...others.filter((one) => !isOf(one, facts.fingerprint)), pem.trim()]);
  return { ok: true };
}

/** @param mayLack whether the site may do without the issuer. @throws DomainError `settings/changed` */
export async function removeAgeIssuer(
  parts: Parts,
  actor: Actor,
  fingerprint: string,
  mayLack: (left: AgeIssuers) => boolean,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'no-way' }> {
  administratorsOnly(actor);
  const { certificates } = (await findSetting(parts.db, ageIssuersSetting)).value;
  const left = certificates.filter((one) => !isOf(one, fingerprint));
  if (left.length === certificates.length) return { ok: false, reason: 'not-found' };
  if (!mayLack({ certificates: left })) return { ok: false, reason: 'no-way' };
  await change(parts, actor, () => left);
  return { ok: true };
}

const isOf = (pem: string, fingerprint: string) => issuerFacts(pem)?.fingerprint === fingerprint;
/** Certificates are long, and public: the log has their names. */
const named = ({ certificates }: AgeIssuers) => ({
  issuers: certificates.flatMap((pem) => issuerFacts(pem)?.name ?? []),
});

async function change({ db, refresh }: Parts, actor: Actor, to: (certificates: string[]) => string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const { value, revision } = await findSetting(tx, ageIssuersSetting);
    const after = { certificates: to(value.certificates) };
    const changed = await changeSetting(tx, ageIssuersSetting, { actor, value: after, revision });
    if (changed === undefined) throw await settingChanged(tx, ageIssuersSetting.key, 'settings/changed');
    await recordByOperator(tx, actor, {
      action: 'settings.change',
      subject: { type: 'settings', id: 'age', name: 'Trusted issuers of proofs of age' },
      before: named(changed.before),
      after: named(after),
    });
  });
  await refresh();
}
