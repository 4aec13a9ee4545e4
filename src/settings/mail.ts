import { z } from 'zod';

/** Sending of emails. */
export const mailSettings = {
  MAIL_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@mail.example:587')
    .refine(
      (url) => (URL.parse(url)?.hostname ?? '') !== '',
      'must look like smtp://user:password@mail.example:587; in the password, write / ? # and @ as %2F %3F %23 and %40',
    )
    .refine(isDecodable, 'must look like smtp://user:password@mail.example:587; in the password, write % as %25')
    .refine(
      (url) => [...(URL.parse(url)?.searchParams ?? [])].every(isParameter),
      'may end with ?connections=5 (1 to 50) and tls=none or tls=required, and nothing else',
    )
    .optional()
    .meta({
      description:
        'Mail server: `smtp://user:password@host:587` or `smtps://…`. `?connections=20` opens up to that many connections (1 to 50) instead of 5; `?tls=required` refuses to send without TLS, `?tls=none` never uses it',
      unset: 'emails are kept in the database; `sotto mails list` shows them',
    }),
  MAIL_FROM: z
    .string()
    .trim()
    .max(200, 'must have no more than 200 characters')
    .regex(
      /^(?:[^<>\r\n]*<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/,
      'must be one address such as hello@sotto.example, or Name <hello@sotto.example>',
    )
    .optional()
    .meta({
      description: 'Sender: an address, which is shown with the site’s name, or `Name <address>`',
      unset: '`no-reply@` the site’s host',
    }),
};

function isDecodable(url: string): boolean {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  return !/%(?![0-9a-f]{2})/i.test(`${username} ${password}`);
}

function isParameter([name, value]: [string, string]): boolean {
  if (name === 'connections') return /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 50;
  return name === 'tls' && (value === 'none' || value === 'required');
}

export function mailConfig(
  { MAIL_URL, MAIL_FROM }: z.infer<z.ZodObject<typeof mailSettings>>,
  site: { siteUrl: string },
) {
  const address = MAIL_FROM ?? `no-reply@${new URL(site.siteUrl).hostname}`;
  return { url: MAIL_URL, from: address.trim() };
}

/** Adds the name of the site, which mail programs show, unless the address has a display name. */
export function senderOf({ from }: { from: string }, siteName: string): string {
  return from.includes('<') ? from : `"${siteName.replaceAll(/["\\]/g, '\\$&')}" <${from}>`;
}
