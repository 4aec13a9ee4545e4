import { t } from '@lingui/core/macro';
import { classNames } from '../ui/class-names.ts';

/** Main parts of a Studio or Admin page, in the loaded page's layout. */
export type PageShape = 'tiles' | 'table' | 'list' | 'form';

/** Title as in “Loading the overview”. */
export type PageOutline = { title: string; shape: PageShape };

/** Shown for a page that takes long to load. */
export function PageSkeleton({ shape, title }: PageOutline) {
  return (
    <>
      <output className="sr-only">{t`Loading ${title}`}</output>
      <div className="mb-6 grid gap-3 pt-2">
        <Bar className="h-8 w-52" />
        <Bar className="h-3.5 w-72 max-w-full" />
      </div>
      {shape === 'tiles' && (
        <>
          <div className="stats mb-8">
            {[1, 2, 3, 4].map((tile) => (
              <div key={tile} className="stat pb-4.5 max-md:pb-3.5 gap-3">
                <Bar className="h-3 w-20 max-w-full" />
                <Bar className="h-8 w-32 max-w-full" />
                <Bar className="h-3 w-28 max-w-full" />
              </div>
            ))}
          </div>
          <div className="pane">
            <Bar className="h-56 w-full" />
          </div>
        </>
      )}
      {shape === 'table' && (
        <div className="pane py-1.5">
          <Rows count={8} />
        </div>
      )}
      {shape !== 'tiles' && shape !== 'table' && (
        <div className="main-and-aside">
          <div className="grid content-start gap-6">
            {shape === 'list' ? (
              <div>
                <Rows count={6} />
              </div>
            ) : (
              [1, 2, 3, 4].map((field) => (
                <div key={field} className="grid gap-2">
                  <Bar className="h-3 w-24" />
                  <Bar className={field === 2 ? 'h-24 w-full' : 'h-11 w-full'} />
                </div>
              ))
            )}
          </div>
          <div className="grid content-start gap-6">
            <div className="pane">
              <Bar className="h-28 w-full" />
            </div>
            <div className="pane">
              <Bar className="h-20 w-full" />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

const widths = ['w-3/5', 'w-4/5', 'w-2/5', 'w-3/4'];

function Rows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <div
      // oxlint-disable-next-line react/no-array-index-key -- the rows are all alike and never move
      key={row}
      className="grid min-h-14 grid-cols-[40px_minmax(0,1fr)_70px] items-center gap-3.5 border-b border-line py-2 last:border-b-0"
    >
      <Bar className="size-10" />
      <div className="grid gap-2">
        <Bar className={classNames('h-3.5', widths[row % widths.length])} />
        <Bar className="h-3 w-1/3" />
      </div>
      <Bar className="h-5.5" />
    </div>
  ));
}

function Bar({ className }: { className: string }) {
  return (
    <span
      className={classNames(
        'block rounded-tag bg-raised motion-safe:[background:linear-gradient(100deg,var(--raised)_30%,var(--overlay)_50%,var(--raised)_70%)] motion-safe:[background-size:300%_100%] motion-safe:[animation:sk_var(--t-breath)_ease-in-out_infinite]',
        className,
      )}
    />
  );
}
