import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatDay } from '#formats/times.ts';
import type { Suggestion } from '#suggestions/mix.ts';

/** The line under a card. */
export function reasonText({ audio, reason }: Suggestion): ReactNode {
  if (reason === undefined) return null;
  if (reason.kind === 'tag') {
    const { tag } = reason;
    return t`${tag}, like much that you play`;
  }
  if (!('heard' in reason)) {
    const { name } = audio.voice;
    if (reason.kind === 'new-little-heard') return t`New from ${name}, little heard so far`;
    return reason.kind === 'new' ? t`New from ${name}` : t`Little heard so far`;
  }
  const title = <q>{reason.heard.title}</q>;
  switch (reason.kind) {
    case 'favorite':
      return <Trans>Because you favorited {title}</Trans>;
    case 'often':
      return <Trans>Because you often play {title}</Trans>;
    case 'finished':
      return <Trans>Because you finished {title}</Trans>;
    case 'played':
      return <Trans>Because you played {title}</Trans>;
  }
}

/** How and when the audio that led there was heard. */
export function heardText(reason: Extract<Suggestion['reason'], { heard: unknown }>): string {
  const day = formatDay(reason.heard.at);
  switch (reason.kind) {
    case 'favorite':
      return reason.heard.listens > 0 ? t`One of your favorites, last played on ${day}` : t`You favorited it on ${day}`;
    case 'often':
      return t`You play it often, last on ${day}`;
    case 'finished':
      return t`You finished it on ${day}`;
    case 'played':
      return t`You played it on ${day}`;
  }
}
