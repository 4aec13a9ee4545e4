import { html } from 'hono/html';
import { formatDuration, formatTime } from '#formats/durations.ts';
import type { Clip } from '#domain/listening/clips/clips.ts';
import { i18n } from '#i18n';
import { type Shell, type ShellPage, coverOf, langOf, playerControls, playerData, shellPage } from './shell-page.ts';

const texts = {
  whole: () => i18n._(/*i18n*/ { id: 'clip.whole', message: 'Listen to the whole audio' }),
  making: () => i18n._(/*i18n*/ { id: 'clip.making', message: 'This clip is being cut. It is here in a few seconds.' }),
  failed: () => i18n._(/*i18n*/ { id: 'clip.failed', message: 'This clip could not be cut.' }),
  gone: () => i18n._(/*i18n*/ { id: 'clip.gone', message: 'This clip is not there any more.' }),
  asked: () => i18n._(/*i18n*/ { id: 'clip.age', message: 'Please confirm your age on the page of the audio.' }),
  about: (name: string, length: string) =>
    i18n._(/*i18n*/ { id: 'clip.about', message: '{length}, read by {name}.', values: { name, length } }),
};

/** Seconds after which the page of a clip that is being cut loads itself again. */
const again = 3;

export type ClipPage = Shell & {
  /** Address of this page. */
  own: string;
  /** Undefined: it is gone. */
  clip: Clip | undefined;
  /** A rule of age asks the visitor for something first. */
  isAsked: boolean;
};

/** `27 sec`, as its line says it. */
export const clipLength = (clip: Pick<Clip, 'seconds'>): string => formatDuration(Math.round(clip.seconds));

export function clipPage(page: ClipPage): ShellPage {
  const { clip, isAsked, own, address, site } = page;
  if (clip === undefined)
    return shellPage(page, { title: site.name, body: message(page, texts.gone()), hasPlayer: false });
  const line = `${clip.voice.name} · ${clipLength(clip)}`;
  const isPlayable = clip.state === 'ready' && !isAsked;
  return shellPage(page, {
    title: clip.audio.title,
    head: html`<meta property="og:site_name" content="${site.name}" />
      <meta property="og:type" content="music.song" />
      <meta property="og:title" content="${clip.audio.title}" />
      <meta property="og:description" content="${clip.quote || texts.about(clip.voice.name, clipLength(clip))}" />
      <meta property="og:url" content="${own}" />
      <meta property="og:image" content="${site.url}/cards/clip/${clip.id}.jpg" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:audio" content="${site.url}/clip/${clip.id}/sound" />
      <meta property="og:audio:type" content="audio/mp4" />
      <meta name="twitter:card" content="summary_large_image" />
      ${clip.state === 'waiting' ? html`<meta http-equiv="refresh" content="${again}" />` : ''}`,
    body: html`<article class="clip" aria-label="${clip.audio.title}">
      ${
        clip.audio.imageUrl === null
          ? ''
          : html`<img class="clip__cover" src="${coverOf(clip.audio.imageUrl)}" alt="" width="384" height="384" />`
      }
      <div class="clip__texts">
        <h1 class="clip__title" data-embed="title" dir="auto" ${langOf(clip.audio.language)}>${clip.audio.title}</h1>
        <p class="embed__by" dir="auto">${line}</p>
        ${
          clip.quote === ''
            ? ''
            : html`<blockquote class="clip__quote" dir="auto" ${langOf(clip.audio.language)}>
                “${clip.quote}”
              </blockquote>`
        }
        ${isPlayable ? player(clip) : html`<p class="clip__state" role="status">${stateOf(clip, isAsked)}</p>`}
        <p class="clip__more"><a class="link" href="${address}">${texts.whole()}</a></p>
      </div>
    </article>`,
    hasPlayer: isPlayable,
  });
}

function stateOf({ state }: Clip, isAsked: boolean): string {
  if (isAsked) return texts.asked();
  return state === 'failed' ? texts.failed() : texts.making();
}

function player({ id, audio, voice, seconds, bars }: Clip) {
  const src = `/clip/${id}/sound`;
  const part = { id: null, title: audio.title, author: voice.name, seconds, src, bars };
  return html`${playerControls(audio.title, part)}
    <div class="embed__foot">
      <span data-embed="time">${formatTime(0)} / ${formatTime(seconds)}</span>
      <span class="embed__note" role="status" data-embed="note"></span>
      <noscript><audio controls preload="none" src="${src}"></audio></noscript>
    </div>
    ${playerData([part])}`;
}

function message({ address }: Shell, text: string) {
  return html`<div class="embed__closed">
    <h1 class="clip__title">${text}</h1>
    <p><a class="link" href="${address}">${texts.whole()}</a></p>
  </div>`;
}
