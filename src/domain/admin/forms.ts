import { z } from 'zod';
import { i18n } from '#i18n';
import { Slug } from '../catalogue/forms.ts';
import { returnReasons } from '../catalogue/review/rules.ts';
import { facetChoices, syntheticVoices, voiceTypes } from '../catalogue/rules.ts';
import { decisionNoteLength, decisionVerbs, normalizeComment } from '../community/rules.ts';
import { compose, isVisible } from '../kernel/rules.ts';
import { membershipBounds } from '../membership/rules.ts';
import {
  Instant,
  isPlain,
  isPlainLine,
  isRepeated,
  noName,
  notOneLine,
  notPlain,
  noType,
  PlainText,
  tooLong,
  tooMany,
  ContentLanguage,
  isEmpty,
} from '../kernel/forms.ts';
import { cannedReasons, noticeGrounds, noticeLengths, noticeVerbs } from '../notices/rules.ts';
import { editedFields, managedStates } from '../studio/rules.ts';
import { audioAccesses, audioProblems, bulkVerbs, lastPool, maxPickedAudios, reasonLength } from './rules.ts';

export const DecisionForm = z.object({
  verb: z.enum(decisionVerbs, {
    error: () => i18n._(/*i18n*/ { id: 'decision-form.verb', message: 'Choose what happens to the comment' }),
  }),
  note: z
    .string(notPlain)
    .max(5000, tooLong(decisionNoteLength))
    .transform(normalizeComment)
    .refine((text) => [...text].length <= decisionNoteLength, tooLong(decisionNoteLength))
    .transform((text) => (isVisible(text) ? text : undefined))
    .optional(),
  /** Mails the owners of the audio's voice. */
  notifiesOwners: z.boolean().default(false),
  /** With a suspension: ends a running subscription at once and refunds its unused days. */
  paysBack: z.boolean().default(false),
});
export type DecisionForm = z.output<typeof DecisionForm>;

export const NoticeDecisionForm = z
  .object({
    verb: z.enum(noticeVerbs),
    ground: z.enum(noticeGrounds),
    clause: z
      .string(notPlain)
      .max(noticeLengths.line, tooLong(noticeLengths.line))
      .trim()
      .refine(isPlainLine, notOneLine)
      .transform((given) => (given === '' ? undefined : given))
      .optional()
      .describe('The law or the rule'),
    canned: z
      .enum(cannedReasons)
      .optional()
      .describe('A standard reason, which each side reads in its own language, before `reasons`'),
    reasons: z
      .string(notPlain)
      .max(noticeLengths.reasons, tooLong(noticeLengths.reasons))
      .transform(normalizeComment)
      .refine(isPlain, notPlain)
      .transform((given) => (isVisible(given) ? given : undefined))
      .optional()
      .describe('Own words, which both sides read as they are; needed without `canned`'),
  })
  .refine(({ canned, reasons }) => canned !== undefined || reasons !== undefined, { path: ['reasons'], ...isEmpty });
export type NoticeDecisionForm = z.output<typeof NoticeDecisionForm>;

const line = (max: number) =>
  z
    .string(noName)
    .trim()
    .overwrite(compose)
    .min(1, noName)
    .refine((text) => [...text].length <= max, tooLong(max))
    .refine(isPlainLine, notOneLine);
const text = (max: number) =>
  z
    .string(notPlain)
    .trim()
    .overwrite(compose)
    .refine((value) => [...value].length <= max, tooLong(max))
    .refine(isPlain, notPlain);

export const nameLengths = { voice: 120, category: 80, facet: 60, tag: 60, playlist: 200 } as const;
export const textLengths = { voice: 5000, category: 2000, facet: 300, playlist: 5000 } as const;
/** Limit of audios in one house playlist. */
export const maxPlaylistAudios = 500;
/** Limit of categories, and of house playlists, that can be ordered by hand. */
export const maxOrdered = 1000;

const id = z.uuid().toLowerCase();
const ids = (max: number) =>
  z
    .array(id)
    .max(max, tooMany(max))
    .refine((list) => new Set(list).size === list.length, isRepeated);

export const VoiceForm = z.object({
  name: line(nameLengths.voice),
  voiceType: z.enum(voiceTypes, noType),
  bio: text(textLengths.voice).default(''),
  categoryId: id.nullable().default(null),
  language: ContentLanguage.default('en'),
});
export type VoiceForm = z.output<typeof VoiceForm>;

