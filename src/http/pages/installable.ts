import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { type ThemeName, checkColors } from '#domain/look/rules.ts';
import type { Blobs } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import type { Preferences } from '#web/context.ts';
import { type Language, firstOffered, isLanguage } from '#formats/languages.ts';
import { i18n, inLanguage, language, languageFacts } from '#i18n';
import { tagOf } from '../cached-text.ts';
import { type CachedBody, sendCached, toCachedBody } from '../compression.ts';
import { errorResponse } from '../errors.ts';
import { logoMark } from '../embed/logo-mark.ts';
import { readPreferences } from './preferences.ts';

/** A standalone file, so it repeats the colors of both themes (styles/tokens.css). */
function styleOf(look: Site['look']): { style: string; hash: string } {
  const dark = look.hasColors()
    ? ofTheme('dark', look.colors())
    : '--bg:#141012;--accent:#f5b48c;--on:#2a1309;--focus:#ffd9bf';
  const light = look.hasColors()
    ? ofTheme('light', look.colors())
    : '--bg:#f8f4f3;--accent:#9e4119;--on:#fff;--focus:#8a3410';
  const inLight = `color-scheme:light;--text:#241819;--soft:#44373a;${light}`;
  const style = `:root{color-scheme:dark;--text:#f7f0ea;--soft:#d9cdc6;${dark}}:root[data-theme=light]{${inLight}}@media(prefers-color-scheme:light){:root:not([data-theme]){${inLight}}}${layout}`;
  return { style, hash: createHash('sha256').update(style).digest('base64') };
}

function ofTheme(theme: ThemeName, colors: ReturnType<Site['look']['colors']>): string {
  const { bg, accent, 'accent-contrast': on, focus } = checkColors(theme, colors[theme]).tokens;
  return `--bg:${bg};--accent:${accent};--on:${on};--focus:${focus}`;
}

const layout = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);font:400 1rem/1.6 system-ui,sans-serif;text-align:center}main{padding:24px;max-width:26rem}svg{width:72px;color:var(--accent)}h1{font:400 2rem/1.15 Georgia,serif;margin:24px 0 8px}p{margin:0 0 28px;color:var(--soft)}a{display:inline-block;padding:12px 24px;border-radius:999px;background:var(--accent);color:var(--on);font-weight:600;text-decoration:none}a:focus-visible{outline:2px solid var(--focus);outline-offset:3px}`;

/**
 * Service worker and offline page. Both need built files, so that development never meets an outdated worker.
 * @param assetsDir such as `build/client`
 */
export function installableRoutes({
  site,
  blobs,
  assetsDir,
}: {
  site: Site;
  blobs: Blobs;
  assetsDir: string | undefined;
}): Hono {
  const app = new Hono();
  const workers = new Map<Language, Promise<CachedBody>>();
  let favicon: Promise<Uint8Array<ArrayBuffer>> | undefined;

  app.get('/service-worker.js', async (context) => {
    if (assetsDir === undefined) return context.notFound();
    const [byDefault] = site.facts.languages;
    const worker = workers.get(byDefault) ?? readWorker(assetsDir, site.listening.licenceKey, byDefault);
    workers.set(byDefault, worker);
    return sendCached(await worker, context.req.raw, {
      'content-type': 'text/javascript; charset=utf-8',
      // Browsers request the worker after each page load, and mostly get 304.
      'cache-control': 'no-cache',
      // Limits the worker's own requests.
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
  });

  // Addresses that the worker answers: a request arrives here only when no worker runs.
  app.get('/kept/*', () => errorResponse('request/not-found'));

  app.get('/favicon.ico', async () => {
    const icon = site.look.page()?.icon;
    if (icon !== undefined && (await blobs.stat(icon.png192)) !== undefined)
      return icoAnswer(toIco(new Uint8Array(await new Response(blobs.read(icon.png192)).arrayBuffer())));
    favicon ??= readFavicon();
    return icoAnswer(await favicon);
  });

  // https://w3c.github.io/webappsec-change-password-url/
  app.get('/.well-known/change-password', (context) => context.redirect('/account/profile', 302));

  // Hidden tags became a part of that page.
  for (const path of ['/account/hidden-tags', '/:language{[a-z][a-z]}/account/hidden-tags'])
    app.get(path, (context) => context.redirect(context.req.path.replace(/-tags$/, ''), 301));

  // The worker of a language asks for its own page.
  app.get('/offline', ({ req }) => {
    const { theme, language: chosen } = readPreferences(req.header('cookie') ?? '');
    const asked = req.query('language');
    const shown = firstOffered(site.facts.languages, [isLanguage(asked) ? asked : chosen]);
    const { style, hash } = styleOf(site.look);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'cookie',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-robots-tag': 'noindex',
    };
    return new Response(
      inLanguage(shown, () => offlinePage({ site, theme, style })),
      { headers },
    );
  });
  return app;
}

function icoAnswer(icon: Uint8Array<ArrayBuffer>): Response {
  return new Response(icon, {
    headers: {
      'content-type': 'image/x-icon',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
}

async function readFavicon(): Promise<Uint8Array<ArrayBuffer>> {
  return toIco(await readFile(new URL('../../web/art/icon-192.png', import.meta.url)));
}

/** An ICO with one PNG image of 192 px: a header of six bytes and a directory entry of sixteen. */
function toIco(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(192, 6);
  head.writeUInt8(192, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.byteLength, 18);
  return new Uint8Array(Buffer.concat([head, png]));
}

/** The built worker, with the public key for licences and the language whose pages have no prefix. */
async function readWorker(
  assetsDir: string,
  licenceKey: Site['listening']['licenceKey'],
  byDefault: Language,
): Promise<CachedBody> {
  const source = await readFile(join(assetsDir, '..', 'worker', 'service-worker.js'), 'utf8');
  const own = source
    .replace('__LICENCE_KEY__', `${licenceKey.x}.${licenceKey.y}`)
    .replace('__DEFAULT_LANGUAGE__', byDefault);
  const body = new TextEncoder().encode(own);
  return toCachedBody(body, tagOf(body));
}

const offlineTexts = {
  title: () => i18n._(/*i18n*/ { id: 'offline.title', message: 'Offline' }),
  heading: () => i18n._(/*i18n*/ { id: 'offline.heading', message: 'No internet connection' }),
  explanation: () =>
    i18n._(
      /*i18n*/ {
        id: 'offline.explanation',
        message: 'What you were hearing keeps its place. Try again when you are back.',
      },
    ),
  again: () => i18n._(/*i18n*/ { id: 'offline.again', message: 'Try again' }),
};

/** The link leads to the requested address, because the worker shows this page in its place. */
function offlinePage(page: { site: Site; theme: Preferences['theme']; style: string }): string {
  const { site, theme, style } = page;
  const { dark, light } = site.look.colors();
  const name = site.facts.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="${language()}" dir="${languageFacts().direction}"${theme === 'system' ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${theme === 'system' ? `<meta name="theme-color" content="${light.ground}" media="(prefers-color-scheme: light)">` : ''}
<meta name="theme-color" content="${theme === 'light' ? light.ground : dark.ground}">
<title>${offlineTexts.title()} · ${name}</title>
<style>${style}</style>
</head>
<body>
<main>
${logoMark}
<h1>${offlineTexts.heading()}</h1>
<p>${offlineTexts.explanation()}</p>
<a href="">${offlineTexts.again()}</a>
</main>
</body>
</html>
`;
}
