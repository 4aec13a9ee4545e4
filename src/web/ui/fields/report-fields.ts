/** Reports to React what was typed and chosen before it hydrated these fields. */
export function reportFields(within: ParentNode): void {
  for (const field of within.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'))
    reportField(field);
  for (const list of within.querySelectorAll<HTMLSelectElement>('select:has([selected])'))
    if (list.selectedOptions[0]?.defaultSelected === false) list.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * React keeps what was typed or chosen before hydration, but no component knows of it. The field gets its first state
 * back, which React notes, then the new one by the browser's own means, and reports it.
 */
function reportField(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { value, defaultValue, type } = field;
  if (field instanceof HTMLInputElement && (type === 'checkbox' || type === 'radio')) {
    const { checked, defaultChecked } = field;
    if (checked === defaultChecked || (!checked && type === 'radio')) return;
    field.checked = !checked;
    field.click();
  } else if (value !== defaultValue && /^(?:text|search|email|password|tel|url|number)/.test(type)) {
    field.value = defaultValue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
