import { TagForm } from '#domain/admin/forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import { countOf } from '../command.ts';
import { findTag } from '../find.ts';
import { defineNoun, done, readForm, printAll } from '../noun.ts';

export const tagsCommand = defineNoun('tags', 'Tags of the audios. A tag is named by its address or its label.', {
  list: {
    description: 'address, label, number of audios, listeners who hide it',
    options: { q: { type: 'text', description: 'part of the name' } },
    async run({ site }, { text, context }) {
      const q = text('q');
      const count = await printAll(
        context,
        (cursor) => site.admin.content.listTags(operator, { q, cursor, limit: 100 }),
        ({ slug, label, audios, hidden }) => `${slug}  ${label}  ${countOf(audios, 'audio')}, hidden by ${hidden}`,
      );
      context.note(`${countOf(count, 'tag')}.`);
      return undefined;
    },
  },
  rename: {
    words: '<tag> <label>',
    description: 'changes label and address',
    check: ({ words: [, label] }) => void readForm(TagForm, { label }),
    async run({ db, site }, { words: [name = '', label] }) {
      const tag = await findTag(db, name);
      done(await site.admin.content.renameTag(operator, tag.id, readForm(TagForm, { label })));
      return `${tag.label} is now ${label}.`;
    },
  },
  merge: {
    words: '<tag> <into>',
    description: 'gives all its audios to another tag; listeners who hide it hide that one',
    async run({ db, site }, { words: [name = '', into = ''] }) {
      const [tag, other] = [await findTag(db, name), await findTag(db, into)];
      done(await site.admin.content.mergeTag(operator, tag.id, other.id));
      return `${tag.label} is now part of ${other.label}.`;
    },
  },
  delete: {
    words: '<tag>',
    description: 'deletes it permanently; its audios stay',
    async run({ db, site }, { words: [name = ''] }) {
      const tag = await findTag(db, name);
      done(await site.admin.content.deleteTag(operator, tag.id));
      return `${tag.label} is deleted.`;
    },
  },
});
