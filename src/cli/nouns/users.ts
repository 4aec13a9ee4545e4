import { operator } from '#domain/kernel/actor.ts';
import { CommandError, countOf, UsageError } from '../command.ts';
import { findUser } from '../find.ts';
import { defineNoun, done } from '../noun.ts';

const reason = { type: 'text', description: 'for the log' } as const;
const byCommand = 'On the command line';

export const usersCommand = defineNoun(
  'users',
  `Accounts, named by email or username. Also: suspend, gift, subscription, admin, reset-password, voices set-person.
Nothing that a user listens to is shown.`,
  {
    find: {
      words: '<words>',
      description: 'users and content of all kinds by the start of a name, or an id',
      async run({ site }, { words: [query = ''], context }) {
        const found = await site.admin.findAnything(operator, query);
        for (const { kind, id, name, detail } of found) context.print(`${kind}  ${id}  ${name}  ${detail}`);
        context.note(`${found.length} found.`);
        return undefined;
      },
    },
    'log-out': {
      words: '<user>',
      description: 'ends all sessions',
      async run({ db, site }, { words: [name = ''] }) {
        const user = await findUser(db, name);
        const { ended } = done(await site.admin.people.endSessionsOf(operator, user.id));
        return `${user.name} is logged out: ${countOf(ended, 'session')} ended.`;
      },
    },
    'mail-reset': {
      words: '<user>',
      description: 'mails a link to set a new password',
      async run({ db, site }, { words: [name = ''] }) {
        const user = await findUser(db, name);
        done(await site.admin.people.sendPasswordReset(operator, user.id));
        return `${user.name} gets a mail.`;
      },
    },
    'mail-export': {
      words: '<user>',
      description: 'mails a link to their data, which nobody else can open',
      async run({ db, site }, { words: [name = ''] }) {
        const user = await findUser(db, name);
        done(await site.admin.people.sendExport(operator, user.id));
        return `${user.name} gets a mail.`;
      },
    },
    feeds: {
      words: '<user>',
      description: 'podcast feeds: creation, last use, and whether stopped; neither addresses nor content',
      async run({ db, site }, { words: [name = ''], context }) {
        const user = await findUser(db, name);
        const feeds = await site.feeds.listFeeds(user.id);
        for (const { id, createdAt, lastUsedAt, isStopped } of feeds)
          context.print(
            [
              id,
              createdAt.toISOString(),
              lastUsedAt?.toISOString() ?? 'never used',
              isStopped ? 'stopped' : 'open',
            ].join('  '),
          );
        context.note(`${countOf(feeds.length, 'feed')}.`);
        return undefined;
      },
    },
    'revoke-feed': {
      words: '<user> <feed>',
      description: 'ends a podcast feed by its id; its address answers like an unknown one',
      async run({ db, site }, { words: [name = '', id = ''] }) {
        const user = await findUser(db, name);
        if (!(await site.feeds.revokeAsOperator(user.id, id)))
          throw new CommandError(`there is no feed ${id} of ${name}`);
        return `The feed ${id} of ${user.name} has ended.`;
      },
    },
    delete: {
      words: '<user>',
      description: 'deletes the account after seven days, and tells its user',
      options: { reason: { ...reason, description: 'for the log; needed' } },
      check({ text }) {
        const given = text('reason')?.trim() ?? '';
        if (given === '' || given.length > 500) throw new UsageError('--reason must have 1 to 500 characters');
      },
      async run({ db, site }, { words: [name = ''], text }) {
        const user = await findUser(db, name);
        const { dueAt } = done(
          await site.admin.people.planDeletion(operator, user.id, { reason: text('reason') ?? byCommand }),
        );
        return `${user.name} is deleted on ${dueAt.toISOString()}; users keep ${name} prevents that.`;
      },
    },
    keep: {
      words: '<user>',
      description: 'keeps an account that was to be deleted',
      async run({ db, site }, { words: [name = ''] }) {
        const user = await findUser(db, name);
        done(await site.admin.people.takeDeletionBack(operator, user.id));
        return `${user.name} is kept.`;
      },
    },
  },
);
