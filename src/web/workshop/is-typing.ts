/** Whether a key goes into a field, or to a dialog or menu: keys of a page are off there. */
export function isTyping({ target }: Event): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null;
}
