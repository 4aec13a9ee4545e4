import { setPicture } from '#domain/admin/content/pictures.ts';
import { operator } from '#domain/kernel/actor.ts';
import { editVoice } from '#domain/studio/pictures.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, parseCommandLine, UsageError } from './command.ts';
import { openFileTools, readOperatorsFile } from './files.ts';
import { withDatabase } from './open/with-database.ts';

const pictureOptions = { picture: { type: 'string' }, 'no-picture': { type: 'boolean' } } as const;

/** @returns null to remove it, undefined to keep it */
async function readPicture(
  context: CommandContext,
  values: { picture?: string | undefined; 'no-picture'?: boolean | undefined },
): Promise<Buffer | null | undefined> {
  if (values['no-picture'] === true) return null;
  return values.picture === undefined ? undefined : readOperatorsFile(context, values.picture);
}

export const voiceCommand: Command = {
  help: `voice <slug> [options]

Changes a voice: all given fields or, if one is refused, none.

  --picture <file>          its portrait   --no-picture
  --linked-series <slug>    links to the voice lead to this series, which links to the voice's page; none: no series`,
  async run(args, context) {
    const options = { ...pictureOptions, 'linked-series': { type: 'string' } } as const;
    const { values, positionals } = parseCommandLine(args, options, ['<slug>']);
    const [slug] = positionals;
    const series = values['linked-series'];
    const linkedSeries = series === 'none' ? null : series;
    const picture = await readPicture(context, values);
    if (picture === undefined && linkedSeries === undefined) throw new UsageError('name something to change');
    const result = await withDatabase(context, async (db) =>
      editVoice({ db, ...(await openFileTools(context)) }, operator, slug, { picture, linkedSeries }),
    );
    if (!result.ok) {
      const reasons = {
        'not-found': `There is no voice ${JSON.stringify(slug)}`,
        'not-a-picture': `The file ${values.picture} cannot be read as a picture`,
        'unknown-series': `There is no series ${JSON.stringify(series)}`,
        'series-of-another': `The series ${series} belongs to another voice`,
      };
      throw new CommandError(reasons[result.reason]);
    }
    const changed = [picture !== undefined && 'picture', linkedSeries !== undefined && 'linked series'];
    context.print(`${slug} is changed: ${changed.filter(Boolean).join(', ')}.`);
    return 0;
  },
};

export const categoryCommand: Command = {
  help: `category <slug> --picture <file> | --no-picture

Sets or removes the picture of a category.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, pictureOptions, ['<slug>']);
    const [slug] = positionals;
    const picture = await readPicture(context, values);
    if (picture === undefined) throw new UsageError('name something to change');
    const result = await withDatabase(context, async (db) =>
      setPicture({ db, ...(await openFileTools(context)) }, operator, 'category', slug, { picture }),
    );
    if (!result.ok) {
      const reasons = {
        'not-found': `There is no category ${JSON.stringify(slug)}`,
        'not-a-picture': `The file ${values.picture} cannot be read as a picture`,
        changed: `The picture of ${slug} was changed meanwhile`,
      };
      throw new CommandError(reasons[result.reason]);
    }
    context.print(`${slug} is changed: picture.`);
    return 0;
  },
};
