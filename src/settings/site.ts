import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { flag, httpUrl } from './values.ts';

/** Name, operator and content of the site. */
export const siteSettings = {
  SITE_NAME: z
    .string()
    .trim()
    .max(40, 'must have no more than 40 characters')
    .default('Sotto')
    .describe('Name of the site on pages, in emails and in feeds, until an operator changes it under Admin → Look'),
  OPERATOR_NAME: z
    .string()
    .trim()
    .max(200, 'must have no more than 200 characters')
    .optional()
    .describe('Legal operator of the site, shown on the about, terms and privacy pages'),
  OPERATOR_ADDRESS: z
    .string()
    .trim()
    .max(400, 'must have no more than 400 characters')
    .optional()
    .describe('Postal address of the operator, shown on the same pages. Separate its lines with `;`'),
  OPERATOR_EMAIL: z
    .string()
    .max(200, 'must have no more than 200 characters')
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an address such as hello@sotto.example')
    .optional()
    .describe(
      'Email of the operator: shown on the same pages, receives replies and reports of comments (at most one email per hour), and owns the podcast feeds. Emails invite replies only when it is set',
    ),
  DEMO: flag.optional().meta({
    description: '`true` loads the demo into an empty database',
    unset: '`true` if `SITE_URL` is on loopback',
  }),
  APP_STORE_URL: httpUrl
    .optional()
    .describe(
      'Address of the app in the App Store, for the badge. Without store addresses, the app page explains how to install the site',
    ),
  PLAY_STORE_URL: httpUrl.optional().describe('Address of the app at Google Play, for the badge'),
};

export function siteConfig(value: z.infer<z.ZodObject<typeof siteSettings>>, { siteUrl }: { siteUrl: string }) {
  return {
    demo: value.DEMO ?? isLoopback(new URL(siteUrl).hostname),
    siteName: value.SITE_NAME,
    appLinks: { ios: value.APP_STORE_URL, android: value.PLAY_STORE_URL },
    operator: { name: value.OPERATOR_NAME, address: value.OPERATOR_ADDRESS, email: value.OPERATOR_EMAIL },
  };
}
