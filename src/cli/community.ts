import type { ReportedComment } from '#domain/community/reports.ts';
import { decideReport, findLatest, undoDecision } from '#domain/admin/people/report-decisions.ts';
import { listReportedComments } from '#domain/community/reports.ts';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { decisionVerbs } from '#domain/community/rules.ts';
import { setOwner } from '#domain/admin/content/voices.ts';
import { listVoiceOwners } from '#domain/community/voice-owners.ts';
import type { VoiceOwner } from '#domain/community/voice-owners.ts';
import { operator } from '#domain/kernel/actor.ts';
import { isId } from '#domain/kernel/ids.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { findUser, findVoice } from './find.ts';
import { withDatabase } from './open/with-database.ts';

/** Number of reports listed at once, most reported first. */
const maxShown = 50;

export const reportsCommand: Command = {
  help: `reports [keep <id> | remove <id> | warn <id> | suspend <id> | undo <id>]

Lists reported comments that wait for a decision, the most reported first. A running site sends the mails to those
concerned a minute after a decision.

  keep     shows the comment, also one that was removed before, and settles its reports
  remove   hides the comment from everyone. keep restores it, unless its author deletes it
  warn     removes it, and warns its author
  suspend  removes it, and suspends its author: ends the sessions, and the renewal of a subscription
  undo     undoes the last decision on the comment; its reports wait again`,
  async run(args, context) {
    const [verb, id, ...rest] = args;
    if (verb === undefined) return listReports(context);
    if (verb !== 'undo' && !isDecisionVerb(verb))
      throw new UsageError(`"${verb}" is not one of ${decisionVerbs.join(', ')} and undo`);
    if (id === undefined) throw new UsageError('<id> is missing');
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many`);
    return withDatabase(context, (db) => (verb === 'undo' ? undo(db, id, context) : decide(db, id, verb, context)));
  },
};

function isDecisionVerb(text: string): text is DecisionVerb {
  return decisionVerbs.some((verb) => verb === text);
}

const unknownComment = (id: string) =>
  new CommandError(`There is no comment ${JSON.stringify(id)}; see npm run sotto -- reports`);

async function decide(db: Db, id: string, verb: DecisionVerb, context: CommandContext): Promise<number> {
  const form = { verb, note: undefined, notifiesOwners: false, paysBack: false };
  const outcome = await decideReport(db, operator, id, form, { evenUnreported: true });
  if (!outcome.ok) {
    if (outcome.reason === 'is-admin')
      throw new CommandError('Its author is an admin and cannot be suspended for a comment');
    throw unknownComment(id);
  }
  const stays = verb === 'keep';
  const now = outcome.changed ? 'is now' : stays ? 'stays' : 'was already';
  const author = { keep: '', remove: '', warn: '; its author is warned', suspend: '; its author is suspended' }[verb];
  context.print(`${id} ${now} ${stays ? 'shown' : 'removed'}; its reports are settled${author}.`);
  return 0;
}

async function undo(db: Db, id: string, context: CommandContext): Promise<number> {
  const latest = isId(id) ? await findLatest(db, id) : undefined;
  if (latest === undefined) throw new CommandError(`There is no decision on a comment ${JSON.stringify(id)}`);
  const outcome = await undoDecision(db, operator, latest.id);
  if (!outcome.ok) throw new CommandError('Someone else just changed this decision; check it again');
  context.print(`${id} is as it was before the decision to ${latest.verb}; its reports wait again.`);
  return 0;
}

async function listReports(context: CommandContext): Promise<number> {
  const reported = await withDatabase(context, (db) => listReportedComments(db, maxShown));
  for (const comment of reported) for (const line of describe(comment)) context.print(line);
  const more = reported.length === maxShown ? ' at least' : '';
  context.note(`${countOf(reported.length, 'reported comment')}${more}.`);
  return 0;
}

function describe(comment: ReportedComment): string[] {
  const { id, audio, username, createdAt, isRemoved, reasons, text, details } = comment;
  const counts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${id}  ${createdAt.toISOString()}  ${username ?? '?'} on ${audio}  ${counts.join(', ')}${isRemoved ? '  (removed)' : ''}`,
    ...text.split('\n').map((line) => `  | ${line}`),
    ...details.map((detail) => `  “${detail.replaceAll('\n', ' ')}”`),
  ];
}

export const ownerCommand: Command = {
  help: `owner <voice> [<email or username>] [--remove]

Makes an account an owner of a voice. Owners turn the comments of its audios on and off. Without an account: lists the
owners.

  --remove  the account no longer owns the voice`,
  async run(args, context) {
    const isList = args.filter((arg) => !arg.startsWith('-')).length < 2;
    const { values, positionals } = parseCommandLine(
      args,
      { remove: { type: 'boolean', default: false } },
      isList ? ['<voice>'] : ['<voice>', '<email or username>'],
    );
    const [voiceName, account] = positionals;
    return withDatabase(context, async (db) => {
      const noVoice = new CommandError(`There is no voice ${JSON.stringify(voiceName)}`);
      if (account === undefined) {
        if (values.remove) throw new UsageError('<email or username> is missing');
        const people = await listVoiceOwners(db, voiceName);
        if (people === undefined) throw noVoice;
        for (const person of people) context.print(`${nameOf(person)}${person.role === 'editor' ? ' (editor)' : ''}`);
        context.note(`${countOf(people.filter(({ role }) => role === 'owner').length, 'owner')} of ${voiceName}.`);
        return 0;
      }
      const user = await findUser(db, account);
      const voice = await findVoice(db, voiceName);
      const outcome = await setOwner(db, operator, voice.id, { account, isOwner: !values.remove });
      if (!outcome.ok) throw noVoice;
      const { changed } = outcome;
      const state = values.remove
        ? changed
          ? 'is no longer an owner of'
          : 'was no owner of'
        : changed
          ? 'now owns'
          : 'already owns';
      context.print(`${user.name} ${state} ${voice.name} (${voice.slug}).`);
      return 0;
    });
  },
};

function nameOf({ username, email, id }: VoiceOwner): string {
  return username ?? email ?? id;
}
