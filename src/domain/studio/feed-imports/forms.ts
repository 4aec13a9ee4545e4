import { z } from 'zod';
import { PlainText } from '../../kernel/forms.ts';
import { maxFeedFileLength, maxFeedItems } from './rules.ts';

const Address = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text));

/** A feed by its address, or as a file. */
export const FeedSource = z
  .strictObject({
    url: Address.optional().describe('address of the feed'),
    feed: z.string().min(1).max(maxFeedFileLength).optional().describe('the feed itself, such as @feed.xml'),
  })
  .refine(({ url, feed }) => (url === undefined) !== (feed === undefined));
export type FeedSource = z.output<typeof FeedSource>;

export const FeedCode = z.strictObject({ code: PlainText.max(40).describe('from the mail to the feed’s owner') });

export const FeedImportRun = z.strictObject({
  isFree: z.boolean().default(false).describe('everyone may hear them'),
  categoryId: z.uuid().toLowerCase().optional(),
  publishes: z.boolean().default(true).describe('with their dates; else as drafts'),
  keepsGuids: z.boolean().default(true).describe('so that podcast apps know the episodes'),
  seasonsAsSeries: z.boolean().optional().describe('a series of each season, where a feed has several'),
  leftOut: z
    .array(z.int().min(0).max(maxFeedItems))
    .max(maxFeedItems)
    .optional()
    .describe('positions of items that do not come; default: as before'),
});
export type FeedImportRun = z.output<typeof FeedImportRun>;

/** Items that are not to come, or to come after all, while the rest does. */
export const ItemChoice = z.strictObject({
  positions: z.array(z.int().min(0).max(maxFeedItems)).min(1).max(maxFeedItems),
  comes: z.boolean(),
});
export type ItemChoice = z.output<typeof ItemChoice>;
