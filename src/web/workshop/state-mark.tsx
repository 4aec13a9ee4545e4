import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import EyeOff from 'lucide-react/icons/eye-off';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import type { ManagedState } from '#domain/studio/rules.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/images/icon.tsx';
import { LocalTime } from './local-time.tsx';

type Tone = 'ok' | 'accent' | 'bad';

/** Icon and word. */
export function StateMark({ icon, tone, children }: { icon: LucideIcon; tone?: Tone; children: ReactNode }) {
  return (
    <span className={classNames('state-mark', tone && `tone-${tone}`)}>
      <Icon of={icon} size={16} />
      {children}
    </span>
  );
}

const marks: Record<ManagedState, { icon: LucideIcon; tone?: Tone; text: string }> = {
  published: { icon: Check, tone: 'ok', text: 'Published' },
  scheduled: { icon: Clock, tone: 'accent', text: 'Scheduled' },
  draft: { icon: Pencil, text: 'Draft' },
  unpublished: { icon: EyeOff, text: 'Unpublished' },
  deleted: { icon: Trash, tone: 'bad', text: 'Deleted' },
};

/** @param now the server's time in milliseconds */
export function AudioStateMark({
  state,
  publishedAt,
  now,
}: {
  state: ManagedState;
  publishedAt: string | null;
  now: number;
}) {
  const { icon, tone, text } = marks[state];
  return (
    <StateMark icon={icon} {...(tone && { tone })}>
      {text}
      {state === 'scheduled' && publishedAt !== null && (
        <>
          {' '}
          <LocalTime at={publishedAt} now={now} style="moment" />
        </>
      )}
    </StateMark>
  );
}

/** A file that has not become an audio yet. @param progress of the step, in percent */
export function UploadStateMark({ state, progress }: { state: string; progress: number }) {
  if (state === 'failed')
    return (
      <StateMark icon={CircleAlert} tone="bad">
        Failed
      </StateMark>
    );
  const text = { uploading: 'Uploading', waiting: 'Waiting' }[state] ?? `Processing ${progress}%`;
  return <StateMark icon={LoaderCircle}>{text}</StateMark>;
}
