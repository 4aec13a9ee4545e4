import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = { accent: '', success: 'tag--ok', muted: 'tag--mut', danger: 'tag--bad' };

/** One or two words on the state of a thing. The words say it; the colour only helps. */
export function Tag({ tone = 'accent', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return <span className={classNames('tag', tones[tone])}>{children}</span>;
}
