import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { englishErrors } from '#domain/kernel/errors.ts';
import { maxImportedMembers, maxMembersFileBytes } from '#domain/membership/importing/rules.ts';
import type { MemberImport } from '#domain/membership/importing/plan-import.ts';
import { CommandError, countOf, readOperatorsFile } from '../command.ts';
import { ownCall } from './own-call.ts';

/** Longer than the lease of an import that was killed. */
const lockMs = 45_000;
const pollMs = 2000;

export const importMembers = ownCall('members import', {
  path: '/members/{file}',
  about: 'Brings members in from a CSV file: accounts without a password, their paid time, and a mail to set one',
  details:
    'Columns: email; paid until, or stripe customer; plan; language. Safe to repeat: the same file goes on where it was stopped, and members get only time that they lack',
  input: z.object({
    dryRun: z.boolean().default(false).describe('only says what would be done, and which lines are refused'),
  }),
  async act({ site, viewer, context, file, input: { dryRun } }) {
    const { people } = site.admin;
    const bytes = await readOperatorsFile(context, file);
    if (bytes.length > maxMembersFileBytes) throw new CommandError(englishErrors['request/too-large']);
    const planned = await people.planMemberImport(viewer, { name: basename(file), text: bytes.toString('utf8') });
    if (!planned.ok) throw new CommandError(englishErrors[planned.reason]);
    const { id } = planned;
    const read = async () => {
      const found = await people.findMemberImport(viewer, id, maxImportedMembers);
      if (found === undefined) throw new CommandError('The import was forgotten meanwhile');
      return found;
    };
    const plan = await read();
    if (dryRun) {
      if (plan.state === 'planned') await people.actOnMemberImport(viewer, id, 'discard');
      sayProblems(plan, context.note);
      return { ...countsOf(plan), note: 'Nothing was changed' };
    }
    await people.actOnMemberImport(viewer, id, plan.state === 'planned' ? 'start' : 'resume');
    const sayProgress = async () => {
      const { waiting, total } = await read();
      context.note(`${total - waiting} of ${countOf(total, 'line')}`);
    };
    for (;;) {
      await people.runImport(id, { lockMs, onProgress: sayProgress });
      // Another process may have it.
      if ((await read()).state !== 'running') break;
      await sayProgress();
      await wait(pollMs);
    }
    const done = await read();
    sayProblems(done, context.note);
    if (done.state === 'paused') return { ...countsOf(done), note: 'An operator has stopped it; repeat to go on' };
    if (done.failed > 0)
      throw new CommandError(
        `${countOf(done.failed, 'line')} failed; try again with members act-on-import --act retry`,
      );
    return { ...countsOf(done), note: 'Done' };
  },
});

function countsOf({ total, waiting, new: made, known, refused, failed, subscriptions, adopted, given }: MemberImport) {
  return { total, waiting, new: made, known, refused, failed, subscriptions, adopted, given };
}

function sayProblems({ problems }: MemberImport, note: (line: string) => unknown): void {
  for (const { line, email, reason, error } of problems)
    note(`line ${line}${email === null ? '' : ` (${email})`}: ${reason ?? error ?? 'failed'}`);
}
