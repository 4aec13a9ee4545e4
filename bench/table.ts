import type { Figure } from './figures.ts';

function verdictOf({ ok }: Figure): string {
  return ok === undefined ? '' : ok ? 'ok' : 'MISS';
}

/** One figure while the others are still measured. */
export function lineOf(figure: Figure): string {
  return [verdictOf(figure).padEnd(4), figure.name, figure.value, figure.limit].join('  ').trimEnd();
}

/** A run's figures as a table; with those of an earlier run, also their old values and changes. */
export function tableOf(figures: Figure[], former?: Figure[]): string {
  const before = new Map(former?.map((figure) => [figure.name, figure]));
  const rows = figures.map((figure) => {
    const { name, value, limit } = figure;
    const verdict = verdictOf(figure);
    if (former === undefined) return [verdict, name, value, limit];
    const old = before.get(name);
    return [verdict, name, value, limit, old?.value ?? '–', old === undefined ? 'new' : changeOf(old, figure)];
  });
  const heads = ['', 'Figure', 'Value', 'Limit', ...(former === undefined ? [] : ['Before', 'Change'])];
  const widths = heads.map((head, column) => Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)));
  const joined = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 2 || column > 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const names = new Set(figures.map(({ name }) => name));
  const gone = (former ?? [])
    .filter(({ name }) => !names.has(name))
    .map(({ name, value }) => `Not measured this time: ${name} (was ${value})`);
  return [joined(heads), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(joined), ...gone].join('\n');
}

/** "+12%", with a word when the limit says which direction is better; small differences are noise. */
function changeOf(old: Figure, figure: Figure): string {
  const [from, to] = [Number.parseFloat(old.value), Number.parseFloat(figure.value)];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return old.value === figure.value ? '=' : 'changed';
  if (from === to) return '=';
  if (from === 0) return `${to > 0 ? '+' : ''}${to}`;
  const percent = Math.round(((to - from) / Math.abs(from)) * 100);
  const shown = `${percent > 0 ? '+' : ''}${percent}%`;
  const isMoreBetter = figure.limit.startsWith('≥') ? true : figure.limit.startsWith('≤') ? false : undefined;
  if (isMoreBetter === undefined || Math.abs(percent) < 10) return shown;
  return `${shown} ${to > from === isMoreBetter ? 'better' : 'worse'}`;
}
