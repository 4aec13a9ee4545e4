import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import type { Finding, TestName } from '#domain/admin/operations.ts';
import type { System } from '#domain/admin/site/system.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatBytes } from '../../bytes.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';

/** Parts of Admin's pages that list checks and their results. */

export function Part({ id, title, help, children }: { id: string; title: string; help: string; children: ReactNode }) {
  return (
    <section className="settings-part" id={id} aria-labelledby={`${id}-heading`}>
      <header>
        <h2 id={`${id}-heading`}>{title}</h2>
        <p>{help}</p>
      </header>
      <div>{children}</div>
    </section>
  );
}

const states = {
  ok: { icon: CircleCheck, className: undefined, label: 'In order: ' },
  warn: { icon: TriangleAlert, className: 'check-warns', label: 'Check: ' },
  FAIL: { icon: CircleAlert, className: 'check-fails', label: 'Wrong: ' },
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
      {act !== undefined && <span className="check-act">{act}</span>}
    </li>
  );
}

type TestLineProps = {
  name: TestName;
  label: string;
  tests: System['tests'];
  ago: (time: Date) => string;
  onTest: (name: TestName) => Promise<void>;
};

export function TestLine({ name, label, tests, ago, onTest }: TestLineProps) {
  const last = tests.find((test) => test.name === name);
  return (
    <Line
      name={label}
      state={last === undefined ? 'unknown' : last.isOk ? 'ok' : 'FAIL'}
      act={
        <Button size="sm" aria-label={`Test ${name}`} onClick={() => void onTest(name)}>
          Test
        </Button>
      }
    >
      {last === undefined ? 'Not tested yet' : `${last.message}. Tested ${ago(last.testedAt)}, ${last.milliseconds} ms`}
    </Line>
  );
}

type SearchPartProps = { index: System['index']; onBuild: () => Promise<void> };

export function SearchPart({ index, onBuild }: SearchPartProps) {
  return (
    <Part id="search" title="Search" help="The index answers while a new one is built.">
      <ul className="check-list">
        <Line
          name="Index"
          state={index === undefined ? 'unknown' : 'ok'}
          act={
            <Button size="sm" disabled={index?.isBuilding} onClick={() => void onBuild()}>
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
