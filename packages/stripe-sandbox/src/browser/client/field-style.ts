import type { StripeElementStyle } from '@stripe/stripe-js';

type Rules = { [name: string]: string | number | Rules | undefined };

/** Default look like Stripe's fields: plain, and as wide as the container. */
const plain: Rules = {
  width: '100%',
  margin: '0',
  padding: '0',
  border: '0',
  outline: 'none',
  background: 'transparent',
  color: 'inherit',
  font: 'inherit',
  lineHeight: '1.2',
  boxSizing: 'border-box',
};

let fields = 0;

export type FieldStyle = {
  /** Class of the field in the style sheet. */
  className: string;
  change(style: StripeElementStyle | undefined): void;
  remove(): void;
};

/** The CSP allows constructed style sheets, but no `style` element without a nonce. */
export function styleField(): FieldStyle {
  fields += 1;
  const className = `StripeSandboxField-${fields}`;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const write = (style: StripeElementStyle | undefined) => {
    const rules = [
      ...rulesOf(`.${className}`, plain),
      ...rulesOf(`.${className}`, style?.base as Rules | undefined),
      ...rulesOf(`.${className}[data-state~=empty]`, style?.empty as Rules | undefined),
      ...rulesOf(`.${className}[data-state~=complete]`, style?.complete as Rules | undefined),
      ...rulesOf(`.${className}[data-state~=invalid]`, {
        ...(style?.invalid === undefined ? { color: '#eb1c26' } : (style.invalid as Rules)),
      }),
    ];
    sheet.replaceSync(rules.join('\n'));
  };
  write(undefined);
  return {
    className,
    change: write,
    remove() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/** Converts `{ color, '::placeholder': { color } }` to rules; unknown CSS names have no effect. */
function rulesOf(selector: string, rules: Rules | undefined): string[] {
  if (rules === undefined) return [];
  const own: string[] = [];
  const inner: string[] = [];
  for (const [name, value] of Object.entries(rules)) {
    if (value === undefined) continue;
    if (typeof value === 'object') inner.push(...rulesOf(`${selector}${name}`, value));
    else own.push(`${cssName(name)}: ${String(value).replaceAll(/[{};]/g, '')};`);
  }
  return [`${selector} { ${own.join(' ')} }`, ...inner];
}

function cssName(name: string): string {
  if (name === 'fontSmoothing') return '-webkit-font-smoothing';
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
