import type { AudioState, PublishingResult } from '#domain/catalogue/publishing.ts';
import {
  choosePreview,
  listAudioStates,
  publishAudio,
  setAudioFree,
  setCommentsDisabled,
  unpublishAudio,
} from '#domain/catalogue/publishing.ts';
import type { Db } from '#domain/db.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, formatDuration, parseCommandLine, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Does one thing to one audio and says what it is now. */
async function changeAudio(
  context: CommandContext,
  idOrSlug: string,
  act: (db: Db) => Promise<PublishingResult>,
  describe: (audio: AudioState) => string,
): Promise<number> {
  const result = await withDatabase(context, act);
  if (!result.ok) {
    const reasons = {
      'not-found': `There is no audio ${JSON.stringify(idOrSlug)}; see npm run sotto -- audios`,
      'not-published': `The audio ${idOrSlug} is not published; the preview is what every visitor hears first`,
    };
    throw new CommandError(reasons[result.reason]);
  }
  const { audio, changed } = result;
  context.say(`${audio.slug} ${changed ? 'is now' : 'was already'} ${describe(audio)}.`);
  if (audio.isPreview && audio.state !== 'published')
    context.note(
      `${audio.slug} is the preview, and visitors cannot hear it now; name another with npm run sotto -- preview <slug>`,
    );
  return 0;
}

function describeState(audio: AudioState): string {
  if (audio.state === 'draft') return 'a draft';
  return audio.state === 'scheduled'
    ? `to be published at ${audio.publishedAt}`
    : `published, since ${audio.publishedAt}`;
}

export const publishCommand: Command = {
  help: `publish <slug> [--at <time>]

Brings an audio out. It appears in every list at once, also on a running site.

  --at <time>  when: 2026-02-14T20:00:00Z, or with an offset such as +01:00. In the future, it comes out then;
               in the past, it is dated back. Without it: now, and what is out already keeps its date.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { at: { type: 'string' } }, ['<slug>']);
    const at = values.at === undefined ? undefined : parseTime(values.at);
    return changeAudio(context, positionals[0], (db) => publishAudio(db, positionals[0], at), describeState);
  },
};

/** A time without an offset would mean another moment on every machine. */
function parseTime(text: string): Date {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? new Date(text)
    : undefined;
  // JavaScript turns the 31st of February into the 3rd of March.
  const day = Number(text.slice(8, 10));
  const exists = day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  if (time === undefined || Number.isNaN(time.getTime()) || !exists)
    throw new UsageError(`"${text}" is not a time such as 2026-02-14T20:00:00Z`);
  return time;
}

export const unpublishCommand: Command = {
  help: `unpublish <slug>

Makes an audio a draft again: it is in no list, and its file answers nobody. Its counts stay.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<slug>']);
    return changeAudio(context, positionals[0], (db) => unpublishAudio(db, positionals[0]), describeState);
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
    (db) => setAudioFree(db, positionals[0], isFree),
    (audio) =>
      audio.isFree
        ? 'free for everyone'
        : audio.isPreview
          ? 'for subscribers only, were it not the preview'
          : 'for subscribers only',
  );
}

export const commentsCommand: Command = {
  help: `comments <slug> on|off

Turns the comments of an audio on or off.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<slug>', 'on or off']);
    const [slug, wish] = positionals;
    if (wish !== 'on' && wish !== 'off') throw new UsageError(`"${wish}" is neither on nor off`);
    return changeAudio(
      context,
      slug,
      (db) => setCommentsDisabled(db, slug, wish === 'off'),
      (audio) => (audio.commentsDisabled ? 'closed for comments' : 'open for comments'),
    );
  },
};

export const previewCommand: Command = {
  help: `preview <slug>

Names the one audio that anyone may hear, and that waits in the player when nothing else does. It has to be published.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<slug>']);
    return changeAudio(
      context,
      positionals[0],
      (db) => choosePreview(db, positionals[0]),
      () => 'the preview',
    );
  },
};

const pageSize = 100;

export const listCommand: Command = {
  help: `audios [--drafts] [--json]

Lists the audios in the order they were made: slug, state, length, voice, title.

  --drafts  only those that are not out yet: drafts, and what is scheduled
  --json    one JSON object a line`,
  async run(args, context) {
    const { values } = parseCommandLine(args, { drafts: { type: 'boolean' }, json: { type: 'boolean' } }, []);
    return withDatabase(context, async (db) => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const page = await listAudioStates(db, { unpublishedOnly: values.drafts === true, cursor, limit: pageSize });
        for (const audio of page.items) context.say(values.json === true ? JSON.stringify(audio) : describeLine(audio));
        count += page.items.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      if (values.json !== true)
        context.note(
          countOf(
            count,
            values.drafts === true ? 'audio that is not out yet' : 'audio',
            values.drafts === true ? 'audios that are not out yet' : 'audios',
          ),
        );
      return 0;
    });
  },
};

function describeLine(audio: AudioState): string {
  const marks = [
    audio.state === 'scheduled' ? `scheduled for ${audio.publishedAt}` : audio.state,
    ...(audio.isFree ? ['free'] : []),
    ...(audio.isPreview ? ['preview'] : []),
    ...(audio.commentsDisabled ? ['comments off'] : []),
  ];
  return `${audio.slug}  [${marks.join(', ')}]  ${formatDuration(audio.numberDuration)}  ${audio.voice.name}: ${audio.title}`;
}
