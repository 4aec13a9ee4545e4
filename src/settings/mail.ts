import { z } from 'zod';

export const mailSettings = {
  MAIL_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@mail.example:587')
    .refine(
      (url) => (URL.parse(url)?.hostname ?? '') !== '',
      'must look like smtp://user:password@mail.example:587; in the password, write / ? # and @ as %2F %3F %23 and %40',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .max(200)
    .regex(/^[^\r\n]+@[^\r\n]+$/, 'must be an address such as hello@sotto.example')
    .optional(),
};

export type MailConfig = {
  /** Undefined: mails are stored as files in `dataDir`. */
  url: string | undefined;
  /** An address, perhaps with a display name. */
  from: string;
};

export function mailConfig(
  { MAIL_URL, MAIL_FROM }: z.infer<z.ZodObject<typeof mailSettings>>,
  site: { siteUrl: string },
): MailConfig {
  const address = MAIL_FROM ?? `no-reply@${new URL(site.siteUrl).hostname}`;
  return { url: MAIL_URL, from: address.trim() };
}

/** Adds the name of the site, which mail programs show, unless the address has a display name. */
export function senderOf({ from }: Pick<MailConfig, 'from'>, siteName: string): string {
  return from.includes('<') ? from : `"${siteName.replaceAll(/["\\]/g, '\\$&')}" <${from}>`;
}
