import { html } from 'hono/html';
import type { EmbedData } from '#embed/embed-data.ts';
import { formatTime } from '#formats/durations.ts';
import { i18n } from '#i18n';
import {
  type Shell,
  type ShellPage,
  coverOf,
  langOf,
  logo,
  playerControls,
  playerData,
  shellPage,
} from './shell-page.ts';

/** Something that everyone may hear. */
export type Frame = {
  title: string;
  /** BCP 47; undefined: as the page. */
  language?: string | undefined;
  author: string;
  /** Path of the image route, without a size. */
  imageUrl: string | null;
  parts: EmbedData['parts'];
  /** A series shows its parts, also when it has one. */
  hasParts: boolean;
};

/** `audio` or `series`: it is gone, or cannot be heard in a frame. */
export type FramePage = Shell & { content: Frame | 'audio' | 'series' };

const texts = {
  listen: (site: string) => i18n._(/*i18n*/ { id: 'embed.listen', message: 'Listen on {site}', values: { site } }),
  newTab: (site: string) =>
    i18n._(/*i18n*/ { id: 'embed.new-tab', message: '{site}, opens in a new tab', values: { site } }),
  open: (site: string) => i18n._(/*i18n*/ { id: 'embed.open', message: 'Open it on {site}', values: { site } }),
  closedAudio: () => i18n._(/*i18n*/ { id: 'embed.closed-audio', message: 'This audio cannot be heard here.' }),
  closedSeries: () => i18n._(/*i18n*/ { id: 'embed.closed-series', message: 'This series cannot be heard here.' }),
  parts: (title: string) => i18n._(/*i18n*/ { id: 'embed.parts', message: 'Parts of {title}', values: { title } }),
};

export function framePage(page: FramePage): ShellPage {
  const { site, content } = page;
  if (typeof content === 'string')
    return shellPage(page, { title: site.name, body: closed(page, content), hasPlayer: false });
  return shellPage(page, { title: content.title, body: playable(page, content), hasPlayer: true });
}

function closed({ site, address }: Shell, kind: 'audio' | 'series') {
  return html`<div class="embed__closed">
    <p class="logo">${logo(site.name)}</p>
    <h1 class="embed__text">${kind === 'audio' ? texts.closedAudio() : texts.closedSeries()}</h1>
    <p><a class="link" href="${address}" target="_blank" rel="noopener">${texts.open(site.name)}</a></p>
  </div>`;
}

function playable({ site, address }: Shell, frame: Frame) {
  const { title, imageUrl, parts, hasParts } = frame;
  const [first] = parts;
  return html`<article class="embed" aria-label="${title}">
      ${
        imageUrl === null
          ? html`<div class="embed__cover"></div>`
          : html`<img class="embed__cover" src="${coverOf(imageUrl)}" alt="" width="160" height="180" />`
      }
      <div class="embed__head">
        <div class="embed__texts">
          <h1
            class="embed__title"
            data-embed="title"
            dir="auto"
            ${frame.language === undefined ? '' : langOf(frame.language)}
          >
            ${hasParts ? first?.title : title}
          </h1>
          <p class="embed__by" dir="auto">${byLine(frame)}</p>
        </div>
        <a class="logo" href="${address}" target="_blank" rel="noopener" aria-label="${texts.newTab(site.name)}"
          >${logo(site.name)}</a
        >
      </div>
      <div class="embed__body">
        ${playerControls(title, first)}
        <div class="embed__foot">
          <span data-embed="time">${formatTime(0)} / ${formatTime(first?.seconds ?? 0)}</span>
          <span class="embed__note" role="status" data-embed="note"></span>
          <noscript><audio controls preload="none" src="${first?.src}"></audio></noscript>
          <a class="link" href="${address}" target="_blank" rel="noopener">${texts.listen(site.name)}</a>
        </div>
      </div>
    </article>
    ${
      hasParts
        ? html`<ol class="embed__parts" aria-label="${texts.parts(title)}">
            ${parts.map(
              (part, index) =>
                html`<li>
                  <button class="embed__part" type="button" data-part="${index}">
                    <span>${index + 1}</span><span dir="auto">${part.title}</span
                    ><span>${formatTime(part.seconds)}</span>
                  </button>
                </li>`,
            )}
          </ol>`
        : ''
    }
    ${playerData(parts)}`;
}

function byLine({ title, author, hasParts }: Frame): string {
  if (!hasParts) return author;
  return author === '' ? title : `${title} · ${author}`;
}
