import { setTimeout as wait } from 'node:timers/promises';
import type { BulkActState, StartOutcome } from '#domain/admin/content/bulk-acts.ts';
import { BulkActForm } from '#domain/admin/forms.ts';
import { bulkVerbs } from '#domain/admin/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import { CommandError, countOf, UsageError } from '../command.ts';
import { findId, findIds } from '../find.ts';
import type { VerbInput } from '../noun.ts';
import { defineNoun, done, readForm } from '../noun.ts';
import type { SiteTools } from '../open/with-site.ts';

const filters = {
  q: 'word prefixes of a title, a creator’s name or a tag',
  state: 'published, scheduled, draft, unpublished or deleted; without it: all but deleted ones',
  voice: 'address of a creator',
  'in-category': 'address of a category',
  'with-tag': 'address of a tag',
  access: 'free or subscribers',
  problem: 'no-cover, not-measured or changes',
  changed: 'in so many days',
} as const;

const filterKeys: Record<keyof typeof filters, string> = {
  q: 'q',
  state: 'state',
  voice: 'voice',
  'in-category': 'category',
  'with-tag': 'tag',
  access: 'access',
  problem: 'problem',
  changed: 'changed',
};

function describe({ id, verb, state, isStopping, total, changed, unchanged, refused }: BulkActState): string {
  const now = isStopping ? 'stopping' : state;
  return `${id}  ${verb}  ${now}: ${changed} of ${countOf(total, 'audio')} changed, ${unchanged} as they were, ${refused} refused`;
}

/** Processes the act here, in parallel with a running site: both take the next open audios. */
async function finish({ site }: SiteTools, outcome: StartOutcome, { flag, context }: VerbInput): Promise<string> {
  const { id, total } = done(outcome);
  if (flag('later')) return `${id} is queued with ${countOf(total, 'audio')}; a running site executes it.`;
  await site.admin.content.runBulkAct(id);
  return reportResult(done(await site.admin.content.findBulkAct(operator, id)), context.note);
}

function reportResult(act: BulkActState, note: (line: string) => unknown): string {
  for (const { id, title, reason } of act.refusals) note(`${title ?? id}: ${reason}`);
  return describe(act);
}

/** Checks that need no database: names of audios, categories and playlists are looked up later. */
function formOf({ words: [verb, ...names], text, texts, flag }: VerbInput): Record<string, unknown> {
  const entries = Object.entries(filterKeys).map(([option, key]) => [key, text(option)] as const);
  const filter = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const isFilter = flag('all') || Object.keys(filter).length > 0;
  if (isFilter === names.length > 0) throw new UsageError('name audios, or a filter, or --all');
  return { verb, ...(isFilter && { filter }), ...(texts('tag') && { tags: texts('tag') }) };
}

export const bulkCommand = defineNoun(
  'bulk',
  'One act on many audios, each independently. It can be stopped, and undone for 30 days.',
  {
    start: {
      words: '<act> [<audio>...]',
      description: `acts: ${bulkVerbs.join(', ')}`,
      options: {
        category: { type: 'texts', description: 'a category to add or remove; may be given more than once' },
        tag: { type: 'texts', description: 'the same with tag labels' },
        playlist: { type: 'text', description: 'the playlist to add to or remove from' },
        ...Object.fromEntries(
          Object.entries(filters).map(([name, description]) => [name, { type: 'text' as const, description }]),
        ),
        all: { type: 'flag', description: 'every audio' },
        later: { type: 'flag', description: 'leaves the execution to the running site' },
      },
      check(input) {
        const [verb] = input.words;
        if (!bulkVerbs.some((one) => one === verb)) throw new UsageError(`"${verb}" is not a bulk act; see help bulk`);
        formOf(input);
      },
      async run(tools, input) {
        const { db, site } = tools;
        const { words, text, texts } = input;
        const form = formOf(input);
        const [names, categories, playlist] = [words.slice(1), texts('category'), text('playlist')];
        if (names.length > 0) form['ids'] = await findIds(db, 'audio', names);
        if (categories !== undefined) form['categoryIds'] = await findIds(db, 'category', categories);
        if (playlist !== undefined) form['playlistId'] = await findId(db, 'playlist', playlist);
        return finish(tools, await site.admin.content.startBulkAct(operator, readForm(BulkActForm, form)), input);
      },
    },
    list: {
      description: 'unfinished acts',
      async run({ site }, { context }) {
        const acts = await site.admin.content.listOpenBulkActs(operator);
        for (const act of acts) context.print(describe(act));
        context.note(`${countOf(acts.length, 'act')} not finished.`);
        return undefined;
      },
    },
    watch: {
      words: '<id>',
      description: 'prints its progress until it is finished',
      async run({ site }, { words: [id = ''], context }) {
        let lastNote = '';
        for (;;) {
          const act = done(await site.admin.content.findBulkAct(operator, id));
          if (act.finishedAt !== null) return reportResult(act, context.note);
          if (describe(act) !== lastNote) context.note((lastNote = describe(act)));
          await wait(1000);
        }
      },
    },
    stop: {
      words: '<id>',
      description: 'stops it after the current audios',
      async run({ site }, { words: [id = ''] }) {
        done(await site.admin.content.findBulkAct(operator, id));
        if (!(await site.admin.content.stopBulkAct(operator, id)))
          throw new CommandError('This action is already finished.');
        return `${id} is stopping.`;
      },
    },
    undo: {
      words: '<id>',
      description: 'undoes a finished act on all its audios',
      options: { later: { type: 'flag', description: 'leaves the execution to the running site' } },
      async run(tools, input) {
        return finish(tools, await tools.site.admin.content.undoBulkAct(operator, input.words[0] ?? ''), input);
      },
    },
  },
);
