import { writeFile } from 'node:fs/promises';
import { VoiceEdit, VoiceForm } from '#domain/admin/forms.ts';
import type { Commenters } from '#domain/catalogue/rules.ts';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { voiceCommentFilters } from '#domain/community/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import { CommandError, countOf, resolveFolder, UsageError } from '../command.ts';
import { findId, findUser, findVoice } from '../find.ts';
import type { Verb, VerbInput } from '../noun.ts';
import { defineNoun, done, readForm, printAll } from '../noun.ts';
import type { SiteTools } from '../open/with-site.ts';

const fields = {
  name: { type: 'text', description: 'shown to listeners' },
  type: { type: 'text', description: 'female, male or non-binary' },
  bio: { type: 'text', description: 'a few sentences for the page' },
  category: { type: 'text', description: 'address of a category, or none' },
} as const;

async function categoryOf({ db }: SiteTools, slug: string | undefined): Promise<string | null | undefined> {
  return slug === undefined ? undefined : slug === 'none' ? null : findId(db, 'category', slug);
}

/** `PATCH /studio/voices/{id}` changes the address too. */
async function edit(tools: SiteTools, { words: [slug = ''], text }: VerbInput): Promise<string> {
  const voice = await findVoice(tools.db, slug);
  const change = readForm(VoiceEdit, {
    name: text('name'),
    voiceType: text('type'),
    bio: text('bio'),
    categoryId: await categoryOf(tools, text('category')),
  });
  if (Object.values(change).some((value) => value !== undefined))
    done(await tools.site.admin.content.editVoice(operator, voice.id, change));
  const address = text('slug');
  if (address !== undefined) done(await tools.site.studio.editProfile(operator, voice.id, { slug: address }));
  return `${address ?? voice.slug} is changed.`;
}

function setHidden(isHidden: boolean): Verb {
  return {
    words: '<voice>',
    description: isHidden ? 'hides it and its audios from every list' : 'shows it again, with its audios',
    async run({ db, site }, { words: [slug = ''] }) {
      const voice = await findVoice(db, slug);
      done(await site.admin.content.editVoice(operator, voice.id, { isHidden }));
      return `${voice.slug} is ${isHidden ? 'hidden' : 'shown'}.`;
    },
  };
}

function setCommentHidden(isHidden: boolean): Verb {
  return {
    words: '<comment>',
    description: isHidden ? 'hides a comment from everybody but its author' : 'shows it again',
    async run({ site }, { words: [id = ''] }) {
      done(await site.community.setCommentHidden(operator, id, isHidden));
      return `${id} is ${isHidden ? 'hidden' : 'shown'}.`;
    },
  };
}

function setBlocked(isBlocked: boolean): Verb {
  return {
    words: '<voice> <user>',
    description: isBlocked ? 'stops the user from commenting under its audios' : 'lets them comment again',
    async run({ db, site }, { words: [slug = '', name = ''] }) {
      const [voice, user] = [await findVoice(db, slug), await findUser(db, name)];
      done(await site.community.setVoiceBlock(operator, voice.id, user.id, isBlocked));
      return `${user.name} ${isBlocked ? 'cannot' : 'can'} comment under audios of ${voice.name}.`;
    },
  };
}

function yesOrNo(word: string | undefined): boolean {
  if (word !== 'yes' && word !== 'no') throw new UsageError(`"${word}" is neither yes nor no`);
  return word === 'yes';
}

function commenterChoice(word: string | undefined): Commenters {
  const choice = commenterChoices.find((one) => one === word);
  if (choice === undefined) throw new UsageError(`"${word}" is not one of ${commenterChoices.join(', ')}`);
  return choice;
}

