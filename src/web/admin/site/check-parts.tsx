import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import type { Finding, TestName } from '#domain/admin/operations.ts';
import type { System } from '#domain/admin/site/system.ts';
import { formatBytes } from '#web/bytes.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { api } from '#web/api.ts';
import { useCall } from '../use-call.ts';

/** Parts of Admin's pages that list checks and their results. */

const states = {
  ok: { icon: CircleCheck, className: undefined, label: () => t`In order:` },
  warn: { icon: TriangleAlert, className: 'check-warns', label: () => t({ message: 'Check:', context: 'verb' }) },
  FAIL: { icon: CircleAlert, className: 'check-fails', label: () => t`Needs attention:` },
  unknown: { icon: CircleDashed, className: 'check-unknown', label: () => '' },
};

type LineProps = { name: string; state: Finding['level'] | 'unknown'; act?: ReactNode; children: ReactNode };

export function Line({ name, state, act, children }: LineProps) {
  const { icon, className, label } = states[state];
  return (
    <li className={className}>
      <Icon of={icon} size={18} />
      <b className="[overflow-wrap:anywhere]">{name}</b>
      <span className="[overflow-wrap:anywhere]">
        <span className="sr-only">{label()} </span>
        {children}
      </span>
      {act && <span className="check-act">{act}</span>}
    </li>
  );
}

const testLabels: Record<TestName, () => string> = {
  mail: () => t`Test mail`,
  storage: () => t`Test storage`,
  payment: () => t`Test payment`,
};

type TestLineProps = { name: TestName; label: string; tests: System['tests']; ago: (time: Date) => string };

export function TestLine({ name, label, tests, ago }: TestLineProps) {
  const { tryOut } = useSystemAct();
  const last = tests.find((test) => test.name === name);
  return (
    <Line
      name={label}
      state={last === undefined ? 'unknown' : last.isOk ? 'ok' : 'FAIL'}
      act={
        <Button size="sm" aria-label={testLabels[name]()} onClick={() => tryOut(name)}>
          {t`Test`}
        </Button>
      }
    >
      {last === undefined
        ? t`Not tested yet`
        : t`${{ result: last.message }}. Tested ${{ ago: ago(last.testedAt) }}, ${{ milliseconds: last.milliseconds }} ms`}
    </Line>
  );
}

/** When the checks were run, and a button that runs them again. */
export function CheckAgain({ asOf }: { asOf: Date }) {
  const { isChecking, checkAgain } = useSystemAct();
  return (
    <p className="text-13 mt-2 flex flex-wrap items-center gap-x-3 text-muted tabular-nums">
      <Trans>
        Checks as of <LocalTime at={asOf} style="clock" />
      </Trans>
      <Button size="sm" variant="ghost" disabled={isChecking} onClick={checkAgain}>
        {isChecking ? t`Checking` : t`Check again`}
      </Button>
    </p>
  );
}

export function SearchPart({ index }: { index: System['index'] }) {
  const { rebuildSearch } = useSystemAct();
  return (
    <Part id="search" title={t`Search`} help={t`The index answers while a new one is built.`}>
      <ul className="check-list">
        <Line
          name={t`Index`}
          state={index === undefined ? 'unknown' : 'ok'}
          act={
            <Button size="sm" disabled={index?.isBuilding} onClick={rebuildSearch}>
              {t`Rebuild`}
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
  if (index === undefined) return t`Unknown`;
  const { documents: entries } = index;
  const parts = [
    index.engine === 'algolia' ? 'Algolia' : t`Built in`,
    entries !== undefined && plural(entries, { one: '# entry', other: '# entries' }),
    index.isBuilding && progressText(index.built, entries),
  ];
  return parts.filter(Boolean).join(', ');
}

/** @param all entries of the old index: about as many there will be */
function progressText(built: number | undefined, all: number | undefined): string {
  if (built === undefined || all === undefined || all === 0) return t`is being built`;
  const percent = Math.min(99, Math.floor((built / all) * 100));
  return t`is being built: ${plural(built, { one: '# entry', other: '# entries' })}, ${percent}%`;
}

export function storageText({ kind, place, freeBytes }: System['storage']): string {
  const where = kind === 'disk' ? t`Disk, the data folder of the server` : t`Object storage, bucket ${place}`;
  return freeBytes === undefined ? where : t`${where}, ${{ size: formatBytes(freeBytes) }} free`;
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
        done: ({ isOk, message }) => (isOk ? message : t`It failed: ${message}`),
      }),
    rebuildSearch: () =>
      void call('search', () => api.admin.system.search.rebuild.$post(), { done: t`The index is being rebuilt` }),
  };
}
