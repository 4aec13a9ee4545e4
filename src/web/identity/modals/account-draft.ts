/** Current input of the account forms, kept in memory. */
export type AccountDraft = { email: string; username: string; password: string; tac: boolean; legal: boolean };

// In memory alone: closing a window by accident loses nothing, and no password is left on the device.
let draft: Partial<AccountDraft> = {};

export const accountDraft = {
  get: () => draft,
  update(changed: Partial<AccountDraft>): void {
    draft = { ...draft, ...changed };
  },
  clear(): void {
    draft = {};
  },
};
