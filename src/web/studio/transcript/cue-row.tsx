import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ListPlus from 'lucide-react/icons/list-plus';
import Merge from 'lucide-react/icons/merge';
import PanelLeft from 'lucide-react/icons/panel-left';
import PanelRight from 'lucide-react/icons/panel-right';
import Play from 'lucide-react/icons/play';
import Scissors from 'lucide-react/icons/scissors';
import Trash2 from 'lucide-react/icons/trash-2';
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { type Cue, type CueFault, cueTextLength, formatCueTime } from '#domain/catalogue/rules.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { FieldError } from '#web/ui/fields/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { isComposing } from '#web/ui/fields/is-composing.ts';
import { MenuItem, MenuSeparator } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { useNear } from '../../ui/use-near.ts';
import { RecordingWaveform } from '#web/workshop/charts/recording-waveform.tsx';
import { TimeField } from '../time-field.tsx';
import { CertaintyMark } from './certainty-mark.tsx';
import { CuePiece } from './cue-piece.tsx';

/** Commands of a transcript line. The functions are stable, so that other lines do not re-render. */
export type CueCommands = {
  /** Other times move the unconfirmed lines after it along. */
  change(cue: Cue, changes: Partial<Cue>): void;
  /** Its times are right; goes on to the next line to check. */
  confirm(cue: Cue): void;
  /** The focus entered or left the line. */
  enter(cue: Cue): void;
  leave(): void;
  play(cue: Cue): void;
  setToPlayhead(cue: Cue, edge: 'start' | 'end'): void;
  split(cue: Cue): void;
  joinWithNext(cue: Cue): void;
  addAfter(cue: Cue): void;
  remove(cue: Cue): void;
};

type CueRowProps = {
  cue: Cue;
  /** Counted from 1. */
  number: number;
  isLast: boolean;
  isCurrent: boolean;
  /** Shows how sure its times are: lines of this transcript were timed from a script. */
  isTimed: boolean;
  /** Focuses its text. */
  takesFocus: boolean;
  fault: CueFault | undefined;
  duration: number;
  peaks: string | undefined;
  commands: CueCommands;
};

/** One line of a transcript. Off screen it is plain text, for find in page: a transcript may have thousands. */
export const CueRow = memo(function CueRow(props: CueRowProps) {
  const { cue, number, isCurrent, isTimed, takesFocus, commands } = props;
  const row = useRef<HTMLLIElement>(null);
  const isNear = useNear(row, number <= 20 || isCurrent);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the fields in it
    <li
      ref={row}
      className="cue"
      data-cue={number}
      data-current={isCurrent ? '' : undefined}
      aria-current={isCurrent || undefined}
      onFocus={() => commands.enter(cue)}
      onBlur={commands.leave}
      onKeyDown={(event) => {
        playByKey(event, () => commands.play(cue));
        if (cue.certainty !== undefined) confirmByKey(event, () => commands.confirm(cue));
      }}
    >
      <span className="position">{number}</span>
      {isNear || isCurrent || takesFocus ? (
        <CueFields {...props} />
      ) : (
        <>
          <span className="time-field leading-9">{formatCueTime(cue.start)}</span>
          <span className="time-field leading-9">{formatCueTime(cue.end)}</span>
          <span />
          <span className="time-field cue-text leading-9 truncate">{cue.text}</span>
          {isTimed && <span className="max-md:hidden" />}
        </>
      )}
    </li>
  );
});

function playByKey(event: KeyboardEvent, play: () => void): void {
  if (event.key !== ' ' || !event.ctrlKey || event.defaultPrevented) return;
  event.preventDefault();
  play();
}

