import { formatTime } from '#formats/durations.ts';
import { restorableDays } from '#domain/catalogue/editing/deletion.ts';
import type { AudioState } from '#domain/catalogue/editing/publishing.ts';
import { listAudioStates, listDraftSlugs } from '#domain/catalogue/editing/publishing.ts';
import type { Commenters } from '#domain/catalogue/rules.ts';
import { commenterChoices, nameLines } from '#domain/catalogue/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { ManagedResult } from '#domain/studio/audios/publishing.ts';
import {
  chooseSitePreview,
  deleteAudio,
  publishAudios,
  setAudioFree,
  setCommenters,
  restoreAudio,
  unpublishAudio,
} from '#domain/studio/audios/publishing.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, parseCommandLine, parseWords, UsageError } from './command.ts';
import { readTime } from './time.ts';
import { withDatabase } from './open/with-database.ts';

/** Changes one audio and prints its new state. */
async function changeAudio(
  context: CommandContext,
  idOrSlug: string,
  act: (db: Db) => Promise<ManagedResult>,
  describe: (audio: AudioState) => string,
): Promise<number> {
  const result = await withDatabase(context, act);
  if (!result.ok) {
    const reasons = {
      'not-found': noAudio(idOrSlug),
      'owners-only': `Only owners can change ${idOrSlug} in this way`,
      'not-published': `The audio ${idOrSlug} is not published; the preview is what every visitor hears first`,
      'is-preview': `${idOrSlug} is the preview, which every visitor hears first: name another with npm run sotto -- preview <slug>, or add --even-preview`,
      'mistimed-transcript': `The transcript of ${idOrSlug} has wrong times`,
    };
    throw new CommandError(reasons[result.reason]);
  }
  const { audio, changed } = result;
  context.print(`${audio.slug} ${changed ? 'is now' : 'was already'} ${describe(audio)}.`);
  if (audio.isPreview && (audio.state !== 'published' || audio.isHidden))
    context.note(
      `${audio.slug} is the preview, and visitors cannot hear it now; name another with npm run sotto -- preview <slug>`,
    );
  return 0;
}

function describeState(audio: AudioState): string {
  if (audio.state === 'deleted') return `deleted, and goes for good on ${purgeDay(audio)}`;
  if (audio.state === 'draft') return 'a draft';
  const state =
    audio.state === 'scheduled' ? `to be published at ${audio.publishedAt}` : `published, since ${audio.publishedAt}`;
  return audio.isHidden ? `${state}, but hidden with its creator` : state;
}

/** `2026-12-22` */
function purgeDay({ deletedAt }: AudioState): string {
  const day = new Date(deletedAt ?? 0);
  day.setUTCDate(day.getUTCDate() + restorableDays);
  return day.toISOString().slice(0, 10);
}

export const publishCommand: Command = {
  help: `publish <slug>... | --all [--at <time>]

Publishes all given audios or, if one is refused, none. They appear in every list at once, also on a running site.

  --all        every draft; scheduled audios keep their time
  --at <time>  such as 2026-02-14T20:00:00Z, or with an offset such as +01:00. A future time schedules them, except
               the published preview; a past one backdates them. Without it: now; audios that are or were published keep their first date.`,
  async run(args, context) {
    const { values, positionals } = parseWords(args, { at: { type: 'string' }, all: { type: 'boolean' } });
    if (values.all === true && positionals.length > 0) throw new UsageError('--all needs no slug');
    if (values.all !== true && positionals.length === 0) throw new UsageError('<slug> is missing');
    const at = values.at === undefined ? undefined : readTime(values.at);
    const outcome = await withDatabase(context, async (db) =>
      publishAudios(db, operator, values.all === true ? await listDraftSlugs(db) : positionals, at),
    );
    if (!outcome.ok)
      throw new CommandError(
        outcome.reason === 'is-preview'
          ? `${outcome.idOrSlug} is the preview, which every visitor hears first: name another with npm run sotto -- preview <slug>`
          : outcome.reason === 'mistimed-transcript'
            ? `${nameLines(outcome.lines)} of the transcript of ${outcome.idOrSlug} end too early, overlap, or lie outside the sound; correct them by npm run sotto -- edit <slug> --transcript`
            : noAudio(outcome.idOrSlug),
      );
    for (const { audio, changed } of outcome.results)
      context.print(`${audio.slug} ${changed ? 'is now' : 'was already'} ${describeState(audio)}.`);
    if (values.all === true) context.note(`${countOf(outcome.results.length, 'draft')} published.`);
    return 0;
  },
};

function noAudio(idOrSlug: string): string {
  return `There is no audio ${JSON.stringify(idOrSlug)}; see npm run sotto -- audios`;
}

export const unpublishCommand: Command = {
  help: `unpublish <slug> [--even-preview]

Makes an audio a draft again: it disappears from every list, and its file cannot be loaded. Its counts stay. When
published again, it keeps its first date.

  --even-preview  also if it is the preview, which visitors then cannot hear`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { 'even-preview': { type: 'boolean' } }, ['<slug>']);
    const evenPreview = values['even-preview'] === true;
    return changeAudio(
      context,
      positionals[0],
      (db) => unpublishAudio(db, operator, positionals[0], { evenPreview }),
      describeState,
    );
  },
};

export const deleteCommand: Command = {
  help: `delete <slug> [--even-preview]

Deletes an audio: it disappears from every list, and its file cannot be loaded. For ${countOf(restorableDays, 'day')}
undelete restores it; then its files, counts and comments are deleted permanently.

  --even-preview  also if it is the preview, which visitors then cannot hear`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { 'even-preview': { type: 'boolean' } }, ['<slug>']);
    const [slug] = positionals;
    const evenPreview = values['even-preview'] === true;
    return changeAudio(context, slug, (db) => deleteAudio(db, operator, slug, { evenPreview }), describeState);
  },
};

