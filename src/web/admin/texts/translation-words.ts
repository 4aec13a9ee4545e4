import { t } from '@lingui/core/macro';
import type { OwnTextKind } from '#domain/admin/rules.ts';

export function kindWord(kind: OwnTextKind): string {
  const words: Record<OwnTextKind, () => string> = {
    category: () => t`Category`,
    facet: () => t`Facet`,
    tag: () => t`Tag`,
    playlist: () => t`Playlist`,
    series: () => t`Series`,
    look: () => t`Look`,
    menu: () => t`Words of menus`,
    words: () => t`Refused words`,
    info: () => t`Info page`,
    agreement: () => t`Creator agreement`,
    mail: () => t`Text of a mail`,
  };
  return words[kind]();
}

/** @param field of a text */
export function textFieldWord(field: string): string {
  const words: Record<string, () => string> = {
    label: () => t`Name`,
    title: () => t`Title`,
    description: () => t`Description`,
    explanation: () => t`Explanation`,
    text: () => t`Text`,
    note: () => t`Note`,
    line: () => t`Line`,
    subject: () => t`Subject`,
    body: () => t`Text`,
    closing: () => t`Small print`,
  };
  return words[field]?.() ?? field;
}
