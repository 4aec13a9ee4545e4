import { TopicsForm } from '#domain/admin/texts/article-forms.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Site } from '#domain/site.ts';
import { CommandError, countOf } from '../command.ts';
import { defineNoun, readForm } from '../noun.ts';

type Topics = { slug: string | null; label: string }[];

async function change(
  site: Site,
  act: (topics: { slug: string; label: string }[]) => Topics,
  moved: Record<string, string> = {},
): Promise<void> {
  const { revision, topics } = await site.admin.texts.findTopics(operator);
  const now = topics.map(({ slug, label }) => ({ slug, label }));
  await site.admin.texts.changeTopics(operator, readForm(TopicsForm, { revision, topics: act(now), moved }));
}

function known(topics: { slug: string; label: string }[], slug: string) {
  const topic = topics.find((one) => one.slug === slug);
  if (topic === undefined) throw new CommandError(`There is no topic ${JSON.stringify(slug)}`);
  return topic;
}

export const topicsCommand = defineNoun('topics', 'Topics of the blog, in their order.', {
  list: {
    description: 'address, label, number of articles',
    async run({ site }, { context }) {
      for (const { slug, label, articles } of (await site.admin.texts.findTopics(operator)).topics)
        context.print(`${slug}  ${label}  ${countOf(articles, 'article')}`);
      return undefined;
    },
  },
  add: {
    words: '<label>',
    description: 'adds one at the end',
    async run({ site }, { words: [label = ''] }) {
      await change(site, (topics) => [...topics, { slug: null, label }]);
      return `${label} is added.`;
    },
  },
  rename: {
    words: '<topic> <label>',
    description: 'changes its label; the address stays',
    async run({ site }, { words: [slug = '', label = ''] }) {
      await change(site, (topics) => {
        known(topics, slug);
        return topics.map((one) => (one.slug === slug ? { slug, label } : one));
      });
      return `${slug} is now ${label}.`;
    },
  },
  order: {
    words: '<topic>...',
    description: 'puts all of them in this order',
    async run({ site }, { words }) {
      await change(site, (topics) => {
        if (words.length !== topics.length) throw new CommandError('Name every topic once');
        return words.map((slug) => known(topics, slug));
      });
      return 'The topics are in this order.';
    },
  },
  remove: {
    words: '<topic>',
    description: 'removes it',
    options: { into: { type: 'text', description: 'the topic that its articles move to' } },
    async run({ site }, { words: [slug = ''], text }) {
      const into = text('into');
      await change(
        site,
        (topics) => {
          known(topics, slug);
          return topics.filter((one) => one.slug !== slug);
        },
        into === undefined ? {} : { [slug]: into },
      );
      return `${slug} is deleted.`;
    },
  },
});
