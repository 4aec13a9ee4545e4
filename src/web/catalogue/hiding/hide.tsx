import { t } from '@lingui/core/macro';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import type { MenuRest } from '#web/ui/layers/menu-parts.ts';
import type { useToast } from '#web/ui/layers/toast.tsx';
import { hiddenPlaces, HiddenNote } from './hidden-note.tsx';
import { saveHidden } from './save-hidden.ts';

/**
 * Hides at once; the row or card keeps its place, with Undo. Where there is none, a notice says it.
 * @param options.rest of the menu from which it is hidden; undefined: what is hidden stays in its list
 */
export function hide(
  subject: HiddenSubject,
  { rest, showToast }: { rest: MenuRest | undefined; showToast: ReturnType<typeof useToast> },
): void {
  const { name } = subject;
  const find = (places: string) => rest?.anchor?.closest<HTMLElement>(places);
  const place = find(hiddenPlaces) ?? find('.acts');
  const saving = saveHidden(subject, true);
  if (rest && place) rest.show(<HiddenNote subject={subject} place={place} rest={rest} saving={saving} />);
  void saving.then((failed) => {
    if (failed !== undefined) {
      rest?.show(undefined);
      return showToast({ text: failed });
    }
    if (place) return undefined;
    const undo = async () => showToast({ text: (await saveHidden(subject, false)) ?? t`“${name}” is shown again` });
    return showToast({ text: t`“${name}” is hidden`, action: { label: t`Undo`, onPress: () => void undo() } });
  });
}
