import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import EyeOff from 'lucide-react/icons/eye-off';
import Headphones from 'lucide-react/icons/headphones';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ReactNode } from 'react';
import type { Instant } from '#formats/times.ts';
import type { ManagedState } from '#domain/studio/rules.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/images/icon.tsx';
import { LocalTime } from './local-time.tsx';

type Tone = 'ok' | 'accent' | 'bad';

type StateMarkProps = {
  icon?: LucideIcon;
  tone?: Tone | undefined;
  text?: string;
  className?: string;
  children?: ReactNode;
};

/** Icon and word, or a word alone. */
export function StateMark({ icon, tone, text, className, children }: StateMarkProps) {
  return (
    <span className={classNames('state-mark', tone && `tone-${tone}`, className)}>
      {icon && <Icon of={icon} size={16} />}
      {text}
      {children}
    </span>
  );
}

/** Beside the name of what listeners do not see. */
export function HiddenMark() {
  return <StateMark icon={EyeOff} text={t`Hidden`} className="ms-2" />;
}

const marks = (): Record<ManagedState, { icon: LucideIcon; tone?: Tone; text: string }> => ({
  published: { icon: Check, tone: 'ok', text: t`Published` },
  'in-review': { icon: Headphones, tone: 'accent', text: t`In review` },
  returned: { icon: Undo2, tone: 'bad', text: t`Returned` },
  scheduled: { icon: Clock, tone: 'accent', text: t`Scheduled` },
  draft: { icon: Pencil, text: t`Draft` },
  unpublished: { icon: EyeOff, text: t`Unpublished` },
  deleted: { icon: Trash, tone: 'bad', text: t`Deleted` },
});

type PublicationMarkProps = {
  of: { state: ManagedState; publishedAt: Instant | null };
  /** The server's time in milliseconds: a scheduled time is shown with its hour. */
  now?: number;
  /** Dates everything that is published too. */
  isDated?: boolean;
};

/** State of an audio, a playlist or an article. */
export function PublicationMark({ of: { state, publishedAt }, now, isDated = false }: PublicationMarkProps) {
  return (
    <StateMark {...marks()[state]}>
      {publishedAt !== null && (isDated || state === 'scheduled') && (
        <>
          {' '}
          {now === undefined ? (
            <LocalTime at={publishedAt} style="date" />
          ) : (
            <LocalTime at={publishedAt} now={now} style="moment" />
          )}
        </>
      )}
    </StateMark>
  );
}

/** A file that has not become an audio yet. @param progress of the step, in percent */
export function UploadStateMark({ state, progress }: { state: string; progress: number }) {
  if (state === 'failed') return <StateMark icon={CircleAlert} tone="bad" text={t`Failed`} />;
  const text = { uploading: t`Uploading`, waiting: t`Waiting` }[state] ?? t`Processing ${progress}%`;
  return <StateMark icon={LoaderCircle} text={text} />;
}
