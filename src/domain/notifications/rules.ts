import { i18n } from '#i18n';

/** Kinds of news. */
export const newsKinds = ['new-audio', 'reply', 'gift-card', 'payment'] as const;
export type NewsKind = (typeof newsKinds)[number];

/** News about money are also sent as required mails, which nobody can turn off. */
export const mailedKinds: readonly NewsKind[] = ['new-audio', 'reply'];

export const emailModes = ['off', 'at-once', 'daily', 'weekly'] as const;
export type EmailMode = (typeof emailModes)[number];

/** Unread news are counted up to this number. */
export const maxCounted = 99;
/** Browsers of one user that get pushes; a new one replaces the oldest. */
export const maxPushSubscriptions = 10;
export const maxFollowedSeries = 500;

export type QuietHours = { from: number; until: number };

/** @returns what is wrong with them, for the user */
export function findQuietHoursFault({ from, until }: QuietHours): string | undefined {
  return from === until
    ? i18n._(
        /*i18n*/ {
          id: 'news.quiet-hours-empty',
          message: 'Quiet hours begin and end at the same time. Choose different hours.',
        },
      )
    : undefined;
}

/** Default: news only in the interface. Hours and the weekday (0 is Sunday) are in the time zone. */
export type NewsPreferences = {
  email: EmailMode;
  digestHour: number;
  digestWeekday: number;
  isPushOn: boolean;
  /** Pushes name what is new; off: they only say that there is news. */
  showsTitles: boolean;
  /** Neither mailed nor pushed. */
  mutedKinds: NewsKind[];
  quiet: QuietHours | null;
  timeZone: string;
};

export const defaultPreferences: NewsPreferences = {
  email: 'off',
  digestHour: 18,
  digestWeekday: 5,
  isPushOn: false,
  showsTitles: false,
  mutedKinds: [],
  quiet: null,
  timeZone: 'UTC',
};

/** The event, with the names for its sentence. */
export type NewsFacts = {
  kind: NewsKind;
  detail: NewsDetail | null;
  audio: { slug: string; title: string; voiceName: string } | null;
  /** The reply, and its author; or the user's own comment, which the creator likes. */
  replyId: string | null;
  by: string | null;
  isHeart?: boolean;
};

const details = {
  received: {
    text: () => i18n._(/*i18n*/ { id: 'news.received', message: 'You received a gift card' }),
    path: '/gift-card/redeem',
  },
  redeemed: {
    text: () => i18n._(/*i18n*/ { id: 'news.redeemed', message: 'Your gift card was redeemed' }),
    path: '/account/gift-cards',
  },
  welcome: {
    text: () => i18n._(/*i18n*/ { id: 'news.welcome', message: 'Your subscription has started' }),
    path: '/account/subscription',
  },
  'trial-ends': {
    text: () => i18n._(/*i18n*/ { id: 'news.trial-ends', message: 'Your free trial ends soon' }),
    path: '/account/subscription',
  },
  receipt: {
    text: () => i18n._(/*i18n*/ { id: 'news.receipt', message: 'Your payment was received' }),
    path: '/account/invoices',
  },
  'payment-failed': {
    text: () => i18n._(/*i18n*/ { id: 'news.payment-failed', message: 'Your payment did not go through' }),
    path: '/account/subscription',
  },
  ended: {
    text: () => i18n._(/*i18n*/ { id: 'news.ended', message: 'Your subscription has ended' }),
    path: '/account/subscription',
  },
};
/** An event of a gift card or a payment. */
export type NewsDetail = keyof typeof details;

/** One sentence without a full stop, and its link. */
export function describeNews({ kind, detail, audio, replyId, by, isHeart }: NewsFacts): { text: string; path: string } {
  if (detail !== null) return { text: details[detail].text(), path: details[detail].path };
  if (audio === null)
    return { text: i18n._(/*i18n*/ { id: 'news.unknown', message: 'Something new' }), path: '/account/notifications' };
  const { title, voiceName } = audio;
  const path = `/audio/${audio.slug}`;
  if (kind === 'reply')
    return {
      text: isHeart
        ? i18n._(
            /*i18n*/ {
              id: 'news.heart',
              message: '{voiceName} likes your comment on “{title}”',
              values: { voiceName, title },
            },
          )
        : i18n._(
            /*i18n*/ {
              id: 'news.reply',
              message: '{who, select, known {{by}} other {Someone}} replied to your comment on “{title}”',
              values: { who: by === null ? 'unknown' : 'known', by, title },
            },
          ),
      path: replyId === null ? path : `${path}?comment=${replyId}#comment-${replyId}`,
    };
  return {
    text: i18n._(
      /*i18n*/ { id: 'news.published', message: '{voiceName} published “{title}”', values: { voiceName, title } },
    ),
    path,
  };
}

/** Text of a push that reveals nothing on a lock screen. */
export const discreetPush = () => i18n._(/*i18n*/ { id: 'news.discreet', message: 'Something new is waiting' });

export function canReceiveNews(preferences: NewsPreferences, channel: 'mail' | 'push', kind: NewsKind): boolean {
  if (preferences.mutedKinds.includes(kind)) return false;
  return channel === 'mail' ? preferences.email !== 'off' && mailedKinds.includes(kind) : preferences.isPushOn;
}
