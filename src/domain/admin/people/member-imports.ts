import { desc } from 'drizzle-orm';
import type { AddJobs } from '../../gateways.ts';
import { violatedIndex } from '../../identity/unique-fields.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import {
  type MemberImport,
  findImport,
  findOpenImportOf,
  storeImport,
} from '../../membership/importing/plan-import.ts';
import * as running from '../../membership/importing/run-import.ts';
import { memberImports } from '../../membership/importing/tables.ts';
import type { AccountParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

/** Members who come from elsewhere, as operators bring them in. */

type ImportActs = AccountParts & { addJobs: AddJobs };

const shownImports = 5;

/**
 * Reads a file of members and says what its import would do. A file whose import is under way goes on with that.
 * @param file.text decoded as UTF-8
 */
export async function planMemberImport(
  { db, identity }: AccountParts,
  actor: Actor,
  file: { name: string; text: string },
) {
  administratorsOnly(actor);
  const open = await findOpenImportOf(db, file.text);
  const stored =
    open === undefined ? await storeImport(db, { ...file, secret: identity.secret }) : { ok: true, id: open };
  return stored as Awaited<ReturnType<typeof storeImport>>;
}

/** The last imports with their progress, newest first. */
export async function listMemberImports({ db }: AccountParts, actor: Actor): Promise<MemberImport[]> {
  administratorsOnly(actor);
  const rows = await db
    .select({ id: memberImports.id })
    .from(memberImports)
    .orderBy(desc(memberImports.createdAt))
    .limit(shownImports);
  const found = await Promise.all(rows.map(({ id }) => findImport(db, id)));
  return found.filter((one) => one !== undefined);
}

/** @param shown how many lines with a problem */
export async function findMemberImport(
  { db }: AccountParts,
  actor: Actor,
  id: string,
  shown?: number,
): Promise<MemberImport | undefined> {
  administratorsOnly(actor);
  return isId(id) ? findImport(db, id, shown) : undefined;
}

type ImportAct = 'start' | 'pause' | 'resume' | 'retry' | 'discard';

/**
 * Starts a planned import or forgets it, pauses one after the current lines, goes on, or tries again what failed.
 * @returns undefined for an unknown import; `changed`: how many lines, for a retry
 * @throws DomainError `member-import/running` while another one is open
 */
export async function actOnMemberImport(
  { db, addJobs }: ImportActs,
  actor: Actor,
  id: string,
  act: ImportAct,
): Promise<{ changed: number } | undefined> {
  administratorsOnly(actor);
  const found = isId(id) ? await findImport(db, id, 0) : undefined;
  if (found === undefined) return undefined;
  const fits = act === 'start' || act === 'discard' ? found.state === 'planned' : found.state !== 'planned';
  if (!fits) return { changed: 0 };
  try {
    const changed = await db.transaction(async (tx) => {
      const number =
        act === 'retry'
          ? await running.retryImport(tx, id)
          : act === 'discard'
            ? Number(await running.discardImport(tx, id))
            : Number(await running.setImportState(tx, id, act === 'pause' ? 'paused' : 'running'));
      if (number > 0 && act !== 'discard')
        await recordByOperator(tx, actor, {
          action: `member-import.${act}`,
          subject: { type: 'member-import', id, name: found.fileName },
          ...(act === 'start' && { after: { lines: found.total, refused: found.refused } }),
        });
      return { changed: number };
    });
    if (act !== 'pause' && act !== 'discard') await addJobs(running.memberImportJob, [id]);
    return changed;
  } catch (error) {
    if (violatedIndex(error) === 'member_imports_open_idx') throw new DomainError('member-import/running');
    throw error;
  }
}

export function findRunningImports({ db }: AccountParts): Promise<string[]> {
  return running.findRunningImports(db);
}

/** @throws the reason of `signal`, or when identity or payment provider do not answer */
export function runImport(
  { membership, identity }: AccountParts,
  id: string,
  options?: Parameters<typeof running.runImport>[2],
): Promise<void> {
  return running.runImport({ ...membership, identity }, id, options);
}

export function purgeImports({ db }: AccountParts): Promise<number> {
  return running.purgeImports(db);
}
