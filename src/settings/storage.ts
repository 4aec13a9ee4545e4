import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { areAllUnset, ConfigError, flag, httpUrl, requireAll, wholeNumber } from './values.ts';

const origin = httpUrl.refine(
  (url) => /^https?:\/\/[^/?#@]+\/?$/.test(url),
  'must be an address without a path, such as https://storage.example',
);

/** Files in S3-compatible object storage instead of DATA_DIR. */
export const storageSettings = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket: 3 to 63 small letters, digits, - or .')
    .optional()
    .meta({
      description:
        'Sound and images in S3-compatible object storage: name of the bucket. `sotto storage copy --from disk --to s3` moves a running site',
      unset: 'files are in `DATA_DIR`',
    }),
  S3_ENDPOINT: origin
    .optional()
    .meta({ description: 'Address of the storage, such as `https://storage.example`', unset: 'Amazon’s' }),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,40}$/, 'must be a region such as eu-central-1, or auto')
    .optional()
    .meta({ description: 'Region of the bucket. Required at Amazon', unset: '`us-east-1`' }),
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]{2,128}$/, 'must be one word')
    .optional()
    .describe('ID of a key that may list, get, put and delete objects of the bucket'),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{2,256}$/, 'must be one word')
    .optional()
    .describe('Secret of that key'),
  S3_PUBLIC_URL: origin.optional().meta({
    description: 'Address of the storage for listeners, such as a CDN that passes path, query and `Host` on',
    unset: '`S3_ENDPOINT`',
  }),
  MEDIA_REDIRECT: flag
    .default(true)
    .describe(
      'Listeners load sound from the storage, at addresses that are signed for 15 minutes. `false` sends it through the site',
    ),
};

/** Backups that Admin starts. */
export const backupSettings = {
  BACKUP_DIR: z.string().refine(isAbsolute, 'must be a whole path, such as /var/backups/sotto').optional().meta({
    description: 'Folder for the backups that Admin starts, outside of `DATA_DIR` and preferably on another disk',
    unset: 'only the command line makes backups',
  }),
  BACKUPS_KEPT: wholeNumber(1, 100)
    .default(3)
    .describe('Number of these backups to keep. Each is complete; the oldest are deleted'),
};

/**
 * @returns undefined: files are in DATA_DIR
 * @throws ConfigError
 */
export function storageConfig(value: z.infer<z.ZodObject<typeof storageSettings>>, { siteUrl }: { siteUrl: string }) {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PUBLIC_URL } = value;
  const required = { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  if (areAllUnset({ ...required, S3_ENDPOINT, S3_REGION, S3_PUBLIC_URL })) return undefined;
  const account = requireAll('files in S3', required);
  if (S3_ENDPOINT === undefined && S3_REGION === undefined)
    throw new ConfigError(
      'for files in S3, S3_REGION is missing (such as eu-central-1), or S3_ENDPOINT where the storage is not Amazon’s',
    );
  const listenersUse = S3_PUBLIC_URL ?? S3_ENDPOINT;
  if (value.MEDIA_REDIRECT && siteUrl.startsWith('https:') && listenersUse?.startsWith('http:') === true)
    throw new ConfigError(
      `listeners of an https site cannot load sound from ${new URL(listenersUse).origin}: set S3_PUBLIC_URL to an https address of the storage, or MEDIA_REDIRECT=false`,
    );
  return {
    bucket: account.S3_BUCKET,
    /** Undefined: Amazon's own, of the region. */
    endpoint: S3_ENDPOINT && new URL(S3_ENDPOINT).origin,
    region: S3_REGION ?? 'us-east-1',
    accessKeyId: account.S3_ACCESS_KEY_ID,
    secretAccessKey: account.S3_SECRET_ACCESS_KEY,
    /** Replaces the endpoint in addresses for listeners. */
    publicUrl: S3_PUBLIC_URL && new URL(S3_PUBLIC_URL).origin,
    redirect: value.MEDIA_REDIRECT,
  };
}
