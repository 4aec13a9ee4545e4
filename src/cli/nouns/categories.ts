import { CategoryEdit, CategoryForm } from '#domain/admin/forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import { CommandError, UsageError } from '../command.ts';
import { findId, findIds } from '../find.ts';
import type { Verb } from '../noun.ts';
import { defineNoun, done, readForm } from '../noun.ts';

const fields = {
  label: { type: 'text', description: 'its name; the address stays' },
  description: { type: 'text', description: 'a few sentences for its page' },
} as const;

function setHidden(isHidden: boolean): Verb {
  return {
    words: '<slug>',
    description: isHidden ? 'hides it from lists and search; its audios stay' : 'shows it again',
    async run({ db, site }, { words: [slug = ''] }) {
      done(await site.admin.content.editCategory(operator, await findId(db, 'category', slug), { isHidden }));
      return `${slug} is ${isHidden ? 'hidden' : 'shown'}.`;
    },
  };
}

export const categoriesCommand = defineNoun(
  'categories',
  'Categories of the audios, in the order of the site. The picture of one: category <slug> --picture <file>.',
  {
    list: {
      description: 'address and label',
      options: { deleted: { type: 'flag', description: 'deleted ones that can be restored' } },
      async run({ site }, { flag, context }) {
        if (flag('deleted'))
          for (const { slug, name } of await site.admin.content.listDeletedGroups(operator, 'category'))
            context.print(`${slug}  ${name}  (deleted)`);
        else
          for (const { slug, label, isHidden } of await site.admin.content.listCategories(operator))
            context.print(`${slug}  ${label}${isHidden ? '  (hidden)' : ''}`);
        return undefined;
      },
    },
    create: {
      words: '<label>',
      description: 'creates one, at the end of the list',
      options: { description: fields.description },
      check: ({ words: [label], text }) => void readForm(CategoryForm, { label, description: text('description') }),
      async run({ site }, { words: [label], text }) {
        const form = readForm(CategoryForm, { label, description: text('description') });
        const id = done(await site.admin.content.createCategory(operator, form));
        const made = (await site.admin.content.listCategories(operator)).find((one) => one.id === id);
        return `${made?.slug ?? id} is created.`;
      },
    },
    edit: {
      words: '<slug>',
      description: 'changes the given fields',
      options: fields,
      check({ text }) {
        if (text('label') === undefined && text('description') === undefined)
          throw new UsageError('name something to change');
      },
      async run({ db, site }, { words: [slug = ''], text }) {
        const edit = readForm(CategoryEdit, { label: text('label'), description: text('description') });
        done(await site.admin.content.editCategory(operator, await findId(db, 'category', slug), edit));
        return `${slug} is changed.`;
      },
    },
    hide: setHidden(true),
    show: setHidden(false),
    order: {
      words: '<slug>...',
      description: 'puts all of them in this order',
      async run({ db, site }, { words }) {
        if (
          !(await site.admin.content.orderByHand(operator, 'category', { ids: await findIds(db, 'category', words) }))
        )
          throw new CommandError('Name every category once');
        return 'The categories are in this order.';
      },
    },
    delete: {
      words: '<slug> <label>',
      description: 'deletes it, after its exact label is given; its audios stay, and it can be restored for 30 days',
      async run({ db, site }, { words: [slug = '', label = ''] }) {
        done(await site.admin.content.deleteGroup(operator, 'category', await findId(db, 'category', slug), label));
        return `${slug} is deleted.`;
      },
    },
    restore: {
      words: '<slug>',
      description: 'restores a deleted one',
      async run({ db, site }, { words: [slug = ''] }) {
        done(await site.admin.content.restoreGroup(operator, 'category', await findId(db, 'category', slug)));
        return `${slug} is restored.`;
      },
    },
  },
);