/** Absent fields stay as they are. */
/** The fields that change, as the operator saw them; another value in between is a conflict. */
function seen<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape).partial().optional();
}

export const VoiceEdit = z.object({
  name: line(nameLengths.voice).optional(),
  voiceType: z.enum(voiceTypes, noType).optional(),
  bio: text(textLengths.voice).optional(),
  categoryId: id.nullable().optional(),
  language: ContentLanguage.optional(),
  isHidden: z.boolean().optional(),
  before: seen({
    name: z.string().max(1000),
    voiceType: z.enum(voiceTypes),
    bio: z.string().max(20_000),
    categoryId: id.nullable(),
    language: z.string().max(100),
  }),
});
export type VoiceEdit = z.output<typeof VoiceEdit>;

export const OwnerForm = z.object({
  account: z
    .string()
    .trim()
    .min(1, { error: () => i18n._(/*i18n*/ { id: 'owner-form.account', message: 'Write an email or username' }) })
    .max(200)
    .refine(isPlain, notPlain)
    .describe('Email or username'),
  isOwner: z.boolean(),
});

/** `name` of the merged voice, typed again to confirm. */
export const MergeVoiceForm = z.object({ into: id, name: z.string().max(200) });

export const CategoryForm = z.object({
  label: line(nameLengths.category),
  description: text(textLengths.category).default(''),
});
export type CategoryForm = z.output<typeof CategoryForm>;

export const CategoryEdit = z.object({
  label: line(nameLengths.category).optional(),
  description: text(textLengths.category).optional(),
  isHidden: z.boolean().optional(),
  before: seen({ label: z.string().max(1000), description: z.string().max(20_000) }),
});
export type CategoryEdit = z.output<typeof CategoryEdit>;

/** `before`: the order that the operator saw; another one by now is a conflict. */
export const OrderForm = z.object({ ids: ids(maxOrdered), before: ids(maxOrdered).optional() });
export type OrderForm = z.output<typeof OrderForm>;

export const TagForm = z.object({ label: line(nameLengths.tag), before: z.string().max(1000).optional() });
export type TagForm = z.output<typeof TagForm>;

export const MergeTagForm = z.object({ into: id });

const facetFields = {
  label: line(nameLengths.facet),
  explanation: text(textLengths.facet),
  chooses: z.enum(facetChoices).describe('How many of its tags an audio has at most'),
  isRequired: z.boolean().describe('An audio needs one of its tags before it is published'),
  hasContentNotes: z.boolean().describe('Its tags are content notes; of one facet only'),
};

export const FacetForm = z.object({
  ...facetFields,
  explanation: facetFields.explanation.default(''),
  chooses: facetFields.chooses.default('many'),
  isRequired: facetFields.isRequired.default(false),
  hasContentNotes: facetFields.hasContentNotes.default(false),
});
export type FacetForm = z.output<typeof FacetForm>;

export const FacetEdit = z.object({
  ...z.object(facetFields).partial().shape,
  slug: Slug.optional().describe('Its address'),
  before: seen({
    label: z.string().max(1000),
    explanation: z.string().max(5000),
    slug: z.string().max(200),
    chooses: z.enum(facetChoices),
    isRequired: z.boolean(),
    hasContentNotes: z.boolean(),
  }),
});
export type FacetEdit = z.output<typeof FacetEdit>;

/** All tags of a facet, in order. */
export const FacetTagsForm = z.object({ tagIds: ids(maxOrdered), before: ids(maxOrdered).optional() });
export type FacetTagsForm = z.output<typeof FacetTagsForm>;

export const FacetTagForm = z.object({ label: line(nameLengths.tag) });

export const PlaylistForm = z.object({
  title: line(nameLengths.playlist),
  description: text(textLengths.playlist).default(''),
});
export type PlaylistForm = z.output<typeof PlaylistForm>;

export const PlaylistEdit = z.object({
  title: line(nameLengths.playlist).optional(),
  description: text(textLengths.playlist).optional(),
  /** Null: a draft. In the future: scheduled. `now`: at once. */
  publishedAt: z.union([z.literal('now'), Instant, z.null()]).optional(),
  before: seen({ title: z.string().max(1000), description: z.string().max(20_000) }),
});
export type PlaylistEdit = z.output<typeof PlaylistEdit>;

/** `before`: the audios that the operator saw; if the list changed since, that is a conflict. */
export const PlaylistAudiosForm = z.object({ audioIds: ids(maxPlaylistAudios), before: ids(maxPlaylistAudios) });
export type PlaylistAudiosForm = z.output<typeof PlaylistAudiosForm>;