/** In the fields only: Enter presses buttons. A time that is typed is taken first. */
function confirmByKey(event: KeyboardEvent, confirm: () => void): void {
  if (event.key !== 'Enter' || event.defaultPrevented || isComposing(event)) return;
  if (!(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  confirm();
}

/** Times, waveform part, and text. */
function CueFields(props: CueRowProps) {
  const { cue, number, isLast, isCurrent, isTimed, takesFocus, fault, duration, peaks, commands } = props;
  const [typedFault, setTypedFault] = useState<string>();
  const text = typedFault ?? (fault && faultTexts[fault](number));
  const errorId = `cue-${number}-error`;
  const described = text === undefined ? undefined : errorId;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);

  return (
    <>
      {(['start', 'end'] as const).map((edge) => (
        <TimeField
          key={edge}
          label={edge === 'start' ? t`Line ${number} starts` : t`Line ${number} ends`}
          seconds={cue[edge]}
          duration={duration}
          isBad={
            fault === 'ends-before-start'
              ? edge === 'end'
              : fault === 'overlaps'
                ? edge === 'start'
                : fault === 'outside'
          }
          describedBy={described}
          onChange={(seconds) => commands.change(cue, { [edge]: seconds })}
          onFault={setTypedFault}
        />
      ))}
      <button
        type="button"
        className="cue__sound"
        aria-label={t`Play line ${number}`}
        onClick={() => commands.play(cue)}
      >
        {peaks === undefined || cue.end <= cue.start || duration <= 0 ? (
          <span className="h-0.5 rounded-[2px] bg-control-line" />
        ) : (
          <RecordingWaveform
            className="cue-wave"
            peaks={peaks}
            from={Math.min(1, cue.start / duration)}
            to={Math.min(1, cue.end / duration)}
            heard={isCurrent ? 1 : 0}
          />
        )}
      </button>
      <input
        ref={field}
        data-cue-text=""
        className={classNames('time-field cue-text', fault === 'empty' && 'time-field--bad')}
        aria-label={t`Line ${number} text`}
        aria-invalid={fault === 'empty' || undefined}
        aria-describedby={described}
        value={cue.text}
        maxLength={cueTextLength}
        onChange={({ target }) => commands.change(cue, { text: target.value })}
      />
      {isTimed && <CertaintyMark of={cue.certainty ?? 'sure'} className="max-md:hidden" />}
      <Menu trigger={<IconButton label={t`More for line ${number}`} icon={Ellipsis} />} header={t`Line ${number}`}>
        <MenuItem icon={Play} onSelect={() => commands.play(cue)}>
          {t`Play this line`}
        </MenuItem>
        <MenuItem icon={PanelLeft} onSelect={() => commands.setToPlayhead(cue, 'start')}>
          {t`Start at the playhead`}
        </MenuItem>
        <MenuItem icon={PanelRight} onSelect={() => commands.setToPlayhead(cue, 'end')}>
          {t`End at the playhead`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Scissors} onSelect={() => commands.split(cue)}>
          {t`Split here`}
        </MenuItem>
        {!isLast && (
          <MenuItem icon={Merge} onSelect={() => commands.joinWithNext(cue)}>
            {t`Join with the next line`}
          </MenuItem>
        )}
        <MenuItem icon={ListPlus} onSelect={() => commands.addAfter(cue)}>
          {t`Add a line after`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} onSelect={() => commands.remove(cue)}>
          {t`Remove line`}
        </MenuItem>
      </Menu>
      {cue.certainty !== undefined && isCurrent && peaks !== undefined && duration > 0 && (
        <div className="col-[2/-1] px-2 pt-2 pb-1 max-md:col-span-full">
          <CuePiece
            cue={cue}
            number={number}
            duration={duration}
            peaks={peaks}
            onChange={(changes) => commands.change(cue, changes)}
          />
        </div>
      )}
      {cue.certainty !== undefined && (
        <div className={classNames('col-[2/-1] flex items-center gap-3 pb-1.5 ps-2', !isCurrent && 'md:hidden')}>
          <CertaintyMark of={cue.certainty} className="md:hidden" />
          {isCurrent && (
            <>
              <Button
                variant="primary"
                size="sm"
                aria-label={t`Confirm line ${number}`}
                onClick={() => commands.confirm(cue)}
              >
                <Icon of={Check} size={16} />
                <Trans>Confirm</Trans>
              </Button>
              <span className="text-13 text-muted max-md:hidden">
                <Trans>Lines to check after it move along with its times.</Trans>
              </span>
            </>
          )}
        </div>
      )}
      {text !== undefined && (
        <div className="col-[2/-1] pt-0.5 pb-1.5 ps-2">
          <FieldError id={errorId}>{text}</FieldError>
        </div>
      )}
    </>
  );
}

const faultTexts: Record<CueFault, (number: number) => string> = {
  'ends-before-start': (number) => t`Line ${number} ends before it starts`,
  outside: (number) => t`Line ${number} is outside the recording`,
  overlaps: (number) => t`Line ${number} starts before the line above ends`,
  empty: (number) => t`Line ${number} has no text`,
};
