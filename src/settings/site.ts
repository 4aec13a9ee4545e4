import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { flag, httpUrl, incompletePair, listOf } from './values.ts';

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
  IOS_APP_IDS: listOf(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/, 'must be IDs such as A1B2C3D4E5.example.sotto')
    .optional()
    .describe(
      'Team and bundle IDs of your iOS apps, separated by commas: links to audios and creators open in them (`/.well-known/apple-app-site-association`)',
    ),
  ANDROID_APP_ID: z
    .string()
    .regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be a name such as example.sotto')
    .optional()
    .describe(
      'Package name of your Android app, which may open links to this site (`/.well-known/assetlinks.json`). Needs `ANDROID_APP_FINGERPRINTS`',
    ),
  ANDROID_APP_FINGERPRINTS: listOf(
    /^(?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/,
    'must be SHA-256 fingerprints: 32 bytes in hex with colons between them',
  )
    .optional()
    .describe('SHA-256 fingerprints of its signing certificates, separated by commas'),
};

export function siteConfig(value: z.infer<z.ZodObject<typeof siteSettings>>, { siteUrl }: { siteUrl: string }) {
  const { ANDROID_APP_ID: packageName, ANDROID_APP_FINGERPRINTS: fingerprints } = value;
  if ((packageName === undefined) !== (fingerprints === undefined))
    throw incompletePair('ANDROID_APP_ID', 'ANDROID_APP_FINGERPRINTS');
  return {
    demo: value.DEMO ?? isLoopback(new URL(siteUrl).hostname),
    siteName: value.SITE_NAME,
    appLinks: { ios: value.APP_STORE_URL, android: value.PLAY_STORE_URL },
    /** Apps that open links to the site. */
    linkedApps: {
      ios: value.IOS_APP_IDS,
      android:
        packageName === undefined || fingerprints === undefined
          ? undefined
          : { packageName, fingerprints: fingerprints.map((one) => one.toUpperCase()) },
    },
    operator: { name: value.OPERATOR_NAME, address: value.OPERATOR_ADDRESS, email: value.OPERATOR_EMAIL },
  };
}