const noReason = { error: () => i18n._(/*i18n*/ { id: 'admin-form.reason', message: 'Say why' }) };

const reason = z.string(noReason).trim().min(1, noReason).max(500, tooLong(500)).refine(isPlain, notPlain);

const wholeTo = (max: number) => z.number().int().min(1).max(max);

export const promoLimits = { amount: membershipBounds.furtherAmount[1], months: 60, times: 1_000_000 } as const;

const Currency = z.string().regex(/^[a-z]{3}$/, 'must be a currency, such as usd');

/** The last day on which a code can be used, UTC. */
const LastDay = z.iso
  .date({ error: () => i18n._(/*i18n*/ { id: 'promo-form.day', message: 'Write a day, such as 2027-12-31' }) })
  .refine((day) => new Date(`${day}T23:59:59Z`) > new Date(), {
    error: () => i18n._(/*i18n*/ { id: 'promo-form.past-day', message: 'This day is over already' }),
  })
  .refine((day) => day < '2100', {
    error: () => i18n._(/*i18n*/ { id: 'promo-form.far-day', message: 'Choose a day before 2100' }),
  });

export const PromoCodeForm = z
  .object({
    code: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{3,50}$/, {
        error: () => i18n._(/*i18n*/ { id: 'promo-form.code', message: 'Use 3 to 50 letters and digits' }),
      }),
    percentOff: wholeTo(100).optional(),
    amountOff: wholeTo(promoLimits.amount).optional().describe('In the smallest unit of its currency'),
    currency: Currency.optional().describe('The amount’s; absent: that of the site'),
    amounts: z
      .record(Currency, wholeTo(promoLimits.amount))
      .optional()
      .describe('In further currencies; the code is refused in those without an amount'),
    duration: z.enum(['once', 'months', 'forever']),
    months: wholeTo(promoLimits.months).optional(),
    maxRedemptions: wholeTo(promoLimits.times).optional(),
    lastDay: LastDay.optional(),
    isFirstTimeOnly: z.boolean().default(false),
  })
  .refine(({ percentOff, amountOff }) => (percentOff === undefined) !== (amountOff === undefined), {
    path: ['percentOff'],
    error: () => i18n._(/*i18n*/ { id: 'promo-form.discount', message: 'Choose a percentage or an amount' }),
  })
  .refine(
    ({ amountOff, amounts, currency = '' }) =>
      amounts === undefined || (amountOff !== undefined && !(currency in amounts)),
    {
      path: ['amounts'],
      error: () => i18n._(/*i18n*/ { id: 'promo-form.amounts', message: 'Enter one amount for each currency' }),
    },
  )
  .refine(({ duration, months }) => (duration === 'months') === (months !== undefined), {
    path: ['months'],
    error: () => i18n._(/*i18n*/ { id: 'promo-form.months', message: 'Say for how many months' }),
  });
export type PromoCodeForm = z.output<typeof PromoCodeForm>;

export const RefundForm = z.object({
  /** The same key sent twice refunds once. */
  key: z.uuid(),
  /** Cents. */
  amount: wholeTo(100_000_000),
  /** Cents refunded before, as the operator saw it. */
  seen: z.number().int().min(0).max(100_000_000),
  reason,
});

export const GiftCardRefundForm = z.object({
  /** Also refunds a redeemed card; its months stay. */
  evenRedeemed: z.boolean().default(false),
  reason,
});
export type GiftCardRefundForm = z.output<typeof GiftCardRefundForm>;

export const TipRefundForm = z.object({ reason });
export type TipRefundForm = z.output<typeof TipRefundForm>;

export const CancelForm = z.object({
  when: z.enum(['now', 'end']),
  /** The subscription that the operator saw. */
  subscriptionId: z.string().min(1).max(200),
  reason,
});
export type CancelForm = z.output<typeof CancelForm>;

export const PoolForm = z.object({
  pool: z.number().int().min(0).max(lastPool).describe('In the smallest unit of its currency'),
  currency: Currency.optional().describe(
    'One with prices or payments in the month; the month’s own when none is given',
  ),
  revision: z.number().int().min(0).max(2_147_483_647),
});

export const LockForm = z.object({ checksum: z.string().regex(/^[0-9a-f]{64}$/) });

export const TrialsForm = z.object({
  countsTrials: z.boolean(),
  revision: z.number().int().min(0).max(2_147_483_647),
});
const slug = PlainText.max(120);