export const undeleteCommand: Command = {
  help: `undelete <slug>

Restores a deleted audio, published or not; see audios --deleted.`,
  async run(args, context) {
    const [slug] = parseCommandLine(args, {}, ['<slug>']).positionals;
    return changeAudio(context, slug, (db) => restoreAudio(db, operator, slug), describeState);
  },
};

export const freeCommand: Command = {
  help: `free <slug>

Lets anyone hear an audio, with and without a subscription.`,
  run: (args, context) => changeFree(args, context, true),
};

export const notFreeCommand: Command = {
  help: `not-free <slug>

Keeps an audio for subscribers.`,
  run: (args, context) => changeFree(args, context, false),
};

async function changeFree(args: string[], context: CommandContext, isFree: boolean): Promise<number> {
  const { positionals } = parseCommandLine(args, {}, ['<slug>']);
  return changeAudio(
    context,
    positionals[0],
    (db) => setAudioFree(db, operator, positionals[0], isFree),
    (audio) =>
      audio.isFree
        ? 'free for everyone'
        : audio.isPreview
          ? 'for subscribers only, but free as the preview'
          : 'for subscribers only',
  );
}

const commentsOf: Record<Commenters, string> = {
  everyone: 'open for comments',
  subscribers: 'open for comments of subscribers',
  nobody: 'closed for comments',
};

export const commentsCommand: Command = {
  help: `comments <slug> everyone|subscribers|nobody

Chooses who may comment on an audio: everyone with an account, subscribers only, or nobody. With nobody its comments
are hidden until commenting is allowed again.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<slug>', 'everyone, subscribers or nobody']);
    const [slug, chosen] = positionals;
    const commenters = commenterChoices.find((choice) => choice === chosen);
    if (commenters === undefined) throw new UsageError(`"${chosen}" is not everyone, subscribers or nobody`);
    return changeAudio(
      context,
      slug,
      (db) => setCommenters(db, operator, slug, commenters),
      (audio) => commentsOf[audio.commenters],
    );
  },
};

export const previewCommand: Command = {
  help: `preview <slug>

Sets the one audio that anyone may hear, and that an empty player shows. It has to be published.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<slug>']);
    return changeAudio(
      context,
      positionals[0],
      (db) => chooseSitePreview(db, operator, positionals[0]),
      () => 'the preview',
    );
  },
};

/** Acts on audios by their noun; `publish <slug>` is short for `audios publish <slug>`. */
const acts: Record<string, () => Promise<Command>> = {
  publish: async () => publishCommand,
  unpublish: async () => unpublishCommand,
  free: async () => freeCommand,
  'not-free': async () => notFreeCommand,
  delete: async () => deleteCommand,
  undelete: async () => undeleteCommand,
  comments: async () => commentsCommand,
  preview: async () => previewCommand,
  list: async () => listCommand,
  edit: async () => (await import('./edit.ts')).editCommand,
  import: async () => (await import('./import.ts')).importCommand,
};

export const audiosCommand: Command = {
  help: `audios [list] | ${Object.keys(acts)
    .filter((act) => act !== 'list')
    .join(' | ')} …

Acts on audios; help <act> explains one, such as help publish. Without an act it lists them in the order they were made:
slug, state, length, voice, title.

  --drafts   only drafts and scheduled audios
  --deleted  audios that undelete can restore
  --json     one JSON object per line`,
  async run([act, ...rest], context) {
    const load = act !== undefined && Object.hasOwn(acts, act) ? acts[act] : undefined;
    if (load !== undefined) return (await load()).run(rest, context);
    if (act !== undefined && !act.startsWith('-')) throw new UsageError(`"${act}" is not known here`);
    return listCommand.run(act === undefined ? [] : [act, ...rest], context);
  },
};

const pageSize = 100;
const flag = { type: 'boolean' } as const;

const listCommand: Command = {
  help: '',
  async run(args, context) {
    const { values } = parseCommandLine(args, { drafts: flag, deleted: flag, json: flag }, []);
    if (values.drafts === true && values.deleted === true)
      throw new UsageError('--drafts and --deleted exclude each other');
    const only = values.deleted === true ? 'deleted' : values.drafts === true ? 'unpublished' : undefined;
    return withDatabase(context, async (db) => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const page = await listAudioStates(db, { only, cursor, limit: pageSize });
        for (const audio of page.items)
          context.print(values.json === true ? JSON.stringify(audio) : describeLine(audio));
        count += page.items.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      if (values.json !== true)
        context.note(
          only === 'unpublished'
            ? countOf(count, 'unpublished audio')
            : countOf(count, only === 'deleted' ? 'deleted audio' : 'audio'),
        );
      return 0;
    });
  },
};

function describeLine(audio: AudioState): string {
  const marks = [
    audio.state === 'scheduled'
      ? `scheduled for ${audio.publishedAt}`
      : audio.state === 'deleted'
        ? describeState(audio)
        : audio.state,
    ...(audio.isHidden ? ['creator hidden'] : []),
    ...(audio.isFree ? ['free'] : []),
    ...(audio.isPreview ? ['preview'] : []),
    ...(audio.commenters === 'everyone' ? [] : [`comments: ${audio.commenters}`]),
  ];
  return `${audio.slug}  [${marks.join(', ')}]  ${formatTime(audio.numberDuration)}  ${audio.voice.name}: ${audio.title}`;
}
