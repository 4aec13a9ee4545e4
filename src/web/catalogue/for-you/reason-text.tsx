import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatDay } from '#formats/times.ts';
import type { Suggestion } from '#suggestions/mix.ts';
import { foreign } from '../foreign-language.tsx';

/** The line under a card. */
export function reasonText({ audio, reason }: Suggestion): ReactNode {
  if (reason === undefined) return null;
  if (reason.kind === 'tag') {
    const tag = <bdi>{reason.tag}</bdi>;
    return <Trans>{tag}, like much that you play</Trans>;
  }
  if (!('heard' in reason)) {
    const name = <bdi>{audio.voice.name}</bdi>;
    if (reason.kind === 'new-little-heard') return <Trans>New from {name}, little heard so far</Trans>;
    return reason.kind === 'new' ? <Trans>New from {name}</Trans> : t`Little heard so far`;
  }
  const { heard } = reason;
  const title = (
    <q>
      <bdi lang={foreign(heard.language)}>{heard.title}</bdi>
    </q>
  );
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
