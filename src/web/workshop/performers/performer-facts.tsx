import { t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import UserRound from 'lucide-react/icons/user';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import type { AudioPerformer } from '#domain/studio/audios/performers.ts';
import { type ConsentPart, consentParts } from '#domain/verification/rules.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { useTimeZone } from '../local-time.tsx';
import { performerText } from './performer-text.ts';

const partNames = (): Record<ConsentPart, string> => ({
  recorded: t({ message: 'Recorded', context: 'consent' }),
  published: t({ message: 'Published', context: 'consent' }),
  downloaded: t({ message: 'Downloaded', context: 'consent' }),
});

export const creditOf = ({ name }: Pick<AudioPerformer, 'name'>) => name ?? t`Not credited`;

type PerformerFactsProps = { performer: AudioPerformer; menu?: ReactNode; children?: ReactNode };

/** Name, answer and check of a performer, and the parts of their consent; the desk shows no more. */
export function PerformerFacts({ performer, menu, children }: PerformerFactsProps) {
  const zone = useTimeZone();
  return (
    <div className="performer">
      <span className="performer__icon">
        <Icon of={UserRound} />
      </span>
      <div>
        <b dir="auto">{creditOf(performer)}</b>
        <p>{performerText(performer, zone)}</p>
      </div>
      {menu}
      <div className="performer__row">
        {consentParts.map((part) => (
          <ConsentMark key={part} performer={performer} part={part} />
        ))}
      </div>
      {children}
    </div>
  );
}

function ConsentMark({ performer, part }: { performer: AudioPerformer; part: ConsentPart }) {
  const waits = performer.state === 'asked' || performer.isOutdated;
  const state = waits ? 'waits' : performer[part] ? 'yes' : 'no';
  return (
    <span className="consent-mark" data-state={state}>
      <Icon of={{ waits: Clock, yes: Check, no: X }[state]} size={16} />
      {partNames()[part]}
      <span className="sr-only">
        {{ waits: t({ message: 'waits', context: 'consent' }), yes: t`yes`, no: t`no` }[state]}
      </span>
    </span>
  );
}
