import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

/** `go` is moving, `stop` paused, `bad` needs the creator. */
export type Tone = 'go' | 'stop' | 'ok' | 'bad' | 'wait';

type UploadPartProps = {
  tone: Tone;
  icon: LucideIcon;
  name: ReactNode;
  /** State, before the facts. */
  now: ReactNode;
  /** Short facts in a row; those that are not known are left out. */
  facts?: (string | undefined)[];
  actions?: ReactNode;
  children?: ReactNode;
};

/** One row of the list of uploads. */
export function UploadPart({ tone, icon, name, now, facts = [], actions, children }: UploadPartProps) {
  return (
    <li className={classNames('upload-row', `upload-row--${tone}`)}>
      <span className="upload-row__icon">
        <Icon of={icon} />
      </span>
      <div className="min-w-0">
        <div className="text-15 font-semibold">{name}</div>
        <p className="upload-row__facts">
          <span>{typeof now === 'string' ? <b className="text-text">{now}</b> : now}</span>
          {facts.map(
            (fact) =>
              fact !== undefined && (
                <span key={fact} className="dot">
                  {fact}
                </span>
              ),
          )}
        </p>
      </div>
      {actions !== undefined && <div className="upload-row__acts">{actions}</div>}
      {children}
    </li>
  );
}

export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      className="bar"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw <progress> each in its own way
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}

type TitleFieldProps = {
  fileName: string;
  title: string;
  /** @returns the error message, if it was not saved */
  onSave(title: string): Promise<string | undefined>;
};

/** The title of the future audio, saved on blur. */
export function TitleField({ fileName, title, onSave }: TitleFieldProps) {
  const id = useId();
  const [error, setError] = useState<string | undefined>();
  return (
    <>
      <input
        // Adopts a title changed elsewhere.
        key={title}
        className="w-full min-w-0 min-h-7 -my-1 -mx-2 py-0.5 px-2 rounded-tag bg-transparent [font:inherit] text-ellipsis [&:not(:focus)]:[text-decoration:underline_dashed_color-mix(in_srgb,var(--text)_30%,transparent)_1px] [&:not(:focus)]:underline-offset-4 hover:bg-text/6 focus:bg-bg max-md:min-h-11 max-md:-my-2.5"
        aria-label={t`Title of ${fileName}`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        title={t`Change the title`}
        defaultValue={title}
        maxLength={200}
        autoComplete="off"
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key !== 'Escape') return;
          event.currentTarget.value = title;
          event.currentTarget.blur();
        }}
        onBlur={async ({ currentTarget: field }) => {
          const text = field.value.trim();
          if (text === '') field.value = title;
          else if (text !== title) setError(await onSave(text));
        }}
      />
      {error !== undefined && (
        <span id={id} className="up-bad text-13" role="alert">
          {error}
        </span>
      )}
    </>
  );
}
