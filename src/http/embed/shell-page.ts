import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { EmbedData, EmbedPart } from '#embed/embed-data.ts';
import { ratingLabel } from '#formats/rating.ts';
import { i18n, language, languageFacts } from '#i18n';
import { logoMark } from './logo-mark.ts';

/** Inline script and style of the build; undefined in development, where Vite serves their sources. */
export type BuiltEmbed = { script: string; style: string } | undefined;

/** Pages without React that have the player of `src/embed/`: frames on other sites, and clips. */
export type Shell = {
  site: { name: string; url: string; isLabelled: boolean };
  /** Address on the site, by which listeners go on there. */
  address: string;
  theme: 'dark' | 'light' | undefined;
  /** Stylesheet of the operator. */
  look: string;
  built: BuiltEmbed;
};

type Html = ReturnType<typeof html>;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** With the sources that its policy allows. */
export type ShellPage = { html: string; scripts: string[]; styles: string[] };

export function shellPage(
  { site, address, theme, look, built }: Shell,
  { title, head, body, hasPlayer }: { title: string; head?: Html; body: Html; hasPlayer: boolean },
): ShellPage {
  const style = built && built.style + look;
  const script = hasPlayer ? built?.script : undefined;
  const markup = html`<!doctype html>
    <html lang="${language()}" dir="${languageFacts().direction}" ${theme && raw(`data-theme="${theme}"`)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${site.isLabelled ? html`<meta name="rating" content="${ratingLabel}" />` : ''}
        <meta name="robots" content="noindex" />
        <link rel="canonical" href="${address}" />
        <title>${title === site.name ? title : `${title} · ${site.name}`}</title>
        ${head ?? ''} ${style === undefined ? '' : raw(`<style>${style}</style>`)}
      </head>
      <body>
        <main>${body}</main>
        ${built === undefined ? raw(developmentScript) : ''}
        ${script === undefined ? '' : raw(`<script type="module">${script}</script>`)}
      </body>
    </html>`;
  return {
    html: String(markup),
    scripts: built === undefined ? ["'self'"] : [script === undefined ? "'none'" : hashOf(script)],
    styles: style === undefined ? ["'self'", "'unsafe-inline'"] : [hashOf(style)],
  };
}

const developmentScript =
  '<script type="module" src="/@vite/client"></script><script type="module" src="/src/embed/embed.ts"></script>';

const texts = {
  play: () => i18n._(/*i18n*/ { id: 'embed.play', message: 'Play' }),
  pause: () => i18n._(/*i18n*/ { id: 'embed.pause', message: 'Pause' }),
  position: (title: string) =>
    i18n._(/*i18n*/ { id: 'embed.position', message: 'Position in {title}', values: { title } }),
  place: () =>
    i18n._(
      /*i18n*/ {
        id: 'embed.place',
        message: '{position} of {duration}',
        values: { position: '{position}', duration: '{duration}' },
      },
    ),
  failed: () => i18n._(/*i18n*/ { id: 'embed.failed', message: 'This audio could not be played. Please try again.' }),
};

const playerTexts = (): EmbedData['texts'] => ({
  play: texts.play(),
  pause: texts.pause(),
  place: texts.place(),
  failed: texts.failed(),
});

/** Facts for the script. Nothing in it can end the element. */
export function playerData(parts: EmbedData['parts']) {
  const data: EmbedData = { parts, texts: playerTexts() };
  return raw(
    `<script type="application/json" data-embed="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  );
}

/** Play button and waveform, which the script shows. @param part the first one */
export function playerControls(title: string, part: Pick<EmbedPart, 'seconds'> | undefined) {
  return html`<div class="embed__controls" dir="ltr" data-embed="controls" hidden>
    <button class="embed__play" type="button" data-embed="play" aria-label="${texts.play()}">${raw(icons)}</button>
    <div class="embed__wave" data-embed="wave">
      <input
        type="range"
        min="0"
        step="1"
        value="0"
        max="${Math.max(1, Math.floor(part?.seconds ?? 0))}"
        aria-label="${texts.position(title)}"
        data-embed="position"
      />
      <svg viewBox="0 0 480 40" preserveAspectRatio="none" aria-hidden="true">
        <path d="" />
        <path class="embed__played" d="" />
      </svg>
    </div>
  </div>`;
}

const icons =
  '<svg class="embed__triangle" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z"/></svg><svg class="embed__bars" viewBox="0 0 24 24" aria-hidden="true"><rect x="14" y="3" width="5" height="18" rx="1"/><rect x="5" y="3" width="5" height="18" rx="1"/></svg>';

export function logo(name: string) {
  return html`${raw(logoMark)}<span>${name}</span>`;
}

/** `lang` of what is not in the language of the page. Tags of languages have no other characters. */
export function langOf(tag: string) {
  return raw(`lang="${tag.replaceAll(/[^\w-]/g, '')}"`);
}

/** Dense screens need twice the pixels. */
export function coverOf(imageUrl: string): string {
  return `${imageUrl}?width=384&height=384&quality=80&format=webp`;
}
