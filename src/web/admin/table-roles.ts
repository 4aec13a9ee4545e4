/** Roles that rows drawn as cards would lose, because they are no longer laid out as a table. */
export const tableRole = { role: 'table' } as const;
export const rowRole = { role: 'row' } as const;
export const headRole = { role: 'columnheader' } as const;
export const cellRole = { role: 'cell' } as const;
