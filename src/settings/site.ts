import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { flag, httpUrl } from './values.ts';

/** Name, operator and content of the site. */
export const siteSettings = {
  DEMO: flag.optional(),
  SITE_NAME: z.string().trim().max(40, 'must have no more than 40 characters').default('Sotto'),
  APP_STORE_URL: httpUrl.optional(),
  PLAY_STORE_URL: httpUrl.optional(),
  OPERATOR_NAME: z.string().trim().max(200, 'must have no more than 200 characters').optional(),
  OPERATOR_ADDRESS: z.string().trim().max(400, 'must have no more than 400 characters').optional(),
  OPERATOR_EMAIL: z
    .string()
    .max(200, 'must have no more than 200 characters')
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an address such as hello@sotto.example')
    .optional(),
};

export type Operator = {
  name: string | undefined;
  /** One line, or several separated by `;`. */
  address: string | undefined;
  email: string | undefined;
};

export type SiteConfig = {
  /** Load the demo catalogue into an empty database. */
  demo: boolean;
  siteName: string;
  appLinks: { ios: string | undefined; android: string | undefined };
  /** The legal operator of the site, named on the info pages. */
  operator: Operator;
};

export function siteConfig(
  value: z.infer<z.ZodObject<typeof siteSettings>>,
  { siteUrl }: { siteUrl: string },
): SiteConfig {
  return {
    demo: value.DEMO ?? isLoopback(new URL(siteUrl).hostname),
    siteName: value.SITE_NAME,
    appLinks: { ios: value.APP_STORE_URL, android: value.PLAY_STORE_URL },
    operator: { name: value.OPERATOR_NAME, address: value.OPERATOR_ADDRESS, email: value.OPERATOR_EMAIL },
  };
}
