import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'hono';
import type { Blobs } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { prefixOf } from '#formats/languages.ts';
import { language } from '#i18n';
import { tagOf } from '../cached-text.ts';
import { sendCached, toCachedBody } from '../compression.ts';
import { shellPolicy, storageOrigins } from '../security-headers.ts';
import type { BuiltEmbed, Shell, ShellPage } from './shell-page.ts';

export type ShellParts = {
  site: Pick<Site, 'age' | 'facts' | 'look'>;
  blobs: Pick<Blobs, 'remote'>;
  /** Such as `build/client`; undefined in development. */
  assetsDir?: string | undefined;
};

/** Makes what pages without React have in common, in the language of the request, and sends them. */
export function openShell({ site, blobs, assetsDir }: ShellParts) {
  let built: Promise<BuiltEmbed> | undefined;
  return {
    /** @param path on the site, by which listeners go on there */
    async open(context: Context, path: string): Promise<Shell> {
      built ??= readBuilt(assetsDir);
      const { name, url, languages } = site.facts;
      const theme = context.req.query('theme');
      return {
        site: { name, url, isLabelled: site.age.isLabelled() },
        address: url + prefixOf(language(), languages) + path,
        theme: theme === 'dark' || theme === 'light' ? theme : undefined,
        look: await lookOf(site),
        built: await built,
      };
    },
    send(
      { req }: Context,
      { html, scripts, styles }: ShellPage,
      { isFramed, status }: { isFramed: boolean; status: 200 | 404 },
    ): Response | Promise<Response> {
      const policy = {
        isFramed,
        scripts,
        styles,
        siteUrl: site.facts.url,
        development: assetsDir === undefined,
        origins: storageOrigins(blobs),
      };
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        // It differs by the visitor's region where a rule of age asks, and an audio can be hidden at any time.
        'cache-control': 'private, no-cache',
        'x-robots-tag': 'noindex',
        'content-security-policy': shellPolicy(policy),
        ...(isFramed && { 'cross-origin-resource-policy': 'cross-origin' }),
      };
      if (status === 404) return new Response(html, { status, headers });
      const body = new TextEncoder().encode(html);
      return sendCached(toCachedBody(body, tagOf(body)), req.raw, headers);
    },
  };
}

async function readBuilt(assetsDir: string | undefined): Promise<BuiltEmbed> {
  if (assetsDir === undefined) return undefined;
  return JSON.parse(await readFile(join(assetsDir, '..', 'embed.json'), 'utf8')) as BuiltEmbed;
}

async function lookOf({ look }: Pick<Site, 'look'>): Promise<string> {
  const address = look.page()?.css;
  return address === undefined ? '' : ((await look.stylesheet(address.replace('/look/', '')))?.css ?? '');
}
