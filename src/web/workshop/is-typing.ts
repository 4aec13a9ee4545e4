/** Whether a key press belongs to a field, dialog or menu; page shortcuts are off there. */
export function isTyping({ target }: Event): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest('input:not([type="range"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !==
    null
  );
}
