import { SeriesEditForm, SeriesForm } from '#domain/catalogue/forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import { countOf, UsageError } from '../command.ts';
import { readOperatorsFile } from '../files.ts';
import { findId, findVoice } from '../find.ts';
import type { Verb } from '../noun.ts';
import { defineNoun, done, readForm, printAll } from '../noun.ts';

const description = { type: 'text', description: 'a few sentences for its page' } as const;

function setHidden(isHidden: boolean): Verb {
  return {
    words: '<series>',
    description: isHidden ? 'hides it from every list; its audios stay' : 'shows it again',
    async run({ db, site }, { words: [slug = ''] }) {
      done(await site.admin.content.setSeriesHidden(operator, await findId(db, 'series', slug), isHidden));
      return `${slug} is ${isHidden ? 'hidden' : 'shown'}.`;
    },
  };
}

const after = { type: 'text', description: 'the audio that comes before it, or first' } as const;

export const seriesCommand = defineNoun('series', 'Series of creators, and the order of their audios.', {
  list: {
    description: 'address, creator, number of audios, title',
    options: {
      q: { type: 'text', description: 'word prefixes of the title or the creator’s name' },
      hidden: { type: 'flag', description: 'only hidden ones' },
      deleted: { type: 'flag', description: 'ids of deleted ones that can be restored' },
    },
    async run({ site }, { text, flag, context }) {
      if (flag('deleted')) {
        for (const { id, title, deletedAt } of await site.admin.content.listAllDeletedSeries(operator, 500))
          context.print(`${id}  ${new Date(deletedAt).toISOString()}  ${title}`);
        return undefined;
      }
      const query = { q: text('q'), hidden: flag('hidden'), limit: 100 };
      const count = await printAll(
        context,
        (cursor) => site.admin.content.listSeries(operator, { ...query, cursor }),
        ({ slug, voice, totalAudios, title, isHidden }) =>
          `${slug}  ${voice?.slug ?? '-'}  ${countOf(totalAudios, 'audio')}  ${title}${isHidden ? '  (hidden)' : ''}`,
      );
      context.note(`${count} series.`);
      return undefined;
    },
  },
  show: setHidden(false),
  hide: setHidden(true),
  parts: {
    words: '<series>',
    description: 'its audios in their order, drafts too',
    async run({ db, site }, { words: [slug = ''], context }) {
      const { parts } = done(await site.studio.findManagedSeries(operator, await findId(db, 'series', slug)));
      for (const { slug: audio, state, title } of parts) context.print(`${audio}  [${state}]  ${title}`);
      return undefined;
    },
  },
  create: {
    words: '<voice> <title>',
    description: 'creates an empty one',
    options: { description },
    check: ({ words: [, title], text }) => void readForm(SeriesForm, { title, description: text('description') }),
    async run({ db, site }, { words: [voice = '', title], text }) {
      const form = readForm(SeriesForm, { title, description: text('description') });
      const { slug } = done(await site.studio.createSeries(operator, (await findVoice(db, voice)).id, form));
      return `${slug} is created.`;
    },
  },
  edit: {
    words: '<series>',
    description: 'changes the given fields; the address stays',
    options: {
      title: { type: 'text', description: 'its title' },
      description,
      picture: { type: 'text', description: 'a file, or none' },
    },
    check({ text }) {
      if (['title', 'description', 'picture'].every((name) => text(name) === undefined))
        throw new UsageError('name something to change');
    },
    async run({ db, site }, { words: [slug = ''], text, context }) {
      const given = { title: text('title'), description: text('description') };
      const edit = readForm(
        SeriesEditForm,
        Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)),
      );
      const file = text('picture');
      const picture = file === undefined ? undefined : file === 'none' ? null : await readOperatorsFile(context, file);
      done(await site.studio.editSeries(operator, await findId(db, 'series', slug), edit, { picture }));
      return `${slug} is changed.`;
    },
  },
  add: {
    words: '<series> <audio>',
    description: 'adds an audio of the same creator at the end',
    options: { after },
    async run({ db, site }, { words: [slug = '', audio = ''], text }) {
      const [id, audioId] = [await findId(db, 'series', slug), await findId(db, 'audio', audio)];
      const place = text('after');
      const before = place === undefined ? undefined : place === 'first' ? null : await findId(db, 'audio', place);
      done(await site.studio.addToSeries(operator, id, audioId, before));
      return `${audio} is in ${slug}.`;
    },
  },
  move: {
    words: '<series> <audio>',
    description: 'moves an audio within it',
    options: { after: { ...after, description: `${after.description}; needed` } },
    check({ text }) {
      if (text('after') === undefined) throw new UsageError('--after is missing');
    },
    async run({ db, site }, { words: [slug = '', audio = ''], text }) {
      const place = text('after') ?? 'first';
      const before = place === 'first' ? null : await findId(db, 'audio', place);
      const [id, audioId] = [await findId(db, 'series', slug), await findId(db, 'audio', audio)];
      done(await site.studio.moveInSeries(operator, id, audioId, before));
      return `${audio} is moved.`;
    },
  },
  remove: {
    words: '<series> <audio>',
    description: 'removes an audio',
    async run({ db, site }, { words: [slug = '', audio = ''] }) {
      const [id, audioId] = [await findId(db, 'series', slug), await findId(db, 'audio', audio)];
      done(await site.studio.removeFromSeries(operator, id, audioId));
      return `${audio} is removed from ${slug}.`;
    },
  },
  delete: {
    words: '<series>',
    description: 'deletes it; its audios stay, and it can be restored for 30 days',
    async run({ db, site }, { words: [slug = ''] }) {
      const id = await findId(db, 'series', slug);
      done(await site.studio.deleteSeries(operator, id));
      return `${slug} is deleted; to restore it: series restore ${id}`;
    },
  },
  restore: {
    words: '<id>',
    description: 'restores a deleted one',
    async run({ site }, { words: [id = ''] }) {
      done(await site.studio.restoreSeries(operator, id));
      return `${id} is restored.`;
    },
  },
});
