import { UploadEdit } from '#domain/studio/forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import { formatBytes, UsageError } from '../command.ts';
import { findId, findVoice } from '../find.ts';
import { defineNoun, done, readForm, printAll } from '../noun.ts';

function onOrOff(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'yes' && value !== 'no') throw new UsageError(`--${name} must be yes or no`);
  return value === 'yes';
}

export const uploadsCommand = defineNoun('uploads', 'Files that creators upload. For files of this machine: import.', {
  list: {
    words: '<voice>',
    description: 'unfinished and failed ones, and those of the last days',
    async run({ db, site }, { words: [slug = ''], context }) {
      const { id } = await findVoice(db, slug);
      await printAll(
        context,
        async (cursor) => done(await site.studio.listUploads(operator, id, { limit: 100, cursor })),
        ({ id: upload, state, failure, bytes, title }) =>
          `${upload}  ${state}${failure === null ? '' : ` (${failure})`}  ${formatBytes(bytes)}  ${title}`,
      );
      return undefined;
    },
  },
  edit: {
    words: '<id>',
    description: 'changes the defaults of the new audio',
    options: {
      title: { type: 'text', description: 'its title' },
      category: { type: 'text', description: 'address of a category, or none' },
      free: { type: 'text', description: 'yes or no' },
      comments: { type: 'text', description: 'yes or no' },
    },
    check({ text }) {
      if (['title', 'category', 'free', 'comments'].every((name) => text(name) === undefined))
        throw new UsageError('name something to change');
      onOrOff('free', text('free'));
      onOrOff('comments', text('comments'));
    },
    async run({ db, site }, { words: [id = ''], text }) {
      const category = text('category');
      const comments = onOrOff('comments', text('comments'));
      const given = {
        title: text('title'),
        categoryId:
          category === undefined ? undefined : category === 'none' ? null : await findId(db, 'category', category),
        isFree: onOrOff('free', text('free')),
        commentsDisabled: comments === undefined ? undefined : !comments,
      };
      const edit = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      done(await site.studio.editUpload(operator, id, readForm(UploadEdit, edit)));
      return `${id} is changed.`;
    },
  },
  retry: {
    words: '<id>',
    description: 'processes a failed one again; the running site does so within a minute',
    async run({ site }, { words: [id = ''] }) {
      done(await site.studio.retryUpload(operator, id));
      return `${id} is queued.`;
    },
  },
  remove: {
    words: '<id>',
    description: 'removes it from the list; an audio made from it stays',
    async run({ site }, { words: [id = ''] }) {
      done(await site.studio.removeUpload(operator, id));
      return `${id} is removed from the list.`;
    },
  },
});
