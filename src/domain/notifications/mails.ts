import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { defineMail, renderMail } from '../kernel/mail-text.ts';
import { i18n } from '#i18n';
import { type NewsFacts, discreetPush, describeNews } from './rules.ts';

/** Further ones are only counted. */
const maxListed = 20;

const actions = {
  'new-audio': () => i18n._(/*i18n*/ { id: 'mail.go-to-audio', message: 'Go to the audio' }),
  reply: () => i18n._(/*i18n*/ { id: 'mail.see-reply', message: 'See the reply' }),
  heart: () => i18n._(/*i18n*/ { id: 'mail.see-comment', message: 'See your comment' }),
  several: () => i18n._(/*i18n*/ { id: 'mail.see-news', message: 'See what is new' }),
};

const news = defineMail({
  key: 'news',
  name: 'News',
  when: 'To a listener who asked for news by email: at once, daily or weekly.',
  text: {
    subject: '{headline}',
    body: `{news}

{more}

[{action}]({link})`,
    closing: 'You get this email because you asked for news of your favorites. Unsubscribe: {unsubscribe}',
  },
  placeholders: {
    headline: {
      means: 'The only news, or how many there are; neutral in discreet mode',
      sample: 'Iris published “Rain on the roof”',
    },
    news: {
      means: 'What is new; of several, one line each with its address',
      sample: 'Iris published “Rain on the roof”.',
      isRequired: true,
    },
    more: { means: 'How many more there are; may be empty', sample: '3 more are on the site.' },
    action: {
      means: 'Words of the button: “Go to the audio”, “See the reply” or “See what is new”',
      sample: 'See what is new',
    },
    link: { means: 'The only audio or reply, or the list of news', sample: '{url}/account/notifications' },
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
  const described = items.map((item) => ({ kind: item.isHeart ? 'heart' : item.kind, ...describeNews(item) }));
  const [first] = described;
  const only = described.length === 1 ? first : undefined;
  const more = described.length - maxListed;
  return renderMail(site, news, {
    headline: isDiscreet
      ? discreetPush()
      : (only?.text ??
        i18n._(
          /*i18n*/ {
            id: 'mail.new-for-you',
            message: '{count, plural, one {# new for you} other {# new for you}}',
            values: { count: described.length },
          },
        )),
    news:
      only === undefined
        ? described
            .slice(0, maxListed)
            .map(({ text, path }) => `${text}: ${site.url}${path}`)
            .join('\n')
        : `${only.text}.`,
    more:
      more > 0
        ? i18n._(
            /*i18n*/ {
              id: 'mail.more-news',
              message: '{count, plural, one {# more on the site.} other {# more on the site.}}',
              values: { count: more },
            },
          )
        : '',
    action: (only && only.kind in actions ? actions[only.kind as keyof typeof actions] : actions.several)(),
    link: `${site.url}${only?.path ?? '/account/notifications'}`,
    unsubscribe: unsubscribeUrl,
  });
}

export const newsMails = [news];
