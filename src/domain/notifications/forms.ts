import { isTimeZone } from '#formats/zones.ts';
import { z } from 'zod';
import { i18n } from '#i18n';
import { emailModes, findQuietHoursFault, newsKinds } from './rules.ts';

const Hour = z.number().int().min(0).max(23);

export const NewsPreferencesForm = z.object({
  email: z.enum(emailModes),
  digestHour: Hour,
  /** 0 is Sunday. */
  digestWeekday: z.number().int().min(0).max(6),
  isPushOn: z.boolean(),
  showsTitles: z.boolean(),
  mutedKinds: z.array(z.enum(newsKinds)).max(newsKinds.length),
  quiet: z
    .object({ from: Hour, until: Hour })
    .superRefine((quiet, context) => {
      const message = findQuietHoursFault(quiet);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .nullable(),
  /** IANA name, such as `Europe/Vienna`. */
  timeZone: z
    .string()
    .min(1)
    .max(64)
    .refine(isTimeZone, {
      error: () =>
        i18n._(
          /*i18n*/ {
            id: 'news.time-zone',
            message: 'This site does not know the time zone of your device. Nothing was saved.',
          },
        ),
    }),
});
export type NewsPreferencesForm = z.infer<typeof NewsPreferencesForm>;

const base64url = /^[A-Za-z0-9_-]+={0,2}$/;

/** Result of `PushSubscription.toJSON()` in a browser. */
export const PushSubscriptionForm = z.object({
  endpoint: z.url().max(2000),
  keys: z.object({
    /** An uncompressed P-256 point: 65 bytes. */
    p256dh: z.string().length(87).regex(base64url),
    /** 16 bytes. */
    auth: z.string().min(22).max(24).regex(base64url),
  }),
});
export type PushSubscriptionForm = z.infer<typeof PushSubscriptionForm>;
