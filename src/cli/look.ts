import { writeFile } from 'node:fs/promises';
import type { LookOutcome } from '#domain/admin/look.ts';
import { openAdminLook } from '#domain/admin/open-look.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { operator } from '#domain/kernel/actor.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '../open-blobs.ts';
import type { Command } from './command.ts';
import { CommandError, resolveFolder, UsageError } from './command.ts';
import { readOperatorsFile } from './files.ts';
import { withDatabase } from './with-database.ts';

export const lookCommand: Command = {
  help: `look export <file>
look import <file>
look undo

Writes the look of the site into one file, or takes it from one: name, logo, icon, share card, colors, the first lines
and the picture on Home, its rails, the note above the sign-up, the footer and the texts of the site. Prices are not in
it. An import is checked whole before anything changes, and changes everything or nothing. It shows at once, also on a
running site.

  undo  brings back the look before the last import, unless something was changed since`,
  async run(args, context) {
    const [act, path, ...more] = args;
    const isKnown = act === 'undo' ? args.length === 1 : (act === 'export' || act === 'import') && path !== undefined;
    if (!isKnown || more.length > 0) throw new UsageError('say export or import and a file, or undo');
    const text =
      act === 'import' && path !== undefined ? new TextDecoder().decode(await readOperatorsFile(context, path)) : '';
    const blobs = await openBlobs(context.readConfig());
    await withDatabase(context, async (db) => {
      const look = openAdminLook({ db, blobs, covers: openCovers() });
      if (act === 'import') orRefuse(await look.importLook(operator, text));
      else if (act === 'undo') orRefuse(await look.undoImport(operator));
      else await writeFile(resolveFolder(context, path ?? ''), await look.exportLook(operator));
    });
    context.say(
      act === 'export'
        ? `The look is in ${path}.`
        : act === 'import'
          ? 'The look is imported.'
          : 'The look before is back.',
    );
    return 0;
  },
};

function orRefuse(outcome: LookOutcome): void {
  if (!outcome.ok) throw new CommandError(outcome.message ?? errorSentences[outcome.reason]);
}
