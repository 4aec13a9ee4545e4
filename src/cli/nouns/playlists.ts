import { PlaylistEdit, PlaylistForm } from '#domain/admin/forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import { CommandError, UsageError } from '../command.ts';
import { readOperatorsFile } from '../files.ts';
import { findId, findIds } from '../find.ts';
import type { Verb } from '../noun.ts';
import { defineNoun, done, readForm } from '../noun.ts';
import { readTime } from '../time.ts';

const fields = {
  title: { type: 'text', description: 'its title; the address stays' },
  description: { type: 'text', description: 'a few sentences for its page' },
} as const;

const editing = (description: string, edit: (at?: string) => PlaylistEdit, options?: Verb['options']): Verb => ({
  words: '<slug>',
  description,
  ...(options && { options }),
  check: ({ text }) => void edit(text('at')),
  async run({ db, site }, { words: [slug = ''], text }) {
    done(await site.admin.content.editPlaylist(operator, await findId(db, 'playlist', slug), edit(text('at'))));
    const made = (await site.admin.content.listPlaylists(operator)).find((one) => one.slug === slug);
    return `${slug} is ${made?.state ?? 'changed'}.`;
  },
});

export const playlistsCommand = defineNoun('playlists', 'Playlists of the site, in the order of the site.', {
  list: {
    description: 'address, state, title',
    options: { deleted: { type: 'flag', description: 'deleted ones that can be restored' } },
    async run({ site }, { flag, context }) {
      const { content } = site.admin;
      for (const { slug, state, title } of await (flag('deleted')
        ? content.listDeletedPlaylists(operator)
        : content.listPlaylists(operator)))
        context.print(`${slug}  [${flag('deleted') ? 'deleted' : state}]  ${title}`);
      return undefined;
    },
  },
  create: {
    words: '<title>',
    description: 'creates one, as a draft',
    options: { description: fields.description },
    check: ({ words: [title], text }) => void readForm(PlaylistForm, { title, description: text('description') }),
    async run({ site }, { words: [title], text }) {
      const form = readForm(PlaylistForm, { title, description: text('description') });
      const id = done(await site.admin.content.createPlaylist(operator, form));
      const made = (await site.admin.content.listPlaylists(operator)).find((one) => one.id === id);
      return `${made?.slug ?? id} is a draft.`;
    },
  },
  edit: {
    words: '<slug>',
    description: 'changes the given fields',
    options: { ...fields, picture: { type: 'text', description: 'a file, or none' } },
    check({ text }) {
      if (['title', 'description', 'picture'].every((name) => text(name) === undefined))
        throw new UsageError('name something to change');
    },
    async run({ db, site }, { words: [slug = ''], text, context }) {
      const edit = readForm(PlaylistEdit, { title: text('title'), description: text('description') });
      const id = await findId(db, 'playlist', slug);
      const file = text('picture');
      if (file !== undefined) {
        const picture = file === 'none' ? null : await readOperatorsFile(context, file);
        done(await site.admin.content.setPicture(operator, 'playlist', id, { picture }));
      }
      done(await site.admin.content.editPlaylist(operator, id, edit));
      return `${slug} is changed.`;
    },
  },
  publish: editing(
    'shows it to listeners',
    (at) => ({ publishedAt: at === undefined ? 'now' : readTime(at).toISOString() }),
    { at: { type: 'text', description: 'such as 2027-02-14T20:00:00Z' } },
  ),
  unpublish: editing('makes it a draft again', () => ({ publishedAt: null })),
  set: {
    words: '<slug> <audio>...',
    description: 'gives it these audios, in this order',
    async run({ db, site }, { words: [slug = '', ...names] }) {
      const id = await findId(db, 'playlist', slug);
      const before = done(await site.admin.content.findPlaylist(operator, id)).items.map((audio) => audio.id);
      const audioIds = await findIds(db, 'audio', names);
      done(await site.admin.content.setPlaylistAudios(operator, id, { audioIds, before }));
      return `${slug} has these ${audioIds.length}.`;
    },
  },
  order: {
    words: '<slug>...',
    description: 'puts all of them in this order',
    async run({ db, site }, { words }) {
      if (!(await site.admin.content.orderByHand(operator, 'playlist', { ids: await findIds(db, 'playlist', words) })))
        throw new CommandError('Name every playlist once');
      return 'The playlists are in this order.';
    },
  },
  delete: {
    words: '<slug>',
    description: 'deletes it; it can be restored for 30 days',
    async run({ db, site }, { words: [slug = ''] }) {
      done(await site.admin.content.deleteGroup(operator, 'playlist', await findId(db, 'playlist', slug)));
      return `${slug} is deleted.`;
    },
  },
  restore: {
    words: '<slug>',
    description: 'restores a deleted one',
    async run({ db, site }, { words: [slug = ''] }) {
      done(await site.admin.content.restoreGroup(operator, 'playlist', await findId(db, 'playlist', slug)));
      return `${slug} is restored.`;
    },
  },
});
