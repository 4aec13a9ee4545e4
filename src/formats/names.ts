import { i18n } from '#i18n';

/** `Maren Holt, Idris Vale, Wren Ashby and 1 more`. @param total number of names, when `names` is incomplete */
export function formatNames(names: string[], total: number = names.length, shown = 3): string {
  const listed = names.slice(0, shown);
  const more = Math.max(total, names.length) - listed.length;
  const last = more > 0 ? '' : (listed.pop() ?? '');
  if (listed.length === 0) return last;
  const before = listed.reduce((names, name) =>
    i18n._(/*i18n*/ { id: 'names.list', message: '{names}, {name}', values: { names, name } }),
  );
  return more > 0
    ? i18n._(
        /*i18n*/ {
          id: 'names.more',
          message: '{names} and {more, plural, other {# more}}',
          values: { names: before, more },
        },
      )
    : i18n._(/*i18n*/ { id: 'names.and', message: '{names} and {name}', values: { names: before, name: last } });
}
