/** Names the account that turned pushes on in this browser; survives the end of its session, not its log-out. */
export const pushOwnerKey = 'sotto_push';
