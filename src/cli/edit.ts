import { AudioEdit } from '#domain/catalogue/editing/editing.ts';
import { parseVtt } from '#domain/catalogue/cue-rules.ts';
import type { AudioText } from '#domain/catalogue/rules.ts';
import { audioTextNames, eachAudioText, nameLines } from '#domain/catalogue/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import { editAudioFiles } from '#domain/studio/audios/edit-audio.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, parseCommandLine, resolveFolder, UsageError } from './command.ts';
import { openFileTools, readOperatorsFile, withSoundEngine } from './files.ts';
import { withDatabase } from './open/with-database.ts';

const string = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const several = { type: 'string', multiple: true } as const;

const withoutText = Object.fromEntries(audioTextNames.map((name) => [`no-${name}`, flag])) as Record<
  `no-${AudioText}`,
  typeof flag
>;

export const editCommand: Command = {
  help: `edit <slug> [options]

Changes the given fields of an audio: all of them or, if one is refused, none. Effective at once, also on a running
site.

  --title <text>          --description <text>
  --file <file>           its sound, checked like an import; the former file is removed
  --cover <file>          its picture   --no-cover
  --slug <slug>           its address; the old one redirects
  --voice <slug>          another voice
  --color <#RRGGBB>       --no-color
${audioTextNames.map((name) => `  ${`--${name} <text>`.padEnd(22)}  --no-${name}\n`).join('')}  --category <slug>       may be given more than once; replaces all   --no-categories
  --tag <label>           the same   --no-tags
  --series <slug>         --part <number>, behind all others without it   --no-series
  --transcript <file>     WebVTT   --no-transcript`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        title: string,
        description: string,
        file: string,
        cover: string,
        'no-cover': flag,
        slug: string,
        voice: string,
        color: string,
        'no-color': flag,
        ...eachAudioText(() => string),
        ...withoutText,
        category: several,
        'no-categories': flag,
        tag: several,
        'no-tags': flag,
        series: string,
        part: string,
        'no-series': flag,
        transcript: string,
        'no-transcript': flag,
      },
      ['<slug>'],
    );
    if (values.part !== undefined && values.series === undefined) throw new UsageError('--part needs --series');
    const wanted = {
      title: values.title,
      description: values.description,
      slug: values.slug,
      voice: values.voice,
      color: values['no-color'] ? null : values.color,
      ...eachAudioText((name) => (values[`no-${name}`] ? null : values[name])),
      categories: values['no-categories'] ? [] : values.category,
      tags: values['no-tags'] ? [] : values.tag,
      series: values['no-series']
        ? null
        : values.series && { slug: values.series, ...(values.part !== undefined && { part: Number(values.part) }) },
      transcript: values['no-transcript']
        ? null
        : values.transcript === undefined
          ? undefined
          : await readTranscript(context, values.transcript),
    };
    const files = {
      sound: values.file === undefined ? undefined : resolveFolder(context, values.file),
      cover: values['no-cover']
        ? null
        : values.cover === undefined
          ? undefined
          : await readOperatorsFile(context, values.cover),
    };
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const changed = [
      ...Object.keys(given),
      ...(files.sound === undefined ? [] : ['file']),
      ...(files.cover === undefined ? [] : ['cover']),
    ];
    if (changed.length === 0) throw new UsageError('name something to change');
    const parsed = AudioEdit.safeParse(given);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new UsageError(`--${issue?.path.join(' ')}: ${issue?.message}`);
    }
    const [slug] = positionals;
    const result = await withDatabase(context, async (db) => {
      const tools = { db, ...(await openFileTools(context)) };
      return withSoundEngine({ config: context.readConfig(), blobs: tools.blobs }, (engine) =>
        editAudioFiles({ ...tools, engine }, operator, slug, parsed.data, files),
      );
    });
    if (!result.ok) {
      if (result.reason === 'not-a-picture')
        throw new CommandError(`The cover ${values.cover} cannot be read as a picture`);
      if ('detail' in result) throw new CommandError(`${files.sound} ${result.detail}`);
      if (result.reason === 'mistimed-transcript')
        throw new CommandError(
          `${nameLines(result.lines)} of ${values.transcript} end too early, overlap, or lie outside the sound`,
        );
      const name = JSON.stringify(result.name);
      const reasons = {
        'not-found': `There is no audio ${name}; see npm run sotto -- audios`,
        'slug-taken': `Another audio has the slug ${name} already, perhaps a deleted one; see npm run sotto -- audios --deleted`,
        'unknown-voice': `There is no voice ${name}`,
        'unknown-category': `There is no category ${name}`,
        'unknown-series': `There is no series ${name}`,
      };
      throw new CommandError(reasons[result.reason]);
    }
    context.print(`${result.audio.slug} is changed: ${changed.join(', ')}.`);
    if (files.sound !== undefined && wanted.transcript === undefined)
      context.note('Its transcript stays as it was; where it belongs to the sound before, name another one');
    return 0;
  },
};

async function readTranscript(context: CommandContext, path: string) {
  const cues = parseVtt((await readOperatorsFile(context, path)).toString('utf8'));
  if (cues === undefined) throw new CommandError(`${resolveFolder(context, path)} is not a WebVTT file`);
  return cues;
}