/** As in the address of the table of audios. */
export const AudioFilterForm = z.object({
  q: PlainText.max(100).optional().describe('Beginnings of words of a title, a creator’s name or a tag'),
  state: z.enum(managedStates).optional().describe('Default: all but the deleted ones'),
  voice: slug.optional(),
  category: slug.optional(),
  tag: slug.optional(),
  access: z.enum(audioAccesses).optional(),
  syntheticVoice: z.enum(syntheticVoices).optional(),
  problem: z.enum(audioProblems).optional(),
  changed: z.coerce.number().int().min(1).max(3650).optional().describe('In so many days'),
});

/** `ids` or `filter` say which audios; the fields after them belong to the verbs that need them. */
export const BulkActForm = z
  .object({
    verb: z.enum(bulkVerbs),
    ids: ids(maxPickedAudios)
      .min(1, { error: () => i18n._(/*i18n*/ { id: 'bulk-form.audio', message: 'Choose an audio' }) })
      .optional(),
    filter: AudioFilterForm.optional(),
    categoryIds: ids(8).min(1).optional(),
    tags: z.array(line(nameLengths.tag)).min(1).max(20, tooMany(20)).optional().describe('Labels'),
    playlistId: id.optional(),
    language: ContentLanguage.optional(),
    syntheticVoice: z.enum(syntheticVoices).optional(),
  })
  .refine(({ ids: picked, filter }) => (picked === undefined) !== (filter === undefined), {
    path: ['ids'],
    error: () => i18n._(/*i18n*/ { id: 'bulk-form.selection', message: 'Send either ids or a filter' }),
  })
  .refine(({ verb, categoryIds }) => verb.endsWith('-categories') === (categoryIds !== undefined), {
    path: ['categoryIds'],
    error: () =>
      i18n._(/*i18n*/ { id: 'bulk-form.categories', message: 'Choose categories for this act, and only for it' }),
  })
  .refine(({ verb, tags }) => verb.endsWith('-tags') === (tags !== undefined), {
    path: ['tags'],
    error: () => i18n._(/*i18n*/ { id: 'bulk-form.tags', message: 'Choose tags for this act, and only for it' }),
  })
  .refine(({ verb, playlistId }) => verb.endsWith('-playlist') === (playlistId !== undefined), {
    path: ['playlistId'],
    error: () =>
      i18n._(/*i18n*/ { id: 'bulk-form.playlist', message: 'Choose a playlist for this act, and only for it' }),
  })
  .refine(({ verb, language }) => (verb === 'set-language') === (language !== undefined), {
    path: ['language'],
    error: () =>
      i18n._(/*i18n*/ { id: 'bulk-form.language', message: 'Choose a language for this act, and only for it' }),
  })
  .refine(({ verb, syntheticVoice }) => (verb === 'set-synthetic-voice') === (syntheticVoice !== undefined), {
    path: ['syntheticVoice'],
    error: () =>
      i18n._(
        /*i18n*/ {
          id: 'bulk-form.synthetic-voice',
          message: 'Choose none, partly or wholly for this act, and only for it',
        },
      ),
  });
export type BulkActForm = z.output<typeof BulkActForm>;

const heard = z.number().min(0).max(1_000_000).describe('Seconds of it that the reviewer heard');
const words = z.array(z.string().max(200)).max(500).describe('Watched words that the reviewer saw');

/** A decision about an audio in review. */
export const ReviewForm = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('approved'), heard, words }),
  z
    .strictObject({
      decision: z.literal('returned'),
      heard,
      words,
      reasonKind: z.enum(returnReasons),
      canned: z
        .boolean()
        .default(false)
        .describe('The sentence of `reasonKind` comes before `reason`, in the language of its reader'),
      reason: z
        .string()
        .trim()
        .overwrite(compose)
        .refine((text) => [...text].length <= reasonLength, tooLong(reasonLength))
        .refine(isPlain, notPlain)
        .transform((text) => (isVisible(text) ? text : ''))
        .default('')
        .describe('Own words; needed without `canned`, and with `other`, which has no sentence'),
      field: z
        .enum([...editedFields, 'sound'])
        .optional()
        .describe('What the reason is about'),
    })
    .refine(({ canned, reasonKind, reason }) => (canned && reasonKind !== 'other') || reason !== '', {
      path: ['reason'],
      ...isEmpty,
    }),
]);
export type ReviewForm = z.output<typeof ReviewForm>;