export const voicesCommand = defineNoun(
  'voices',
  'Creators. Portrait and linked series: voice <slug>. Users are named by email or username.',
  {
    list: {
      description: 'address, name, numbers of audios and owners',
      options: {
        q: { type: 'text', description: 'word prefixes of the name' },
        hidden: { type: 'flag', description: 'only hidden ones' },
        deleted: { type: 'flag', description: 'deleted ones that can be restored' },
      },
      async run({ site }, { text, flag, context }) {
        if (flag('deleted')) {
          for (const { slug, name, audios } of await site.admin.content.listDeletedGroups(operator, 'voice'))
            context.print(`${slug}  ${name}  ${countOf(audios, 'audio')}  (deleted)`);
          return undefined;
        }
        const query = { q: text('q'), hidden: flag('hidden'), limit: 100 };
        const count = await printAll(
          context,
          (cursor) => site.admin.content.listVoices(operator, { ...query, cursor }),
          ({ slug, name, audios, owners, isHidden }) =>
            `${slug}  ${name}  ${countOf(audios, 'audio')}, ${countOf(owners, 'owner')}${isHidden ? '  (hidden)' : ''}`,
        );
        context.note(`${countOf(count, 'voice')}.`);
        return undefined;
      },
    },
    create: {
      words: '<name>',
      description: 'creates one; its address is derived from its name',
      options: {
        type: { ...fields.type, description: `${fields.type.description}; needed` },
        bio: fields.bio,
        category: fields.category,
      },
      check: ({ words: [name], text }) => void readForm(VoiceForm, { name, voiceType: text('type'), bio: text('bio') }),
      async run(tools, { words: [name], text }) {
        const categoryId = await categoryOf(tools, text('category'));
        const form = readForm(VoiceForm, { name, voiceType: text('type'), bio: text('bio'), categoryId });
        const { id } = done(await tools.site.admin.content.createVoice(operator, form));
        return `${(await findVoice(tools.db, id)).slug} is created.`;
      },
    },
    edit: {
      words: '<voice>',
      description: 'changes the given fields',
      options: { ...fields, slug: { type: 'text', description: 'its address; the old one redirects' } },
      check({ text }) {
        if (['name', 'type', 'bio', 'category', 'slug'].every((name) => text(name) === undefined))
          throw new UsageError('name something to change');
      },
      run: edit,
    },
    hide: setHidden(true),
    show: setHidden(false),
    delete: {
      words: '<voice> <name>',
      description: 'deletes it with its audios and series, after its exact name is given; can be restored for 30 days',
      async run({ db, site }, { words: [slug = '', name = ''] }) {
        const voice = await findVoice(db, slug);
        done(await site.admin.content.deleteGroup(operator, 'voice', voice.id, name));
        return `${voice.slug} is deleted.`;
      },
    },
    restore: {
      words: '<voice>',
      description: 'restores a deleted one, with all that belonged to it',
      async run({ db, site }, { words: [slug = ''] }) {
        const voice = await findVoice(db, slug);
        done(await site.admin.content.restoreGroup(operator, 'voice', voice.id));
        return `${voice.slug} is restored.`;
      },
    },
    merge: {
      words: '<voice> <into> <name>',
      description: 'merges it into another one permanently, after its exact name is given',
      async run({ db, site }, { words: [slug = '', other = '', name = ''] }) {
        const [voice, into] = [await findVoice(db, slug), await findVoice(db, other)];
        done(await site.admin.content.mergeVoice(operator, voice.id, { into: into.id, name }));
        return `${voice.name} is now part of ${into.name}.`;
      },
    },
    people: {
      words: '<voice>',
      description: 'owners and editors',
      async run({ db, site }, { words: [slug = ''], context }) {
        for (const { id, username, role } of await site.studio.listPeople((await findVoice(db, slug)).id))
          context.print(`${role.padEnd(6)}  ${username ?? id}`);
        return undefined;
      },
    },
    'set-person': {
      words: '<voice> <user> <role>',
      description: 'makes a user owner or editor',
      check({ words: [, , role] }) {
        if (role !== 'owner' && role !== 'editor') throw new UsageError(`"${role}" is neither owner nor editor`);
      },
      async run({ db, site }, { words: [slug = '', name = '', role] }) {
        const voice = await findVoice(db, slug);
        done(await site.studio.setPerson(operator, voice.id, name, role === 'owner' ? 'owner' : 'editor'));
        return `${name} is now ${role} of ${voice.name}.`;
      },
    },
    'remove-person': {
      words: '<voice> <user>',
      description: 'takes the voice away from a user, except the last owner',
      async run({ db, site }, { words: [slug = '', name = ''] }) {
        const [voice, user] = [await findVoice(db, slug), await findUser(db, name)];
        done(await site.studio.removePerson(operator, voice.id, user.id));
        return `${user.name} has no part in ${voice.name} any more.`;
      },
    },
    comments: {
      words: '<voice>',
      description: 'comments under its audios, newest first',
      options: { filter: { type: 'text', description: `${voiceCommentFilters.join(', ')}; without it: all` } },
      async run({ db, site }, { words: [slug = ''], text, context }) {
        const asked = text('filter') ?? 'all';
        const filter = voiceCommentFilters.find((one) => one === asked);
        if (filter === undefined) throw new UsageError(`"${asked}" is none of ${voiceCommentFilters.join(', ')}`);
        const { id } = await findVoice(db, slug);
        const page = done(await site.community.listVoiceComments(operator, id, { filter, limit: 100 }));
        for (const one of page.items.flatMap((thread) => [thread, ...thread.replies]))
          context.print(
            `${one.id}  ${one.createdAt.toISOString()}  ${one.user.username} on ${one.audio.slug}  ${one.state}  ${JSON.stringify(one.text)}`,
          );
        if (page.nextCursor !== undefined) context.note('There are more: these are the newest 100.');
        return undefined;
      },
    },
    commenters: {
      words: '<voice> <who>',
      description: `who may comment under its new audios: ${commenterChoices.join(', ')}`,
      check: ({ words: [, who] }) => void commenterChoice(who),
      async run({ db, site }, { words: [slug = '', who] }) {
        const voice = await findVoice(db, slug);
        const choice = commenterChoice(who);
        await site.community.setVoiceCommenters(operator, voice.id, choice);
        return `New audios of ${voice.name} take comments of ${choice}.`;
      },
    },
    'hold-links': {
      words: '<voice> <yes|no>',
      description: 'whether new comments with links wait until somebody of the voice shows them',
      check: ({ words: [, answer] }) => void yesOrNo(answer),
      async run({ db, site }, { words: [slug = '', answer] }) {
        const voice = await findVoice(db, slug);
        const holdsLinks = yesOrNo(answer);
        await site.community.setHoldsLinks(operator, voice.id, holdsLinks);
        return `New comments with links under audios of ${voice.name} ${holdsLinks ? 'wait until they are shown' : 'are shown at once'}.`;
      },
    },
    'hide-comment': setCommentHidden(true),
    'show-comment': setCommentHidden(false),
    blocked: {
      words: '<voice>',
      description: 'who may not comment under its audios',
      async run({ db, site }, { words: [slug = ''], context }) {
        const { id } = await findVoice(db, slug);
        await printAll(
          context,
          async (cursor) => done(await site.community.listVoiceBlocks(operator, id, { cursor, limit: 100 })),
          ({ username, blockedAt }) => `${blockedAt.toISOString()}  ${username}`,
        );
        return undefined;
      },
    },
    block: setBlocked(true),
    unblock: setBlocked(false),
    figures: {
      words: '<voice> <file.csv>',
      description: 'writes plays and listeners of each day as CSV',
      options: {
        audio: { type: 'text', description: 'only of this audio' },
        days: { type: 'text', description: '7, 28, 90 or 365; without it: 28' },
      },
      async run({ site }, { words: [slug = '', file = ''], text, context }) {
        const figures = await site.studio.printFigures(operator, slug, {
          days: text('days') ?? null,
          audio: text('audio'),
        });
        if (figures === undefined) throw new CommandError('There is no such voice, or no such audio of it');
        await writeFile(resolveFolder(context, file), figures.text);
        return `The figures are in ${file}.`;
      },
    },
  },
);
