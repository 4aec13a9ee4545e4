/** Who asks. A request without a valid session is a visitor. */
export type Viewer = { kind: 'visitor' } | { kind: 'user'; id: string; isSubscribed: boolean };

export const visitor: Viewer = { kind: 'visitor' };
