import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import { countOf } from '../kernel/rules.ts';
import type { NewsFacts } from './rules.ts';
import { discreetPush, describeNews } from './rules.ts';

/** Further ones are only counted. */
const mostListed = 20;

const news = defineMail({
  key: 'news',
  name: 'News',
  when: 'To a listener who asked for news by email: at once, daily or weekly.',
  text: {
    subject: '{headline}',
    body: `{news}

{more}

[See what is new]({link})`,
    closing: 'You get this email because you asked for news of your favorites. Unsubscribe: {unsubscribe}',
  },
  placeholders: {
    headline: {
      means: 'The only news, or how many there are; neutral in discreet mode',
      sample: 'Iris published “Rain on the roof”',
    },
    news: { means: 'What is new, one line each', sample: 'Iris published “Rain on the roof”.', isRequired: true },
    more: { means: 'How many more there are; may be empty', sample: '3 more are on the site.' },
    link: { means: 'The list of news', sample: '{url}/account/notifications' },
    unsubscribe: {
      means: 'Address of the page that ends these mails',
      sample: '{url}/unsubscribe/sample',
      isRequired: true,
    },
  },
});

export function newsMail(
  site: MailSite,
  { news: items, isDiscreet, unsubscribeUrl }: { news: NewsFacts[]; isDiscreet: boolean; unsubscribeUrl: string },
): MailContent {
  const texts = items.map((item) => describeNews(item).text);
  const [only = ''] = texts;
  const more = texts.length - mostListed;
  return renderMail(site, news, {
    headline: isDiscreet ? discreetPush : texts.length === 1 ? only : `${texts.length} new for you`,
    news: texts
      .slice(0, mostListed)
      .map((text) => `${text}.`)
      .join('\n'),
    more: more > 0 ? `${countOf(more, 'more', 'more')} on the site.` : '',
    link: `${site.url}/account/notifications`,
    unsubscribe: unsubscribeUrl,
  });
}

export const newsMails = [news];
