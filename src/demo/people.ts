import { z } from 'zod';
import { reportReasons } from '#domain/community/rules.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { periods } from '#domain/membership/rules.ts';
import data from '../../demo/people.json' with { type: 'json' };

const Slug = z.string();
const Slugs = z.array(Slug);

const Activity = z.object({
  /** Last heard first; `leftAt`: the position as a fraction. */
  heard: z.array(
    z.object({ audio: Slug, days: z.number(), listens: z.number().default(1), leftAt: z.number().optional() }),
  ),
  /** Newest first. */
  favorites: z.object({ audios: Slugs, voices: Slugs, categories: Slugs, playlists: Slugs }),
  playlists: z.array(
    z.object({
      title: z.string(),
      background: z.enum(playlistBackgrounds),
      font: z.enum(playlistFonts),
      days: z.number(),
      audios: Slugs,
    }),
  ),
  comments: z.array(z.object({ audio: Slug, days: z.number(), text: z.string() })),
});

const Report = z.object({ by: z.string(), reason: z.enum(reportReasons), details: z.string().optional() });

const Subscriber = z.object({
  username: z.string(),
  since: z.number(),
  period: z.enum(periods),
  hasTrial: z.boolean(),
  /** The charge after the trial is declined. */
  hasFailingCard: z.boolean().default(false),
  cancelledAt: z.number().optional(),
  promoCode: z.string().optional(),
  /** Their latest payment was refunded then. */
  refundedAt: z.number().optional(),
});

const Gift = z.object({
  months: z.literal([1, 3, 6, 12]),
  buyer: z.string(),
  recipient: z.string(),
  bought: z.number(),
  /** May be in the future. */
  deliver: z.number(),
  message: z.string().optional(),
  redeemed: z.object({ by: z.string(), at: z.number() }).optional(),
  refundedAt: z.number().optional(),
});

const PromoCode = z.object({
  code: z.string(),
  percentOff: z.number().optional(),
  amountOff: z.number().optional(),
  duration: z.enum(['once', 'months']),
  months: z.number().optional(),
  maxRedemptions: z.number().optional(),
  expires: z.number().optional(),
});

const People = z.object({
  /** Belongs to the accounts in `accounts.ts`. That of the listener has free audios only. */
  activities: z.object({ listener: Activity, subscriber: Activity, creator: Activity }),
  /** Second takes of published audios: drafts, or scheduled with `inDays`. */
  takes: z.array(
    z.object({
      of: Slug,
      slug: Slug,
      title: z.string(),
      description: z.string().default(''),
      inDays: z.number().optional(),
    }),
  ),
  /** By generated listeners; demo accounts reported them. */
  reportedComments: z.array(
    z.object({ audio: Slug, by: z.string(), hours: z.number(), text: z.string(), reports: z.array(Report) }),
  ),
  /** Without email addresses, so that no mail is sent. */
  subscribers: z.array(Subscriber),
  /** Listeners with given months and no subscription. */
  giftedUsers: z.array(z.object({ username: z.string(), since: z.number() })),
  gifts: z.array(Gift),
  promoCodes: z.array(PromoCode),
});

export type DemoActivity = z.infer<typeof Activity>;
export type DemoSubscriber = z.infer<typeof Subscriber>;
export type DemoGift = z.infer<typeof Gift>;

/** The people of the demo. Times are days ago, unless named otherwise. */
export const people = People.parse(data);
