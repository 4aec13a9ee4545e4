import { t } from '@lingui/core/macro';
import Clock from 'lucide-react/icons/clock';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldOff from 'lucide-react/icons/shield-off';
import ShieldX from 'lucide-react/icons/shield-x';
import type { VerificationState } from '#domain/verification/rules.ts';
import { formatDate } from '#formats/times.ts';
import { StateMark } from './state-mark.tsx';

/** @param until last day of the check, in ISO 8601 */
export function VerificationMark({ state, until }: { state: VerificationState; until: string | null }) {
  switch (state) {
    case 'none':
      return <StateMark icon={ShieldOff} text={t`Not verified`} />;
    case 'waiting':
      return <StateMark icon={Clock} tone="accent" text={t`Waiting`} />;
    case 'verified':
      return <StateMark icon={ShieldCheck} tone="ok" text={t({ message: 'Verified', context: 'creator' })} />;
    case 'ends-soon':
      return <StateMark icon={Clock} tone="accent" text={t`Ends on ${{ day: formatDate(until ?? '') }}`} />;
    case 'refused':
      return <StateMark icon={ShieldX} tone="bad" text={t({ message: 'Refused', context: 'verification' })} />;
    case 'withdrawn':
      return <StateMark icon={ShieldX} tone="bad" text={t({ message: 'Withdrawn', context: 'verification' })} />;
  }
}
