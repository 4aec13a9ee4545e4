import { i18n } from '#i18n';

/** Parts that somebody may have in an audio, in the order of menus; labels, feeds and structured data follow from it. */
export const creditRoles = ['performer', 'writer', 'editor', 'sound', 'other'] as const;
export type CreditRole = (typeof creditRoles)[number];

type Description = {
  label: () => string;
  /** Before names, on the page of an audio. */
  by: () => string;
  /** `podcast:person` (podcast-namespace, taxonomy). Undefined: it has none that fits, and without one apps assume a host. */
  person?: { role: string; group: string };
};

export const creditDescriptions: Record<CreditRole, Description> = {
  performer: {
    label: () => i18n._(/*i18n*/ { id: 'credit.performer', message: 'Performer' }),
    by: () => i18n._(/*i18n*/ { id: 'credit.read-by', message: 'Read by' }),
    person: { role: 'narrator', group: 'cast' },
  },
  writer: {
    label: () => i18n._(/*i18n*/ { id: 'credit.writer', message: 'Writer' }),
    by: () => i18n._(/*i18n*/ { id: 'credit.written-by', message: 'Written by' }),
    person: { role: 'writer', group: 'writing' },
  },
  editor: {
    label: () => i18n._(/*i18n*/ { id: 'credit.editor', message: 'Editor' }),
    by: () => i18n._(/*i18n*/ { id: 'credit.edited-by', message: 'Edited by' }),
    person: { role: 'audio editor', group: 'audio post-production' },
  },
  sound: {
    label: () => i18n._(/*i18n*/ { id: 'credit.sound', message: 'Sound' }),
    by: () => i18n._(/*i18n*/ { id: 'credit.sound-by', message: 'Sound by' }),
    person: { role: 'sound designer', group: 'audio post-production' },
  },
  other: {
    label: () => i18n._(/*i18n*/ { id: 'credit.other', message: 'Other' }),
    by: () => i18n._(/*i18n*/ { id: 'credit.with', message: 'Also' }),
  },
};

/** `asked`: the creator who is named has not answered. `declined`: they said no, or took their yes back. */
export const creditStates = ['asked', 'accepted', 'declined'] as const;
export type CreditState = (typeof creditStates)[number];

/** Credits of one audio. */
export const maxCredits = 20;
export const creditNameLength = 80;
/** After a no, the same question can be asked again. */
export const askAgainDays = 30;
