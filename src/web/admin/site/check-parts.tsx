import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useId } from 'react';
import type { Finding, TestName } from '#domain/admin/operations.ts';
import type { System } from '#domain/admin/site/system.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatBytes } from '#web/bytes.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { api } from '#web/api.ts';
import { useCall } from '../use-call.ts';

/** Parts of Admin's pages that list checks and their results. */

type PartProps = { id?: string; title: string; help: ReactNode; facts?: ReactNode; children: ReactNode };

/** A part of a page of settings. @param props.id to link to it. @param props.facts below the help */
export function Part({ id, title, help, facts, children }: PartProps) {
  const heading = useId();
  return (
    <section className="settings-part" id={id} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        <p>{help}</p>
        {facts !== undefined && <p>{facts}</p>}
      </header>
      <div>{children}</div>
    </section>
  );
}

const states = {
  ok: { icon: CircleCheck, className: undefined, label: 'In order: ' },
  warn: { icon: TriangleAlert, className: 'check-warns', label: 'Check: ' },
  FAIL: { icon: CircleAlert, className: 'check-fails', label: 'Needs attention: ' },
  unknown: { icon: CircleDashed, className: 'check-unknown', label: '' },
};

type LineProps = { name: string; state: Finding['level'] | 'unknown'; act?: ReactNode; children: ReactNode };

export function Line({ name, state, act, children }: LineProps) {
  const { icon, className, label } = states[state];
  return (
    <li className={className}>
      <Icon of={icon} size={18} />
      <b className="[overflow-wrap:anywhere]">{name}</b>
      <span className="[overflow-wrap:anywhere]">
        <span className="sr-only">{label}</span>
        {children}
      </span>
      {act && <span className="check-act">{act}</span>}
    </li>
  );
}

type TestLineProps = { name: TestName; label: string; tests: System['tests']; ago: (time: Date) => string };

export function TestLine({ name, label, tests, ago }: TestLineProps) {
  const { tryOut } = useSystemAct();
  const last = tests.find((test) => test.name === name);
  return (
    <Line
      name={label}
      state={last === undefined ? 'unknown' : last.isOk ? 'ok' : 'FAIL'}
      act={
        <Button size="sm" aria-label={`Test ${name}`} onClick={() => tryOut(name)}>
          Test
        </Button>
      }
    >
      {last === undefined ? 'Not tested yet' : `${last.message}. Tested ${ago(last.testedAt)}, ${last.milliseconds} ms`}
    </Line>
  );
}

/** When the checks were run, and a button that runs them again. */
export function CheckAgain({ asOf }: { asOf: Date }) {
  const { isChecking, checkAgain } = useSystemAct();
  return (
    <p className="text-13 mt-2 flex flex-wrap items-center gap-x-3 text-muted tabular-nums">
      Checks as of <LocalTime at={asOf} style="clock" />
      <Button size="sm" variant="ghost" disabled={isChecking} onClick={checkAgain}>
        {isChecking ? 'Checking' : 'Check again'}
      </Button>
    </p>
  );
}

export function SearchPart({ index }: { index: System['index'] }) {
  const { rebuildSearch } = useSystemAct();
  return (
    <Part id="search" title="Search" help="The index answers while a new one is built.">
      <ul className="check-list">
        <Line
          name="Index"
          state={index === undefined ? 'unknown' : 'ok'}
          act={
            <Button size="sm" disabled={index?.isBuilding} onClick={rebuildSearch}>
              Rebuild
            </Button>
          }
        >
          {indexText(index)}
        </Line>
      </ul>
    </Part>
  );
}

function indexText(index: System['index']): string {
  if (index === undefined) return 'Unknown';
  const engine = index.engine === 'algolia' ? 'Algolia' : 'Built in';
  const size = index.documents === undefined ? '' : `, ${countOf(index.documents, 'entry', 'entries')}`;
  if (!index.isBuilding) return `${engine}${size}`;
  const { built, documents: total } = index;
  // The old index tells how many there will be.
  const progress =
    built === undefined || total === undefined || total === 0
      ? ''
      : `: ${formatCount(built)} entries, ${Math.min(99, Math.floor((built / total) * 100))}%`;
  return `${engine}${size}, is being built${progress}`;
}

export function storageText({ kind, place, freeBytes }: System['storage']): string {
  const where = kind === 'disk' ? `Disk, ${place}` : `Object storage, bucket ${place}`;
  return freeBytes === undefined ? where : `${where}, ${formatBytes(freeBytes)} free`;
}

/** Calls of System: each shows its result and reloads the page. */
export function useSystemAct() {
  const { busy, call } = useCall();
  return {
    isChecking: busy === 'check',
    /** Runs the site's checks now; the page shows their result. */
    checkAgain: () => void call('check', () => api.admin.system.checks.$get()),
    tryOut: (name: TestName) =>
      void call('test', () => api.admin.system.tests[':name'].$post({ param: { name } }), {
        done: ({ isOk, message }) => (isOk ? message : `It failed: ${message}`),
      }),
    rebuildSearch: () =>
      void call('search', () => api.admin.system.search.rebuild.$post(), { done: 'The index is being rebuilt' }),
  };
}
