import {
  ensureAwaited,
  getByAltTextSelector,
  getByLabelSelector,
  getByPlaceholderSelector,
  getByRoleSelector,
  getByTestIdSelector,
  getByTextSelector,
  getByTitleSelector,
  Locator,
  selectorEngine,
} from '@vitest/browser/locators';
import { commands, page, userEvent } from 'vitest/browser';
import { pointOf } from './place.ts';

/** Finds elements in the page and presses them with the driver's pointer; for Firefox and WebKit (driver.ts). */
class DriverLocator extends Locator {
  override selector: string;

  constructor(selector: string, container?: Element) {
    super();
    this.selector = selector;
    this._container = container;
  }

  override locator(selector: string): Locator {
    return new DriverLocator(`${this.selector} >> ${selector}`, this._container);
  }

  override elementLocator(element: Element): Locator {
    return new DriverLocator(selectorEngine.generateSelectorSimple(element), element);
  }

  override click(): Promise<void> {
    return ensureAwaited(() => this.#press(1));
  }

  override dblClick(): Promise<void> {
    return ensureAwaited(() => this.#press(2));
  }

  override hover(): Promise<void> {
    return ensureAwaited(async () => {
      const element = await this.#pressable();
      await commands.movePointer([{ type: 'pointerMove', ...pointOf(element) }]);
    });
  }

  override clear(): Promise<void> {
    return this.fill('');
  }

  override fill(text: string): Promise<void> {
    return ensureAwaited(async () => {
      const field = (await this.#pressable()) as HTMLInputElement;
      field.focus();
      // Pickers and sliders have other keys in each browser.
      if (/^(?:date|time|color|range)/.test(field.type)) return setValue(field, text);
      field.select();
      await userEvent.keyboard(
        text === '' ? '{Backspace}' : text.replaceAll(/[{[]/g, '$&$&').replaceAll('\n', '{Enter}'),
      );
    });
  }

  /** Only people can choose files in the browser's own window. */
  override upload(files: File | File[] | string | string[]): Promise<void> {
    return ensureAwaited(async () => {
      const field = (await this.findElement()) as HTMLInputElement;
      const transfer = new DataTransfer();
      for (const file of [files].flat()) transfer.items.add(file as File);
      field.files = transfer.files;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }

  async #press(times: number): Promise<void> {
    const element = await this.#pressable();
    const press = [{ type: 'pointerDown', button: 0 } as const, { type: 'pointerUp', button: 0 } as const];
    await commands.movePointer([
      { type: 'pointerMove', ...pointOf(element) },
      ...Array.from({ length: times }, () => press).flat(),
    ]);
  }

  /** Waits until it is enabled, still, and not covered. */
  async #pressable(): Promise<Element> {
    for (const end = Date.now() + 10_000; ;) {
      const element = await this.findElement();
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const before = element.getBoundingClientRect();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const box = element.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const isFree = top !== null && (element.contains(top) || top.closest('label')?.control === element);
      const isStill = before.x === box.x && before.y === box.y;
      if (isFree && isStill && !element.matches(':disabled')) return element;
      if (Date.now() > end)
        throw new Error(
          `${this.selector} is ${!isFree ? `below ${top?.outerHTML.slice(0, 200)}` : isStill ? 'disabled' : 'moving'}`,
        );
    }
  }
}

/** As a browser's picker does; React notes only what the browser's own setter wrote. */
function setValue(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

page.extend({
  getByLabelText: (text, options) => new DriverLocator(getByLabelSelector(text, options)),
  getByRole: (role, options) => new DriverLocator(getByRoleSelector(role, options)),
  getByTestId: (id) => new DriverLocator(getByTestIdSelector('data-testid', String(id))),
  getByAltText: (text, options) => new DriverLocator(getByAltTextSelector(text, options)),
  getByPlaceholder: (text, options) => new DriverLocator(getByPlaceholderSelector(text, options)),
  getByText: (text, options) => new DriverLocator(getByTextSelector(text, options)),
  getByTitle: (title, options) => new DriverLocator(getByTitleSelector(title, options)),
  elementLocator: (element: Element) => new DriverLocator(selectorEngine.generateSelectorSimple(element), element),
});
